public import VigilModel

/// The result of an action on an alert about a medication.
public struct MedicationAlertActionOutcome: Hashable, Sendable {
  public var action: AlertAction
  /// The alert after the action.
  public var alert: MedicationAlert
  /// Rows of the queue that were cancelled or, after `restore`, wait again.
  public var notifications = 0
  /// Open escalations that were answered, or need no answer any more.
  public var escalations = 0

  public init(
    action: AlertAction, alert: MedicationAlert, notifications: Int = 0, escalations: Int = 0
  ) {
    self.action = action
    self.alert = alert
    self.notifications = notifications
    self.escalations = escalations
  }
}
