public import Foundation
public import VigilAdherence
public import VigilModel

/// What a batch says about the doses of its persons.
public struct AdherenceWrite: Sendable {
  /// The instant as of which doses are missed or pending.
  public var evaluatedAt: Timestamp
  /// New versions of schedules, and earlier ones that give way to them.
  public var versions: [StoredScheduleVersion]
  public var analytics: [DoseAnalytics]

  public init(
    evaluatedAt: Timestamp, versions: [StoredScheduleVersion] = [],
    analytics: [DoseAnalytics] = []
  ) {
    self.evaluatedAt = evaluatedAt
    self.versions = versions
    self.analytics = analytics
  }
}

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
