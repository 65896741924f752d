import Foundation
import VigilStorage

extension PostgresStorage {
  func poolerFinding(_ connection: Connection) throws -> Finding {
    let isBetween = try hasPoolerBetween(connection)
    do {
      try refuseTransactionPooler(connection)
    } catch let error as StorageError {
      return Finding(
        check: "pooler", status: .failure, detail: error.message, remedy: error.remedy)
    }
    return Finding(
      check: "pooler", status: .ok,
      detail: isBetween ? "one in session mode is in between" : "none in between")
  }

  /// A pooler gives its clients a process number of its own.
  func hasPoolerBetween(_ connection: Connection) throws -> Bool {
    try connection.run(ConnectionStatement.findServerProcess).int32(0, 0)
      != connection.serverProcess
  }

  /// Throws `.unreachable` where a connection does not keep its server process between transactions.
  ///
  /// Two sessions find out: while the second is in a transaction, it may sit on the process that the
  /// first has just used, and the first gets another, which does not know what the first has set.
  func refuseTransactionPooler(_ connection: Connection) throws {
    let token = UUID().uuidString
    let other = try openConnection(purpose: "vigil")
    try connection.run(ConnectionStatement.setProbe, Parameters { $0.put(token) })
    let kept = try other.transaction {
      try other.run(ConnectionStatement.findServerProcess)
      return try connection.text(ConnectionStatement.readProbe)
    }
    guard kept == token else {
      throw StorageError(
        .unreachable,
        "between here and \(displayName) is a pooler in transaction mode: the run lock, snapshots and "
          + "temporary tables do not survive it",
        remedy: "connect to the server itself, or to a pool with pool_mode = session")
    }
  }
}
