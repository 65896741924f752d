import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// The worked cases of the specification, through the database.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct SpecificationFixtureTests {
  private let person = UUID(name: "fixture person")

  private func database(
    _ kind: DatabaseKind, _ metric: String, _ values: [String: Double], workouts: [Day] = []
  ) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    var byDay: [Day: Double] = [:]
    for (text, value) in values { byDay[try #require(Day(text))] = value }
    try database.insert(
      [.init(person: person, metric: metric, values: byDay)],
      workouts: [person: Set(workouts)])
    return database
  }

  @Test(arguments: SpecificationFixtures.days, DatabaseKind.allCases)
  func day(_ fixture: DayFixture, kind: DatabaseKind) throws {
    let database = try database(kind, fixture.metric, fixture.values)
    let thresholds = try BatchDatabase.thresholds(fixture.profile)
    let metric = try #require(thresholds.metrics.first { $0.metric.rawValue == fixture.metric })
    let days = (fixture.day - 100)...fixture.day
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    let observations = ObservationBuilder(block: block, metrics: [metric], thresholds: thresholds)
    try database.storage.makeReader().readMetrics(
      of: [person], days: days, metrics: [metric.metric], reportsWear: thresholds.nonWear != nil,
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

  /// Days without the device, each case as a person of one database.
  @Test(arguments: DatabaseKind.allCases)
  func daysWithoutTheDevice(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let fixtures = WearFixture.all
    #expect(fixtures.count >= 43)
    let thresholds = try BatchDatabase.thresholds("v3")
    for fixture in fixtures {
      for source in Set(fixture.days.values.joined().map(\.source)) {
        var series: [String: [Day: Double]] = [:]
        for (text, rows) in fixture.days {
          let day = try #require(Day(text))
          for row in rows where row.source == source {
            for (column, value) in row.values { series[column, default: [:]][day] = value }
          }
        }
        try database.insert(
          series.map { .init(person: UUID(name: fixture.name), metric: $0, values: $1) },
          source: source)
      }
    }
    let first = try #require(fixtures.flatMap(\.days.keys).compactMap { Day($0) }.min())
    let reading = try ObservationReading(
      storage: database.storage, thresholds: thresholds, days: first...(first + 40),
      logger: Logger(label: "test"))
    var found: [UUID: [Day: Set<String>]] = [:]
    try reading.forEachBatch(of: nil) { block, persons in
      for (person, id) in persons.enumerated() {
        for (index, metric) in reading.metrics.enumerated() {
          let values = block.series(person: person, metric: index)
          for (offset, value) in values.enumerated() where !value.isNaN {
            found[id, default: [:]][first + offset, default: []].insert(metric.metric.rawValue)
          }
        }
      }
    }
    for fixture in fixtures {
      let found = found[UUID(name: fixture.name)] ?? [:]
      for (text, rows) in fixture.days {
        let day = try #require(Day(text))
        let usable = reading.metrics.filter { metric in
          rows.contains { row in
            row.values[metric.metric.rawValue].map { metric.plausible?.contains($0) ?? true }
              ?? false
          }
        }.map(\.metric.rawValue)
        let missing =
          fixture.expected.not_worn.contains(day)
          ? Set(usable) : Set(fixture.expected.part_worn[text] ?? [])
        #expect(found[day] ?? [] == Set(usable).subtracting(missing), "\(fixture.name), \(day)")
      }
    }
  }

  /// As one backfill, and on SQLite as one nightly run a day too; that both leave the same rows on
  /// every kind of database is for `ReplayTests` to say.
  @Test(arguments: SpecificationFixtures.episodes, DatabaseKind.allCases)
  func episodes(_ fixture: EpisodeFixture, kind: DatabaseKind) throws {
    let empty = try database(kind, fixture.metric, fixture.values, workouts: fixture.workouts)
    for profile in ["v1", "v2"] {
      for isNightly in kind == .sqlite ? [false, true] : [false] {
        try expectEpisodes(of: fixture, profile: profile, isNightly: isNightly, in: empty.copy())
      }
    }
  }

  private func expectEpisodes(
    of fixture: EpisodeFixture, profile: String, isNightly: Bool, in database: BatchDatabase
  ) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let expected = try #require(fixture.expected[profile])
    let days = fixture.first...fixture.last
    if isNightly {
      try database.runNightly(days, thresholds: thresholds, mode: .live)
    } else {
      try database.run(days, thresholds: thresholds, mode: .shadow)
    }
    let queue: DeliveryQueue = isNightly ? .live : .shadow
    let notifications = try database.database.rows(
      """
      SELECT payload ->> 'evaluated_end_date', payload ->> 'active_since', payload ->> 'level'
      FROM \(queue.rawValue) WHERE channel = 'push' ORDER BY 1, 2, 3
      """)
    let label = Comment(rawValue: "\(profile) \(isNightly ? "nightly" : "at once")")
    #expect(
      notifications == expected.notifications.map { "\($0.day)|\($0.active_since)|\($0.level)" },
      label)
    let (columns, rows) = try database.database.result(
      of: "SELECT * FROM pattern_alert_state ORDER BY active_since")
    try #require(rows.count == expected.episodes.count, label)
    for (values, expected) in zip(rows, expected.episodes) {
      let row = Dictionary(uniqueKeysWithValues: zip(columns, values))
      for (name, value) in expected {
        let column =
          switch name {
          case "last_notified_level" where !isNightly: "shadow_notified_level"
          case "deviation_percent": "deviation_fraction"
          default: name
          }
        let found = try #require(row[column])
        switch value {
        case .null: #expect(found == nil, "\(column) \(label)")
        case .text(let text): #expect(found == text, "\(column) \(label)")
        case .number(let number):
          let found = try #require(found.flatMap { Double($0) }, "\(column) \(label)")
          #expect(abs(found - number) <= 1e-8 * max(1, abs(number)), "\(column) \(label)")
        }
      }
    }
  }
}
