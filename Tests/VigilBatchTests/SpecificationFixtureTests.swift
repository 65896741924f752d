import Foundation
import GRDB
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilSQLite
import VigilStorage

/// The worked cases of the specification, through the database.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct SpecificationFixtureTests {
  private let person = UUID(name: "fixture person")

  private func database(
    _ metric: String, _ values: [String: Double], workouts: [Day] = []
  ) throws -> BatchDatabase {
    let database = try BatchDatabase()
    var byDay: [Day: Double] = [:]
    for (text, value) in values { byDay[try #require(Day(text))] = value }
    try database.insert(
      [.init(person: person, metric: metric, values: byDay)],
      workouts: [person: Set(workouts)])
    return database
  }

  @Test(arguments: SpecificationFixtures.days)
  func day(_ fixture: DayFixture) throws {
    let database = try database(fixture.metric, fixture.values)
    let thresholds = try BatchDatabase.thresholds(fixture.profile)
    let metric = try #require(thresholds.metrics.first { $0.metric.rawValue == fixture.metric })
    let days = (fixture.day - 100)...fixture.day
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    let observations = ObservationBuilder(block: block, metrics: [metric], thresholds: thresholds)
    try database.storage.makeReader().readMetrics(
      of: [person], days: days, metrics: [metric.metric], reportsWear: thresholds.detectsNonWear,
      into: observations)
    observations.finish()
    let found = DayEvaluator(metric, of: thresholds).evaluate(
      UnsafeBufferPointer(block.series(person: 0, metric: 0)), at: days.count - 1,
      firstDay: days.lowerBound)
    switch found.state {
    case .deviating: #expect(fixture.expected.state == "deviating")
    case .normal: #expect(fixture.expected.state == "normal")
    case .unknown(let reason): #expect(reason.rawValue == fixture.expected.reason)
    }
    #expect(found.isClean == fixture.expected.clean)
    #expect((found.figures?.baseline.count ?? 0) == fixture.expected.baseline_days)
    #expect(found.matchedRules.map(\.rawValue) == fixture.expected.matched)
  }

  /// As one backfill and as one nightly run a day.
  @Test(arguments: SpecificationFixtures.episodes, ["v1", "v2"])
  func episodes(_ fixture: EpisodeFixture, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let expected = try #require(fixture.expected[profile])
    for nightly in [false, true] {
      let database = try database(fixture.metric, fixture.values, workouts: fixture.workouts)
      let days = fixture.first...fixture.last
      if nightly {
        try database.runNightly(days, thresholds: thresholds, mode: .live)
      } else {
        try database.run(days, thresholds: thresholds, mode: .shadow)
      }
      let table = nightly ? "notification_queue" : "shadow_notification_queue"
      let (episodes, notifications) = try database.read { db in
        (
          try Row.fetchAll(db, sql: "SELECT * FROM pattern_alert_state ORDER BY active_since"),
          try String.fetchAll(
            db,
            sql: """
              SELECT payload ->> 'evaluated_end_date' || ' ' || (payload ->> 'active_since')
                || ' ' || (payload ->> 'level')
              FROM \(table) ORDER BY 1
              """)
        )
      }
      #expect(
        notifications == expected.notifications.map { "\($0.day) \($0.active_since) \($0.level)" })
      try #require(episodes.count == expected.episodes.count)
      for (row, expected) in zip(episodes, expected.episodes) {
        for (name, value) in expected {
          let column = name == "last_notified_level" && !nightly ? "shadow_notified_level" : name
          switch value {
          case .null: #expect(row[column] as DatabaseValue == .null, "\(column)")
          case .text(let text): #expect(row[column] as String? == text, "\(column)")
          case .number(let number):
            let found = try #require(row[column] as Double?, "\(column)")
            #expect(abs(found - number) <= 1e-8 * max(1, abs(number)), "\(column)")
          }
        }
      }
    }
  }
}
