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

  public static func files(for dialect: SQLDialect) -> [String] {
    switch dialect {
    case .sqlite: [PackageResources.retention_sql, PackageResources.retention_sqlite_sql]
    case .postgres: [PackageResources.retention_sql, PackageResources.retention_postgres_sql]
    }
  }
}
