/// Everything that a person's metrics show at one time, with one notification (specification, evidence-person.md
/// section 6), in days since the first day of its block.
public struct DetectedEvent: Hashable, Sendable {
  /// One alert of an event.
  public struct Alert: Hashable, Sendable {
    /// The first day on which the alert was known.
    public var opened: Int
    /// The indexes of the metrics that the alert names: its own, or those that contributed.
    public var metrics: Set<Int>
    /// Whether members are notified of the alert itself, and not only of a level of its event.
    public var isNotified: Bool

    public init(opened: Int, metrics: Set<Int>, isNotified: Bool) {
      self.opened = opened
      self.metrics = metrics
      self.isNotified = isNotified
    }
  }

  /// The person's index in the block.
  public var person: Int
  /// In the order of their openings; the first one starts the event.
  public var alerts: [Alert]
  /// The day on which its last alert ended; nil while one is active.
  public var resolved: Int?
  /// The highest level of its alerts, in days: 3, 7, 14 or 21.
  public var level: Int
  /// The notifications that it caused.
  public var notifications: Int

  public init(
    person: Int, alerts: [Alert], resolved: Int?, level: Int, notifications: Int
  ) {
    self.person = person
    self.alerts = alerts
    self.resolved = resolved
    self.level = level
    self.notifications = notifications
  }

  /// The day on which the event started.
  public var opened: Int { alerts.first?.opened ?? 0 }
}
