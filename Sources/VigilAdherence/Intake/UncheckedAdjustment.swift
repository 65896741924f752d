public import VigilModel

/// A row of `schedule_adjustments` before it is checked.
public struct UncheckedAdjustment: Equatable, Sendable {
  public var event: UUID
  public var schedule: UUID
  public var strategy: String
  /// A JSON array of times, such as `["08:00","20:00"]`.
  public var newTimes: String?

  public init(event: UUID, schedule: UUID, strategy: String, newTimes: String?) {
    self.event = event
    self.schedule = schedule
    self.strategy = strategy
    self.newTimes = newTimes
  }

  /// The table that its rows come from.
  public static let table = "schedule_adjustments"
}

extension UncheckedAdjustment {
  /// Returns the adjustment.
  ///
  /// - Throws: The reason why the row cannot be used.
  func checked(_ lists: inout ListMemory) throws(UnusableRow.Reason) -> ScheduleAdjustment {
    guard let strategy = ScheduleAdjustment.Strategy(rawValue: strategy) else {
      throw .impossibleValue
    }
    guard let times = lists.times(newTimes ?? "[]") else { throw .impossibleTimes }
    return ScheduleAdjustment(
      event: event, schedule: schedule, strategy: strategy, newTimes: times)
  }
}
