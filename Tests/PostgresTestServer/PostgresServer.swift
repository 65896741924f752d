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
  let templates: ValuesByName<TemplateDatabase>

  /// The one server of this process for all tests that leave it running.
  ///
  /// - Throws: `Failure` where no server is installed or it does not start.
  public static func shared() throws -> PostgresServer { try running.get() }

  private static let running = Result { try PostgresServer() }

  /// Starts a server that has no more than the database `vigil` and its owner.
  ///
  /// Its files are copies, which takes a tenth of the time of making them.
  ///
  /// - Throws: `Failure` where no server is installed or it does not start.
  public convenience init() throws {
    try self.init(files: Self.blank.get(), templates: ValuesByName())
  }

  /// Starts a server that has what another one was given, which is filled once for all of its copies.
  ///
  /// - Parameters:
  ///   - name: The name of the other; the same name means the same contents.
  ///   - fill: Fills it, and leaves no session behind.
  /// - Throws: `Failure` where no server is installed or it does not start; what `fill` throws.
  public convenience init(copyOf name: String, filledBy fill: (PostgresServer) throws -> Void)
    throws
  {
    let original = try Self.originals.value(of: name) {
      let server = try PostgresServer()
      try fill(server)
      // The files of a server that runs are no whole.
      try server.stop(immediately: false)
      return server
    }
    try self.init(files: original.keeper, templates: ValuesByName(copyOf: original.templates))
  }

  private init(files: ServerKeeper, templates: ValuesByName<TemplateDatabase>) throws {
    keeper = try ServerKeeper()
    self.templates = templates
    try keeper.perform("copy \(files.folder)")
    try start()
  }

  private static let blank = Result {
    let keeper = try ServerKeeper()
    try keeper.perform("create")
    return keeper
  }

  private static let originals = ValuesByName<PostgresServer>()

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
