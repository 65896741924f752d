import Synchronization

/// The name of a schema that nothing else uses, in the database of a server.
///
/// Migrating creates the schema; it is dropped with the last reference.
/// Its name needs quoting in every way, so that each test checks that it is quoted.
public final class PostgresSchema: Sendable {
  public let name: String
  public let server: PostgresServer

  private static let count = Atomic(0)

  /// - Parameter server: Where it will be; nil for the one that tests share.
  /// - Throws: `PostgresServer.Failure` where there is no server.
  public init(on server: PostgresServer? = nil) throws {
    self.server = try server ?? .shared()
    let number = Self.count.add(1, ordering: .relaxed).newValue
    name = #"O'Hara "Ward" \#(number)"#
  }

  deinit {
    // A server that a test has stopped takes its schemas with it; a session that a test has left
    // behind must not hold up the others.
    try? PostgresSession(url: server.url())
      .execute("SET lock_timeout = '10s'; DROP SCHEMA IF EXISTS \(quotedName) CASCADE")
  }

  /// The database that holds the schema, as its owner.
  public var url: String { server.url() }

  /// The name as SQL writes it.
  public var quotedName: String { PostgresSession.quoted(name) }

  /// A superuser's connection that sees this schema only.
  public func session() throws -> PostgresSession {
    try PostgresSession(url: server.url(as: "postgres"), schema: name)
  }

  /// Lends such a connection, which may be one that was used before.
  public func withSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    try server.sessions.withSession(url: server.url(as: "postgres"), schema: name, body)
  }

  /// Copies the rows of every table of another schema that has the same tables, all of them empty here.
  public func copyRows(of other: PostgresSchema) throws {
    let session = try session()
    let tables = try session.rows(
      """
      SELECT quote_ident(table_name), string_agg(quote_ident(column_name), ', ')
      FROM information_schema.columns JOIN information_schema.tables
        USING (table_schema, table_name)
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
        AND table_name <> 'schema_migrations'
      GROUP BY table_name
      """)
    // References hold in the copy as they did in the original, in whichever order rows come.
    try session.execute("SET session_replication_role = 'replica'")
    for case (let table?, let columns?) in tables.values.map({ ($0[0], $0[1]) }) {
      try session.execute(
        """
        INSERT INTO \(table) (\(columns)) OVERRIDING SYSTEM VALUE
        SELECT \(columns) FROM \(other.quotedName).\(table)
        """)
    }
  }
}
