/// The alerts and insights that a member is shown of a family.
///
/// The SQL is in `Statements/families.sql`, `families.sqlite.sql` and `families.postgres.sql`.
public enum FamilyStatement: String, StatementName {
  case findMembership
  case listFamilyAlerts
  case listFamilyInsights

  public static let files = StatementFiles(
    [PackageResources.families_sql],
    sqlite: PackageResources.families_sqlite_sql, postgres: PackageResources.families_postgres_sql)
}
