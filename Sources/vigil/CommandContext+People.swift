import Foundation
import VigilAdherence
import VigilBatch
import VigilCharts
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage

extension CommandContext {
  /// The rows of persons that charts show.
  ///
  /// - Throws: `CommandFailure` where the profile of the database is not at hand; `StorageError`.
  func people(
    _ persons: [UUID], on days: ClosedRange<Day>, alerts: [PatternAlertState],
    in storage: any Storage
  ) throws -> [UUID: PageContent.Person] {
    guard !persons.isEmpty else { return [:] }
    let observed = try personDays(
      of: persons, on: days.lowerBound - PageContent.earlierDays...days.upperBound, in: storage)
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
    var people: [UUID: PageContent.Person] = [:]
    for person in persons {
      let own = alerts.filter { $0.series.user == person && $0.episode.isActive }
      people[person] = PageContent.Person(
        days: observed[person] ?? PersonDays(days: days, series: [:]),
        scores: scores[person] ?? [], doses: doses[person] ?? [],
        notifications: try own.flatMap {
          try storage.notifications(matching: NotificationFilter(queue: .live, alert: $0.id))
        },
        insights: insights[person] ?? [])
    }
    return people
  }

  /// The days of persons as a run with the database's profile sees them.
  func personDays(
    of persons: [UUID], on days: ClosedRange<Day>, in storage: any Storage
  ) throws -> [UUID: PersonDays] {
    let profiles = try profiles(of: storage)
    return try PersonDaysReading(
      storage: storage, thresholds: profiles.thresholds.load(),
      vitality: profiles.vitality.requireVitality(), days: days, zones: zones, logger: logger
    ).read(persons)
  }

  /// By alert id, the usual value of a day give or take one personal spread; alerts that no evidence
  /// opened have none.
  func bands(
    of alerts: [PatternAlertState], in storage: any Storage
  ) throws -> [UUID: ClosedRange<Double>] {
    let thresholds = try profiles(of: storage).thresholds.load()
    var bands: [UUID: ClosedRange<Double>] = [:]
    for alert in alerts where alert.profile == thresholds.profile {
      guard let anchor = alert.episode.evidence?.anchor,
        let evidence = thresholds.metrics.first(where: { $0.metric == alert.series.metric })?
          .evidence
      else { continue }
      bands[alert.id] = evidence.usualRange(in: anchor)
    }
    return bands
  }

  private func profiles(of storage: any Storage) throws -> RunProfiles {
    try RunProfiles(settings, own: storage.databaseProfiles(), database: storage.displayName)
  }
}
