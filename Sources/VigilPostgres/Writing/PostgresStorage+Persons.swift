public import Foundation
import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  /// Keeps evaluations of single persons and batches of runs from being written at the same moment; batches do not
  /// wait for each other.
  func lockPersons(of batch: BatchWrite, on connection: Connection) throws {
    guard let settlement = batch.settlement else { return }
    guard settlement.evaluation != nil else {
      try connection.run(ConnectionStatement.lockPersonsShared)
      return
    }
    try connection.run(ConnectionStatement.lockPersons)
    // Releasing notifications changes the counts of the runs that hold the same ones.
    if batch.queue == .live, !batch.notifications.isEmpty {
      try connection.run(ConnectionStatement.lockRuns)
    }
  }

  /// Throws where a login that only backfills would settle what evaluations of single persons have left: that may
  /// withdraw notifications.
  func refuseToSettle(_ batch: BatchWrite, on connection: Connection) throws {
    guard let settlement = batch.settlement, !settlement.provisional.isEmpty,
      try !connection.mayChangeGuardedColumns()
    else { return }
    let role = try connection.quotedRole()
    throw StorageError(
      .permissionDenied,
      "\(displayName): persons were evaluated one by one since their last night, and \(role) may not confirm or"
        + " retract their provisional alerts",
      remedy: .advice(
        "run a night first, which settles them, and then this command again; or run it as a member of"
          + " vigil_engine"))
  }

  public func requireRightsForPersons() throws {
    try requireRights(for: .live)
    try withConnection {
      try requireRights(NeededRight.persons, for: "the evaluation of a person", on: $0)
    }
  }

  public func acquirePersonLock(for person: UUID) throws -> any PersonLock {
    try withConnection { connection in
      // A lock that a pooler hands on with the session would be held by the next client.
      if try hasPoolerBetween(connection) { try refuseTransactionPooler(connection) }
    }
    return try TablePersonLock(of: self, for: person)
  }
}
