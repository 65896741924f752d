import VigilAdherence
public import VigilDetection
public import VigilModel
import VigilStorage
public import VigilVitality

/// The days of input that nights need, with the late data and the alerts that they judge again.
public struct NeededInput: Sendable {
  private let profiles: [Thresholds]
  private let vitality: VitalitySettings

  /// - Parameters:
  ///   - profiles: The profile of the database, and those that are followed beside it.
  ///   - vitality: The settings of scores.
  public init(profiles: [Thresholds], vitality: VitalitySettings) {
    self.profiles = profiles
    self.vitality = vitality
  }

  /// The first day whose metrics and runs a night plays back, or judges an active alert by.
  ///
  /// - Parameters:
  ///   - night: The earliest night that may come.
  ///   - alert: The first day of the active alerts; nil where there is none.
  public func firstDay(for night: Day, activeSince alert: Day?) -> Day {
    profiles.map { firstDay(for: night, activeSince: alert, by: $0) }.min() ?? night
  }

  /// The same of doses: records of some weeks around a dose decide which one is its own, and those since a count of a
  /// medication's units use them up.
  public func firstDayOfDoses(for night: Day, activeSince alert: Day?) -> Day {
    let first = firstDay(for: night, activeSince: alert)
    let window = AdherenceWindow(day: first, evaluatedAt: (night + 1).midnight)
    return min(
      window.recordTimes.lowerBound.utcDay, night - MedicationSupply.longestDays - Self.dayAround)
  }

  /// The day of a count by its clock may begin a day earlier.
  private static let dayAround = 1

  private func firstDay(
    for night: Day, activeSince alert: Day?, by thresholds: Thresholds
  ) -> Day {
    let scope = RunScope(
      kind: .run, days: night...night, mode: .live, thresholds: thresholds,
      vitality: vitality)
    let first = scope.loadedDays.lowerBound
    guard let alert, alert < night else { return first }
    let course = RunScope(
      kind: .backfill, days: alert...night, mode: .shadow, parts: [.patterns],
      thresholds: thresholds, vitality: vitality)
    return min(first, course.loadedDays.lowerBound)
  }
}
