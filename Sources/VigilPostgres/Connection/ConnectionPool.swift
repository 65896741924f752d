import Synchronization

/// Lends connections, each to one borrower at a time, and keeps a few for the next.
final class ConnectionPool: Sendable {
  private let idle = Mutex<[Connection]>([])
  private let open: @Sendable () throws -> Connection

  private static let mostKept = 8

  init(open: @escaping @Sendable () throws -> Connection) {
    self.open = open
  }

  /// - Throws: `PostgresError` where none can be opened, or what `body` throws.
  func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let kept = idle.withLock { $0.popLast() }
    let connection = try kept ?? open()
    defer { giveBack(connection) }
    do {
      return try body(connection)
    } catch let error as PostgresError where error.isConnectionLost {
      // The others have most likely gone the same way.
      idle.withLock { $0.removeAll() }
      throw error
    }
  }

  private func giveBack(_ connection: Connection) {
    guard connection.isIdle else { return }
    idle.withLock { if $0.count < Self.mostKept { $0.append(connection) } }
  }
}
