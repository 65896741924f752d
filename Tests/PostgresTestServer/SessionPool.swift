import Synchronization

/// Sessions of the superuser on one server, each lent to one borrower at a time and kept for the next.
///
/// Tests look into their databases some thousand times, and a new session costs more than most queries.
final class SessionPool: Sendable {
  /// The last used one is last.
  private let idle = Mutex<[(url: String, session: PostgresSession)]>([])

  /// Each is a process of the server.
  private static let mostKept = 24

  /// Lends a session as if it were new; one whose borrower threw is closed.
  ///
  /// - Parameters:
  ///   - url: The database.
  ///   - schema: Where unqualified names are looked up; nil for the server's default.
  /// - Throws: `PostgresSession.Failure` where there is no server, or what `body` throws.
  func withSession<Result>(
    url: String, schema: String?, _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    let session = try kept(url, for: schema) ?? PostgresSession(url: url, schema: schema)
    let result = try body(session)
    let oldest = idle.withLock { idle in
      idle.append((url, session))
      return idle.count > Self.mostKept ? idle.removeFirst() : nil
    }
    withExtendedLifetime(oldest) {}
    return result
  }

  /// Closes all that are kept.
  func empty() { idle.withLock { $0.removeAll() } }

  /// Closes those of a database.
  func close(url: String) { idle.withLock { $0.removeAll { $0.url == url } } }

  /// One that still answers and has nothing of its last borrower.
  private func kept(_ url: String, for schema: String?) -> PostgresSession? {
    while let session = popLast(url) {
      if (try? session.reset(to: schema)) != nil { return session }
    }
    return nil
  }

  private func popLast(_ url: String) -> PostgresSession? {
    idle.withLock { idle in
      idle.lastIndex { $0.url == url }.map { idle.remove(at: $0).session }
    }
  }
}

extension PostgresServer {
  /// Lends a superuser's session on the database that all servers have.
  func withSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    try sessions.withSession(url: url(of: "postgres", as: "postgres"), schema: nil, body)
  }
}
