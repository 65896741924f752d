/// The columns of a row of `timezone_events` that adherence needs.
public struct TimezoneEvent: Hashable, Sendable {
  public var id: UUID
  public var user: UUID
  public var previousZone: ZoneID
  public var newZone: ZoneID
  public var transitionTime: Timestamp
  public var isConfirmed: Bool

  public init(
    id: UUID, user: UUID, previousZone: ZoneID, newZone: ZoneID, transitionTime: Timestamp,
    isConfirmed: Bool
  ) {
    self.id = id
    self.user = user
    self.previousZone = previousZone
    self.newZone = newZone
    self.transitionTime = transitionTime
    self.isConfirmed = isConfirmed
  }
}

/// The columns of a row of `schedule_adjustments` that adherence needs.
public struct ScheduleAdjustment: Hashable, Sendable {
  public var event: UUID
  public var schedule: UUID
  public var strategy: Strategy
  /// The times of the strategy `custom`; empty where the column is.
  public var newTimes: [TimeOfDay]

  public init(event: UUID, schedule: UUID, strategy: Strategy, newTimes: [TimeOfDay] = []) {
    self.event = event
    self.schedule = schedule
    self.strategy = strategy
    self.newTimes = newTimes
  }

  /// Values of the column `strategy`.
  public enum Strategy: String, Sendable, Codable, CaseIterable {
    case keepLocalTime
    case keepAbsoluteTime
    case gradualShift
    case custom
  }
}
