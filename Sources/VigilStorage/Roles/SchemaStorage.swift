public import VigilModel

/// A database whose schema this version makes and checks.
public protocol SchemaStorage: Sendable {
  /// The name of the database in messages, such as `sqlite:vigil.sqlite`; never holds a password.
  var displayName: String { get }

  /// Applied and pending migrations, in order. Reads only.
  func migrations() throws -> [MigrationStatus]

  /// Applies the pending migrations, each in a transaction of its own, after a backup where the
  /// database is a file with contents.
  ///
  /// Refuses a database with applied migrations that this version does not know, or knows
  /// differently.
  func migrate(at now: Timestamp) throws -> MigrationOutcome

  /// Takes the newest `count` migrations back, newest first.
  func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome

  /// Counts the rows that are lost where the newest `count` migrations are taken back, by table; tables without one are
  /// left out.
  func rowsLost(byTakingBack count: Int) throws -> [TableRowCount]

  /// Throws `.schemaNotCurrent` unless exactly the migrations of this version are applied.
  func requireCurrentSchema() throws

  /// The findings of `vigil doctor` about a database. Does not throw for a finding.
  ///
  /// - Parameter isFull: Whether every page, index and reference is checked, which takes minutes for a
  ///   large database.
  func diagnose(fully isFull: Bool) -> [Finding]

  /// The findings about sessions that processes of Vigil have left on a server.
  func sessionFindings(at now: Timestamp) throws -> [Finding]
}

extension SchemaStorage {
  /// Empty, for a database that is no server.
  public func sessionFindings(at now: Timestamp) throws -> [Finding] { [] }

  public func diagnose() -> [Finding] { diagnose(fully: false) }
}
