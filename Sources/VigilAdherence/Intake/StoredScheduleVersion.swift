public import VigilModel

/// One row of `schedule_versions`.
public struct StoredScheduleVersion: Hashable, Sendable {
  public var schedule: UUID
  /// The first day that expects what the row says; `always` for the first version.
  public var validFrom: Day
  /// The schedule as `ScheduleJSON` writes it.
  public var row: String

  public init(schedule: UUID, validFrom: Day, row: String) {
    self.schedule = schedule
    self.validFrom = validFrom
    self.row = row
  }

  /// The day from which a first version is valid: before all others.
  public static let always = Day.calendar.lowerBound
}
