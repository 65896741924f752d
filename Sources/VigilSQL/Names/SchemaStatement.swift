/// The migrations that a database has.
///
/// The SQL is in `Statements/schema.sql`.
public enum SchemaStatement: String, StatementName {
  case listMigrations
  case findMigration
  case recordMigration
  case forgetMigration
  case countRows

  public static func files(for dialect: SQLDialect) -> [String] {
    [PackageResources.schema_sql]
  }
}
