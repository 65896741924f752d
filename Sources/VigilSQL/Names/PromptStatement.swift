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
  case listQuotasToWarnOf
  case markQuotaWarned

  public static let files = StatementFiles(
    [PackageResources.prompts_sql],
    sqlite: PackageResources.prompts_sqlite_sql,
    postgres: PackageResources.prompts_postgres_sql)
}
