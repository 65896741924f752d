import Synchronization

/// Sessions of the superuser on one server, each lent to one borrower at a time and kept for the next.
///
/// Tests look into their databases some thousand times, and a new session costs more than most queries.
final class SessionPool: Sendable {
  private let idle = Mutex<[PostgresSession]>([])

  private static let mostKept = 4

  /// Lends a session as if it were new; one whose borrower threw is closed.
  ///
  /// - Throws: `PostgresSession.Failure` where there is no server, or what `body` throws.
  func withSession<Result>(
    url: String, schema: String, _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    let session = try kept(for: schema) ?? PostgresSession(url: url, schema: schema)
    let result = try body(session)
    idle.withLock { if $0.count < Self.mostKept { $0.append(session) } }
    return result
  }

  /// Closes all that are kept.
  func empty() { idle.withLock { $0.removeAll() } }

  /// One that still answers and has nothing of its last borrower.
  private func kept(for schema: String) -> PostgresSession? {
    while let session = idle.withLock({ $0.popLast() }) {
      if (try? session.reset(to: schema)) != nil { return session }
    }
    return nil
  }
}
