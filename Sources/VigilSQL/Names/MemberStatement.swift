/// Records of members in an app besides their actions on alerts.
///
/// The SQL is in `Statements/members.sql`.
public enum MemberStatement: String, StatementName {
  case listAlertReads

  public static let files = StatementFiles([PackageResources.members_sql])
}
