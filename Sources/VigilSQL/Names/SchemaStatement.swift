/// The migrations that a database has.
///
/// The SQL is in `Statements/schema.sql`.
public enum SchemaStatement: String, StatementName {
  case listMigrations
  case findMigration
  case recordMigration
  case forgetMigration
  case countRows

  public static let files = StatementFiles([PackageResources.schema_sql])
}
