import Dispatch
import Synchronization

/// A schema of a database of a server, which nothing else uses; it is dropped with the last reference.
///
/// Its name needs quoting in every way, so that each test checks that it is quoted.
public final class PostgresSchema: Sendable {
  public let name: String
  public let server: PostgresServer
  let database: String
  private let end: Mutex<End>

  /// The part of the server that goes with the last reference.
  private enum End {
    case schema
    case database
    case nothing
  }

  private static let count = Atomic(0)
  private static let drops = DispatchQueue(label: "PostgresSchema.drops")

  /// The name of a new schema in the database that schemas share; migrating creates it.
  ///
  /// - Parameter server: Where it will be; nil for the one that tests share.
  /// - Throws: `PostgresServer.Failure` where there is no server.
  public init(on server: PostgresServer? = nil) throws {
    self.server = try server ?? .shared()
    database = PostgresServer.sharedDatabase
    end = Mutex(.schema)
    name = #"O'Hara "Ward" \#(Self.nextNumber)"#
  }

  /// The name of a new schema in a database of its own; migrating creates it.
  ///
  /// - Throws: `PostgresSession.Failure` where there is no server.
  public convenience init(inNewDatabaseOf server: PostgresServer) throws {
    try self.init(inNewDatabaseOf: server, copyOf: nil)
  }

  /// - Parameter template: A database that has no session at this moment and is copied; nil for none.
  init(inNewDatabaseOf server: PostgresServer, copyOf template: TemplateDatabase?) throws {
    self.server = server
    end = Mutex(.database)
    database = "\(PostgresServer.sharedDatabase)_\(Self.nextNumber)"
    name = template?.schema ?? #"O'Hara "Ward""#
    try server.withSession { session in
      // Copies files instead of pages, which is faster for a server that does not call fsync. Up to version 14
      // there is no other way.
      let version = try session.rows("SHOW server_version_num").values[0][0].flatMap { Int($0) }
      let strategy = (version ?? 0) >= 150_000 ? " STRATEGY file_copy" : ""
      try session.execute(
        "CREATE DATABASE \(database) OWNER vigil"
          + (template.map { " TEMPLATE \($0.database)\(strategy)" } ?? ""))
    }
  }

  private static var nextNumber: Int { count.add(1, ordering: .relaxed).newValue }

  deinit {
    // A server that a test has stopped takes its databases with it; a session that a test has left behind
    // must not hold up the others.
    switch end.withLock(\.self) {
    case .schema:
      try? PostgresSession(url: url)
        .execute("SET lock_timeout = '10s'; DROP SCHEMA IF EXISTS \(quotedName) CASCADE")
    case .database:
      closeSessions()
      // The server writes a checkpoint for it, which no test has to wait for.
      Self.drops.async { [server, database] in
        try? server.withSession { try $0.execute("DROP DATABASE \(database) WITH (FORCE)") }
      }
    case .nothing: break
    }
  }

  /// The database that holds the schema, as its owner.
  public var url: String { url(as: "vigil") }

  /// The same as another user.
  public func url(as user: String) -> String { server.url(of: database, as: user) }

  /// The name as SQL writes it.
  public var quotedName: String { PostgresSession.quoted(name) }

  /// A superuser's connection that sees this schema only.
  public func session() throws -> PostgresSession {
    try PostgresSession(url: url(as: "postgres"), schema: name)
  }

  /// Lends such a connection, which may be one that was used before.
  public func withSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    try server.sessions.withSession(url: url(as: "postgres"), schema: name, body)
  }

  /// Keeps the database for as long as the server is there.
  func stay() { end.withLock { $0 = .nothing } }

  func closeSessions() { server.sessions.close(url: url(as: "postgres")) }

  /// Copies the rows of every table of another schema that has the same tables, all of them empty here.
  public func copyRows(of other: PostgresSchema) throws {
    let (source, target) = (try other.session(), try session())
    // References hold in the copy as they did in the original, in whichever order rows come.
    try target.execute("SET session_replication_role = 'replica'")
    // One snapshot, whatever happens there meanwhile. The views of information_schema take ten times as long.
    try source.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    let tables = try source.rows(
      """
      SELECT quote_ident(relname), string_agg(quote_ident(attname), ', ')
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r'
        AND relname <> 'schema_migrations'
      GROUP BY relname
      """)
    for case (let table?, let columns?) in tables.values.map({ ($0[0], $0[1]) }) {
      try target.copyRows(of: "\(table) (\(columns))", from: source)
    }
    // The next number of a column that counts follows those of the copy.
    let counted = try source.rows(
      """
      SELECT quote_ident(relname), quote_literal(quote_ident(relname)), attname
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attidentity <> ''
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r'
      """)
    for case (let table?, let name?, let column?) in counted.values.map({ ($0[0], $0[1], $0[2]) }) {
      try target.execute(
        """
        SELECT setval(
          pg_get_serial_sequence(\(name), '\(column)'), coalesce(max(\(column)), 1), max(\(column)) IS NOT NULL)
        FROM \(table)
        """)
    }
  }
}
