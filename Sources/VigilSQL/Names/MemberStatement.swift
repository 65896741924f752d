/// Records of members in an app besides their actions on alerts.
///
/// The SQL is in `Statements/members.sql`.
public enum MemberStatement: String, StatementName {
  case listAlertReads

  public static func files(for dialect: SQLDialect) -> [String] { [PackageResources.members_sql] }
}
