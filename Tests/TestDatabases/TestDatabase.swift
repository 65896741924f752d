import GRDB
public import PostgresTestServer
import VigilModel
import VigilPostgres
import VigilSQLite
public import VigilStorage

/// A database of a test: opens it as Vigil does, looks into it, and changes it as another program
/// could.
public enum TestDatabase: Sendable {
  case sqlite(path: String)
  /// Dropped with the last reference to it.
  case postgres(PostgresSchema)

  public var kind: DatabaseKind {
    switch self {
    case .sqlite: .sqlite
    case .postgres: .postgres
    }
  }

  /// Opens it with the driver of its kind; a missing file is created.
  public func open() throws -> any Storage {
    switch self {
    case .sqlite(let path): try SQLiteStorage(path: path, mode: .createIfMissing)
    case .postgres(let schema): try PostgresStorage(url: schema.url, schema: schema.name)
    }
  }

  /// Opens it with a login that is no more than a member of a role of Vigil, such as `vigil_backfill`; SQLite knows
  /// no logins.
  public func open(asMemberOf role: String) throws -> any Storage {
    guard case .postgres(let schema) = self else { return try open() }
    let login = "member_of_\(role)"
    try schema.session().execute(
      """
      DO $$ BEGIN
        CREATE ROLE \(login) LOGIN IN ROLE \(role);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END $$
      """)
    return try PostgresStorage(url: schema.url(as: login), schema: schema.name)
  }

  /// The variables that name the database to the command; none for SQLite, whose file is where the
  /// command looks by default.
  public var environment: [String: String] {
    switch self {
    case .sqlite: [:]
    case .postgres(let schema): ["VIGIL_DATABASE": schema.url, "VIGIL_SCHEMA": schema.name]
    }
  }

  /// The same as flags, which are given for SQLite as well.
  public var flags: [String] {
    switch self {
    case .sqlite: ["--database", "sqlite:vigil.sqlite"]
    case .postgres(let schema): ["--database", schema.url, "--schema", schema.name]
    }
  }

  /// Runs statements separated by semicolons.
  public func execute(_ sql: String) throws {
    switch self {
    case .sqlite(let path): try Self.file(path).write { try $0.execute(sql: sql) }
    case .postgres(let schema): try schema.withSession { try $0.execute(sql) }
    }
  }

  /// The same as a writer that minds no reference to `users`.
  public func executeWithoutReferences(_ sql: String) throws {
    switch self {
    case .sqlite(let path):
      try Self.file(path, mindsReferences: false).write { try $0.execute(sql: sql) }
    case .postgres(let schema):
      try schema.withSession { try $0.executeWithoutReferences(sql) }
    }
  }

  /// Another database of the same kind with the same rows.
  ///
  /// - Parameter folder: Where a kind that is a file puts it.
  public func copy(in folder: String) throws -> TestDatabase {
    switch self {
    case .sqlite(let path):
      let copy = "\(folder)/vigil.sqlite"
      try Self.file(path).backup(to: Self.file(copy))
      return .sqlite(path: copy)
    case .postgres(let schema):
      let copy = try PostgresSchema.migrated(on: schema.server)
      try copy.copyRows(of: schema)
      return .postgres(copy)
    }
  }

  /// A connection to a SQLite file that waits where another one, such as one that is being closed,
  /// holds it for a moment.
  static func file(_ path: String, mindsReferences: Bool = true) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    configuration.foreignKeysEnabled = mindsReferences
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
