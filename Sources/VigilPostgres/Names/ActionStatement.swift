import VigilSQL

/// Calls of the functions by which members act.
///
/// The SQL is in `Statements/actions.sql`.
enum ActionStatement: String, StatementName {
  case actOnAlert
  case markAlertRead
  case checkIn
  case raiseAlert
  case resolveAlert
  case ping
  case respond
  case resolveEscalation
  case recordMessageDelivery
  case markInApp
  case chooseEscalation

  static let files = StatementFiles([PackageResources.actions_sql])
}
