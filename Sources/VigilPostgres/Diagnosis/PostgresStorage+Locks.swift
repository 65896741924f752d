import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// The findings about the holder of the run lock, and about runs without a process.
  ///
  /// - Parameter asksRuns: Whether there is a table of runs to look into.
  func lockFindings(_ connection: Connection, asksRuns: Bool) throws -> [Finding] {
    let holders = try LockTable.runs.holders(asking: connection)
    let lock = lockFinding(holders)
    guard asksRuns else { return [lock] }
    let running = try SQLRunTransaction(
      session: PostgresSession(connection: connection, database: displayName)
    ).runningRuns()
    return [lock, .onRunningRuns(running, atWork: Set(holders.compactMap(\.run)))]
  }

  private func lockFinding(_ holders: [LockHolder]) -> Finding {
    guard !holders.isEmpty else {
      return Finding(check: "run lock", status: .ok, detail: "no run holds it")
    }
    let names = holders.map(\.description).joined(separator: ", ")
    return Finding(
      check: "run lock", status: .warning, detail: "held by \(names)",
      remedy: .advice(
        "wait for it to end; the lock ends with its process. Where the machine is gone, the"
          + " server notices within two minutes, or: \(Self.statementThatEnds(holders))"))
  }

  /// Ends the sessions that hold the lock, and the others of the same machine, which may have rows
  /// locked; machines are known only where they come over a network.
  private static func statementThatEnds(_ holders: [LockHolder]) -> String {
    let addresses = Set(holders.compactMap(\.address)).sorted()
    let processes = holders.filter { $0.address == nil }.map(\.process)
    var conditions: [String] = []
    if !processes.isEmpty {
      conditions.append("pid IN (\(processes.map(String.init).joined(separator: ", ")))")
    }
    if !addresses.isEmpty {
      let list = addresses.map { "'\($0)'" }.joined(separator: ", ")
      conditions.append("application_name LIKE 'vigil%' AND host(client_addr) IN (\(list))")
    }
    return "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
      + conditions.joined(separator: " OR ") + ";"
  }
}
