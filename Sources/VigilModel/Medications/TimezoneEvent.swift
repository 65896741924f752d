public import Foundation

/// What adherence needs of one row of `timezone_events`.
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

/// What adherence needs of one row of `schedule_adjustments`.
public struct ScheduleAdjustment: Hashable, Sendable {
  public var event: UUID
  public var schedule: UUID
  public var strategy: Strategy
  /// Of `custom`; none where the column is empty.
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
