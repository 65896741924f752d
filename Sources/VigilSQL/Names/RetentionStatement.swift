/// Old rows, which go once they are in an archive.
///
/// The SQL is in `Statements/retention.sql`, `retention.sqlite.sql` and `retention.postgres.sql`.
public enum RetentionStatement: String, StatementName {
  case listStoredColumns
  case countOldRows
  case findOldest
  case removeOldRows
  case listOldRuns
  case listRowsByID
  case countRowsByID
  case removeRowsByID
  case listIDs
  case insertRow

  public static let files = StatementFiles(
    [PackageResources.retention_sql],
    sqlite: PackageResources.retention_sqlite_sql, postgres: PackageResources.retention_postgres_sql
  )
}
