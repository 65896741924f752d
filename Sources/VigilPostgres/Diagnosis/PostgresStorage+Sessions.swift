public import VigilModel
public import VigilStorage

extension PostgresStorage {
  /// Finds sessions whose process or machine is gone, so that what they have locked stays locked.
  ///
  /// They are sessions of a run that has ended, and those that have been in a transaction for long while no
  /// run holds the lock.
  public func sessionFindings(at now: Timestamp) throws -> [Finding] {
    try withConnection { connection in
      let isAnyAtWork = try !LockTable.runs.holders(asking: connection).isEmpty
      let sessions = try connection.rows(
        LockStatement.listStrandedSessions,
        Parameters {
          $0.put(Self.purpose)
          $0.put(now.adding(seconds: -Self.longestTransaction))
          $0.put(isAnyAtWork ? 1 : 0)
          $0.put(TableRunLock.prefix)
        },
        database: displayName
      ) { ($0.text(), $0.text()) }
      guard !sessions.isEmpty else { return [] }
      let names = sessions.map { "\($0.1) (server process \($0.0))" }
      let processes = sessions.map(\.0).joined(separator: ", ")
      return [
        Finding(
          check: "sessions", status: .warning,
          detail: "no run is going on that these are of: \(names.joined(separator: ", "))",
          remedy: .advice(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid IN"
              + " (\(processes));"))
      ]
    }
  }

  /// The longest transaction of a live command without the run lock, in seconds; imports and
  /// migrations, which take longer, have names.
  private static let longestTransaction: Int64 = 600
}
