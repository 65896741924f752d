public import Foundation
public import VigilAdherence
public import VigilModel

/// What a batch says about the doses of its persons.
public struct AdherenceWrite: Sendable {
  /// Everybody of the batch.
  public var persons: [UUID]
  /// The evaluated days: their insights about missed doses are these and no others.
  public var days: ClosedRange<Day>
  /// By person: the first of the days before `days` that are evaluated again, for whom there are any.
  public var firstCorrectedDays: [UUID: Day] = [:]
  /// The instant as of which doses are missed or pending.
  public var evaluatedAt: Timestamp
  /// New versions of schedules, and earlier ones that give way to them.
  public var versions: [StoredScheduleVersion]
  public var analytics: [DoseAnalytics]
  public var insights: [TrendInsight]
  /// Alert states that were retracted; insights about them are retracted too.
  public var retractedStates: [UUID]

  public init(
    persons: [UUID], days: ClosedRange<Day>, evaluatedAt: Timestamp,
    versions: [StoredScheduleVersion] = [], analytics: [DoseAnalytics] = [],
    insights: [TrendInsight] = [], retractedStates: [UUID] = []
  ) {
    self.persons = persons
    self.days = days
    self.evaluatedAt = evaluatedAt
    self.versions = versions
    self.analytics = analytics
    self.insights = insights
    self.retractedStates = retractedStates
  }
}

extension AdherenceWrite {
  /// The days of which the insights of a person are these and no others.
  public func days(of person: UUID) -> ClosedRange<Day> {
    min(firstCorrectedDays[person] ?? days.lowerBound, days.lowerBound)...days.upperBound
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
