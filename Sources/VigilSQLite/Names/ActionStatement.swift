import VigilSQL

/// The steps of what members do.
///
/// The SQL is in `Statements/actions.sql`.
enum ActionStatement: String, StatementName {
  case insertAlertAction
  case acknowledgeAlert
  case snoozeAlert
  case dismissAlert
  case restoreAlert
  case cancelNotificationsOfAlert
  case listGroupsOfAlert
  case cancelGroup
  case restoreNotificationsOfAlert
  case acknowledgeEscalationsOfAlert
  case resolveEscalationsOfAlert
  case insertAlertRead
  case insertCheckIn
  case raiseAlert
  case resolveRaisedAlert
  case cancelNotificationsOfPrompt
  case expirePingsTo
  case insertPing
  case answerPing
  case resolveEscalation
  case cancelFurtherCalls
  case findMessage
  case recordMessageDelivery
  case findMessageDelivery
  case markInApp
  case chooseEscalation
  case resetEscalation

  static let files = StatementFiles([PackageResources.actions_sql])
}
