/// Prompts: notifications that no night plans.
///
/// The SQL is in `Statements/prompts.sql`, `prompts.sqlite.sql` and `prompts.postgres.sql`.
public enum PromptStatement: String, StatementName {
  case listPromptMembers
  case insertPromptNotice
  case listRaisedAlertsToPlan
  case markRaisedAlertPlanned
  case listPingsToPlan
  case markPingPlanned
  case expirePings
  case listCheckInsDueSoon
  case markReminded

  public static func files(for dialect: SQLDialect) -> [String] {
    switch dialect {
    case .sqlite: [PackageResources.prompts_sql, PackageResources.prompts_sqlite_sql]
    case .postgres: [PackageResources.prompts_sql, PackageResources.prompts_postgres_sql]
    }
  }
}
