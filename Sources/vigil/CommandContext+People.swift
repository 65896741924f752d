import Foundation
import ShippedThresholds
import VigilAdherence
import VigilBatch
import VigilCharts
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage
import VigilVitality

extension CommandContext {
  /// The rows of persons that charts show.
  ///
  /// - Throws: `CommandFailure` where the profile of the database is not at hand; `StorageError`.
  func people(
    _ persons: [UUID], in content: PageContent, by thresholds: Thresholds, from storage: any Storage
  ) throws -> [UUID: PageContent.Person] {
    guard !persons.isEmpty else { return [:] }
    let days = content.days
    let alerts = Dictionary(
      grouping: content.alerts.filter(\.episode.isActive), by: \.series.user)
    let run = content.run
    let observed = try PersonDaysReading(
      storage: storage, thresholds: thresholds,
      vitality: vitality(of: storage),
      days: days.lowerBound - PageContent.earlierDays...days.upperBound,
      evaluatedAt: run?.days.upperBound == days.upperBound ? run?.startedAt : nil,
      findsStandings: true, zones: zones, logger: logger
    ).read(persons)
    let scores = Dictionary(
      grouping: try storage.vitalityScores(
        of: persons, in: days.lowerBound - 6...days.upperBound), by: \.user)
    let doses = Dictionary(
      grouping: try storage.doseAnalytics(
        of: persons, period: .thirtyDays, endingOn: days.upperBound), by: \.analytics.user)
    let insights = Dictionary(
      grouping: try storage.trendInsights(
        matching: InsightFilter(users: persons, days: days.upperBound...days.upperBound)),
      by: \.user)
    let limits = try ExplanationReading.limits(of: persons, in: storage, logger: logger)
    var people: [UUID: PageContent.Person] = [:]
    for person in persons {
      let own = alerts[person] ?? []
      people[person] = PageContent.Person(
        days: observed[person]?.days ?? PersonDays(days: days, series: [:]),
        scores: scores[person] ?? [], doses: doses[person] ?? [],
        notifications: try own.flatMap {
          try storage.notifications(matching: NotificationFilter(queue: .live, alert: $0.id))
        },
        insights: insights[person] ?? [],
        standings: observed[person]?.standings ?? [:])
      people[person]?.limits = limits[person] ?? []
    }
    return people
  }

  /// The days of persons as a run with the database's profile sees them.
  func personDays(
    of persons: [UUID], on days: ClosedRange<Day>, in storage: any Storage
  ) throws -> [UUID: PersonDays] {
    try PersonDaysReading(
      storage: storage, thresholds: thresholds(of: storage), vitality: vitality(of: storage),
      days: days, zones: zones, logger: logger
    ).read(persons).mapValues(\.days)
  }

  /// The profile of the database.
  func thresholds(of storage: any Storage) throws -> Thresholds {
    try profiles(of: storage).thresholds.load()
  }

  /// The thresholds that found an alert: those of the database, or else a shipped file; nil where neither did.
  func thresholds(of alert: PatternAlertState, in storage: any Storage) throws -> Thresholds? {
    let own = try thresholds(of: storage)
    if own.profile == alert.profile { return own }
    let shipped = try? ThresholdsSource(alert.profile.version)?.load()
    return shipped?.profile == alert.profile ? shipped : nil
  }

  /// The absolute limits of the database's profile, where it is at hand, and of the shipped ones.
  func limits(in storage: any Storage) -> AlertLimits {
    let shipped = ShippedThresholds.names.compactMap { try? ThresholdsSource($0)?.load() }
    return AlertLimits([try? thresholds(of: storage)].compactMap(\.self) + shipped)
  }

  /// The settings of scores of the database.
  func vitality(of storage: any Storage) throws -> VitalitySettings {
    try profiles(of: storage).vitality.requireVitality()
  }

  private func profiles(of storage: any Storage) throws -> RunProfiles {
    try RunProfiles(settings, own: storage.databaseProfiles(), database: storage.displayName)
  }
}
