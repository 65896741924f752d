import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// The order in which senders lock rows of the queue.
@Suite struct DispatchLocksTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)

  /// Two rows that a sender has taken, the one with the lower id first.
  private func claimed(
    in folder: TemporaryDirectory
  ) throws -> (PostgresSchema, any Storage, [ClaimedNotification]) {
    let database = try DatabaseKind.postgres.makeMigratedDatabase(in: folder.path)
    try database.fill(QueuedPeople(2, dueAt: Self.noon))
    guard case .postgres(let schema) = database else { throw NoServer() }
    let storage = try database.open()
    let rows = try storage.claim(
      DispatchClaim(
        channel: .push, owner: "test", limit: 2, leaseUntil: Self.noon.adding(seconds: 60)),
      at: Self.noon)
    try #require(rows.count == 2)
    return (schema, storage, rows.sorted { $0.id.lowercased < $1.id.lowercased })
  }

  private func lock(_ row: ClaimedNotification, _ more: String = "") -> String {
    "SELECT id FROM notification_queue WHERE id = '\(row.id.lowercased)' FOR UPDATE \(more)"
  }

  private struct NoServer: Error {}

  enum Change: CaseIterable {
    case renewal, success, retry
  }

  /// A transaction that waits for the first row does not hold the second one, whatever the order of its list:
  /// another one that has the first and wants the second would wait for it for ever.
  @Test(arguments: Change.allCases)
  func rowsAreLockedInTheOrderOfTheirIds(change: Change) throws {
    try TemporaryDirectory.with { folder in
      let (schema, storage, rows) = try claimed(in: folder)
      let leases = [rows[1].lease, rows[0].lease]
      let session = try schema.session()
      try session.execute("BEGIN")
      try session.execute(lock(rows[0]))
      let changed = try HeldUpCall(holder: session) {
        switch change {
        case .renewal: try storage.renew(leases, until: Self.noon.adding(seconds: 120))
        case .success:
          try storage.settle(leases.map { DispatchOutcome(.sent, of: $0) }, at: Self.noon)
        case .retry:
          try storage.settle(
            leases.map {
              DispatchOutcome(
                .retry(at: Self.noon.adding(seconds: 60), error: .init("http_503")), of: $0)
            }, at: Self.noon)
        }
      } until: {
        try session.execute(lock(rows[1], "NOWAIT"))
        try session.execute("COMMIT")
      }
      #expect(changed == Set(rows.map(\.id)))
    }
  }

  @Test func leasesThatAnotherTransactionHoldsAreTakenBackLater() throws {
    try TemporaryDirectory.with { folder in
      let (schema, storage, rows) = try claimed(in: folder)
      let end = Self.noon.adding(seconds: 60)
      let session = try schema.session()
      try session.execute("BEGIN")
      try session.execute(lock(rows[1]))
      // It would wait for ever here.
      #expect(try storage.takeBackLeases(endedBy: end) == TakenBackLeases(waiting: 1))
      try session.execute("COMMIT")
      #expect(try storage.takeBackLeases(endedBy: end) == TakenBackLeases(waiting: 1))
    }
  }
}
