/// Records of members in an app besides their actions on alerts.
///
/// The SQL is in `Statements/members.sql`.
public enum MemberStatement: String, StatementName {
  case listAlertReads
  case findRaisedAlert
  case listRaisedAlerts
  case findPing
  case listPings
  case findCall
  case findMessageUse
  case findInApp
  case listPersonsOfGroup
  case listEscalationChoices

  public static let files = StatementFiles([PackageResources.members_sql])
}
