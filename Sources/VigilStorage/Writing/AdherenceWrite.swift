public import Foundation
public import VigilAdherence
public import VigilModel

/// The results of a batch about the doses of its persons.
public struct AdherenceWrite: Sendable {
  /// The instant as of which doses are missed or pending.
  public var evaluatedAt: Timestamp
  /// New versions of schedules, and earlier ones that they replace.
  public var versions: [StoredScheduleVersion]
  public var analytics: [DoseAnalytics]
  /// By person: the last day that had been evaluated before.
  ///
  /// Later days should have no stored row, and persons without such a day none at all; a write must
  /// not depend on it.
  public var lastEvaluatedDays: [UUID: Day]
  /// The evaluated periods: stored rows of these that are not among `analytics` are removed.
  public private(set) var evaluations: [Evaluation] = []

  /// Periods of some kinds and persons that end on some days.
  public struct Evaluation: Hashable, Sendable {
    public var persons: [UUID]
    public var kinds: Set<AdherencePeriod.Kind>
    public var ends: ClosedRange<Day>
  }

  public init(
    evaluatedAt: Timestamp, versions: [StoredScheduleVersion] = [],
    analytics: [DoseAnalytics] = [], lastEvaluatedDays: [UUID: Day] = [:]
  ) {
    self.evaluatedAt = evaluatedAt
    self.versions = versions
    self.analytics = analytics
    self.lastEvaluatedDays = lastEvaluatedDays
  }

  /// Whether a row should be stored for the first time.
  ///
  /// A month is written on each day on which it is the last complete one, so that a month that
  /// ended before may be there already.
  public func isNew(_ analytics: DoseAnalytics) -> Bool {
    guard let last = lastEvaluatedDays[analytics.user] else { return true }
    return analytics.period.kind != .calendarMonth && analytics.period.days.upperBound > last
  }

  /// Records that the doses of `persons` were evaluated on `days`, and their months too: those
  /// complete by the first of `days` as well as by the others.
  ///
  /// - Parameters:
  ///   - days: The evaluated days.
  ///   - month: The first day on which such a month ends, where that is before `days`.
  ///   - persons: The evaluated persons.
  public mutating func evaluated(
    _ days: ClosedRange<Day>, monthsFrom month: Day, of persons: [UUID]
  ) {
    guard !persons.isEmpty else { return }
    let kinds = Set(AdherencePeriod.Kind.allCases).subtracting([.calendarMonth])
    evaluations += [
      Evaluation(persons: persons, kinds: kinds, ends: days),
      Evaluation(
        persons: persons, kinds: [.calendarMonth],
        ends: min(month, days.lowerBound)...days.upperBound),
    ]
  }
}
