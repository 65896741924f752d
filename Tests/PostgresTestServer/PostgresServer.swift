import TestSupport

/// A real PostgreSQL server of the tests' own, on a Unix socket in a folder of its own.
///
/// It ends, and its folder goes, with the last reference or with this process, even where that is
/// killed. Who reaches the socket needs no password.
public final class PostgresServer: Sendable {
  /// Why there is no server, and what to do about it.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
  }

  private let keeper: ServerKeeper
  let sessions = SessionPool()
  let templates = ValuesByName<TemplateDatabase>()

  /// The one server of this process for all tests that leave it running.
  ///
  /// - Throws: `Failure` where no server is installed or it does not start.
  public static func shared() throws -> PostgresServer { try running.get() }

  private static let running = Result { try PostgresServer() }

  /// Creates and starts a server; takes about two seconds.
  ///
  /// - Throws: `Failure` where no server is installed or it does not start.
  public init() throws {
    keeper = try ServerKeeper()
    try keeper.perform("create")
    try start()
  }

  /// The folder of the socket and all files of the server.
  public var folder: String { keeper.folder }

  /// The name of the database that schemas share unless they are copies of a template.
  static let sharedDatabase = "vigil"

  /// The URL of the database that schemas share, `vigil`.
  ///
  /// - Parameter user: `vigil`, who owns the database and may create roles but is no superuser;
  ///   `postgres`, who is; or a role that a test has made.
  public func url(as user: String = "vigil") -> String { url(of: Self.sharedDatabase, as: user) }

  func url(of database: String, as user: String) -> String {
    "postgres:///\(database)?host=\(folder)&user=\(user)"
  }

  /// Starts the server again after `stop`, with the databases that it had, and waits until it answers.
  public func start() throws {
    try keeper.perform("start")
  }

  /// Stops the server and waits until it is gone.
  ///
  /// - Parameter immediately: As if it had crashed, which `start` then recovers from; otherwise it
  ///   ends all connections and shuts down in order.
  public func stop(immediately: Bool) throws {
    sessions.empty()
    try keeper.perform("stop \(immediately ? "immediate" : "fast")")
  }
}
