import Foundation
import VigilStorage

extension PostgresStorage {
  /// Whether a connection keeps its server process between transactions.
  ///
  /// A pooler in transaction mode takes it away: the run lock would then belong to whoever comes next,
  /// and temporary tables be gone. Two sessions find out: while the second is in a transaction, it
  /// may sit on the process that the first has just used, and the first gets another.
  func poolerFinding(_ connection: Connection) throws -> Finding {
    let isBetween = try connection.serverProcess != ownProcess(of: connection)
    let token = UUID().uuidString
    let other = try openConnection(purpose: "vigil doctor")
    try connection.run(
      "SELECT set_config('vigil.doctor', $1, false)", Parameters { $0.put(token) })
    let kept = try other.transaction {
      _ = try ownProcess(of: other)
      return try connection.text("SELECT current_setting('vigil.doctor', true)")
    }
    guard kept == token else {
      return Finding(
        check: "pooler", status: .failure,
        detail: "a pooler in transaction mode is in between: the run lock, snapshots and temporary "
          + "tables do not survive it",
        remedy: "connect to the server itself, or to a pool with pool_mode = session")
    }
    return Finding(
      check: "pooler", status: .ok,
      detail: isBetween ? "one in session mode is in between" : "none in between")
  }

  private func ownProcess(of connection: Connection) throws -> Int {
    let text = try connection.text("SELECT pg_backend_pid()::text")
    return Int(text) ?? 0
  }
}
