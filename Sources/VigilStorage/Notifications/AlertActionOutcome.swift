public import VigilModel

/// The result of an action.
public struct AlertActionOutcome: Hashable, Sendable {
  public var action: AlertAction
  /// The alert after the action.
  public var alert: PatternAlertState
  /// The other alerts of its event, for which the action holds too.
  public var otherAlerts = 0
  /// Rows of the queue that were cancelled or, after `restore`, wait again.
  public var notifications = 0
  /// Open escalations that were answered, or need no answer any more.
  public var escalations = 0

  public init(
    action: AlertAction, alert: PatternAlertState, otherAlerts: Int = 0, notifications: Int = 0,
    escalations: Int = 0
  ) {
    self.action = action
    self.alert = alert
    self.otherAlerts = otherAlerts
    self.notifications = notifications
    self.escalations = escalations
  }
}
