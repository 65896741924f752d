/// The alerts and insights that a member is shown of a family.
///
/// The SQL is in `Statements/families.sql`, `families.sqlite.sql` and `families.postgres.sql`.
public enum FamilyStatement: String, StatementName {
  case findMembership
  case listFamilyAlerts
  case listFamilyInsights

  public static func files(for dialect: SQLDialect) -> [String] {
    switch dialect {
    case .sqlite: [PackageResources.families_sql, PackageResources.families_sqlite_sql]
    case .postgres: [PackageResources.families_sql, PackageResources.families_postgres_sql]
    }
  }
}
