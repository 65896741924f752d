import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilAnalysis
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Check-ins (specification, silence.md sections 1 and 7): overdue ones are alerts, and each is a sign of life.
@Suite struct LoadedCheckInsTests {
  private static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "checking person")

  /// - Parameter hours: Hours after the first midnight in UTC.
  private func time(_ hours: Double) -> Timestamp {
    Self.first.midnight.adding(seconds: Int64(hours * 3600))
  }

  private func add(
    _ hours: [Double], of person: UUID, to database: BatchDatabase
  ) throws {
    try database.storage.importRows { writer in
      try writer.ensureUser(person, externalID: nil, now: BatchDatabase.now)
      let rows = try writer.inserter(
        into: .checkIns, columns: ["user_id", "checked_in_at", "kind"], now: BatchDatabase.now)
      for hour in hours {
        try rows.upsert([.uuid(person), .timestamp(time(hour)), .text("manual")])
      }
    }
  }

  private func plan(
    hours: Int, grace: Int = 0, from start: Double = 0, zone: String? = nil, of person: UUID,
    in database: BatchDatabase
  ) throws {
    try database.storage.importRows { writer in
      try writer.ensureUser(person, externalID: nil, now: BatchDatabase.now)
      try writer.inserter(
        into: .checkInPlans,
        columns: ["user_id", "interval_minutes", "grace_minutes", "starts_at"],
        now: BatchDatabase.now
      ).upsert([
        .uuid(person), .integer(Int64(hours * 60)), .integer(Int64(grace * 60)),
        .timestamp(time(start)),
      ])
      if let zone {
        try writer.inserter(
          into: .userProfiles, columns: ["user_id", "timezone"], now: BatchDatabase.now
        ).upsert([.uuid(person), .text(zone)])
      }
    }
  }

  private func run(_ database: BatchDatabase, _ day: Int, _ profile: String = "v3") throws {
    let night = Self.first + day
    try database.run(night...night, thresholds: BatchDatabase.thresholds(profile), kind: .run)
  }

  private func alerts(
    _ database: BatchDatabase, _ metric: MetricType = .checkInOverdue
  ) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: metric))
      .sorted { $0.episode.activeSince < $1.episode.activeSince }
  }

  @Test(arguments: DatabaseKind.allCases)
  func anOverdueCheckInIsAnAlertUntilTheNext(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try plan(hours: 24, grace: 2, of: person, in: database)
    try add([9, 33], of: person, to: database)
    // The deadline is on day 2 at 11:00.
    try run(database, 1)
    #expect(try alerts(database).isEmpty)
    try run(database, 2)
    let alert = try #require(try alerts(database).first)
    #expect(alert.series.pattern == .silence && alert.startsEvent)
    #expect(alert.episode.activeSince == Self.first + 2 && alert.episode.duration == 1)
    #expect(alert.episode.level == .day3)
    try run(database, 8)
    #expect(try alerts(database).map(\.episode.level) == [.day7])
    // Who has no device that could fall silent is not watched for silence.
    #expect(try alerts(database, .inactivity).isEmpty)
    let before = try database.dump()
    try run(database, 8)
    try expectSame(try database.dump(), before)
    try add([9 * 24 + 12], of: person, to: database)
    try run(database, 9)
    #expect(
      try alerts(database).map(\.episode.resolution)
        == [.init(day: Self.first + 9, reason: .recovered)])
  }

  @Test(arguments: DatabaseKind.allCases)
  func daysAreThoseOfThePersonsTimeZone(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let other = UUID(name: "person in UTC")
    // 23:30 in UTC on day 1 is day 2 in Madrid.
    try plan(hours: 24, zone: "Europe/Madrid", of: person, in: database)
    try plan(hours: 24, of: other, in: database)
    for person in [person, other] { try add([23.5], of: person, to: database) }
    try run(database, 3)
    let found = Dictionary(
      uniqueKeysWithValues: try alerts(database).map { ($0.series.user, $0.episode.activeSince) })
    #expect(found == [person: Self.first + 2, other: Self.first + 1])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aNightBeforeTheDeadlineSaysNothingYet(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    // The deadline is at 22:00 of day 2 in Los Angeles, 5:00 of day 3 in UTC; the night begins at 2:00.
    try plan(hours: 24, from: 50, zone: "America/Los_Angeles", of: person, in: database)
    try add([24 + 29], of: person, to: database)
    let thresholds = try BatchDatabase.thresholds("v3")
    try database.run(
      (Self.first + 2)...(Self.first + 2), thresholds: thresholds, kind: .run, at: time(3 * 24 + 2))
    #expect(try alerts(database).isEmpty)
    try database.run(
      (Self.first + 3)...(Self.first + 3), thresholds: thresholds, kind: .run, at: time(4 * 24 + 2))
    #expect(try alerts(database).map(\.episode.activeSince) == [Self.first + 2])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aPlanThatNoOneHasFollowedForLongGivesNoAlert(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try plan(hours: 24, of: person, in: database)
    try add([9], of: person, to: database)
    try run(database, 200)
    #expect(try alerts(database).isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func withoutAnyCheckInThePlanCountsFromItsStart(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try plan(hours: 72, from: 10 * 24, of: person, in: database)
    try run(database, 12)
    #expect(try alerts(database).isEmpty)
    try run(database, 13)
    #expect(try alerts(database).map(\.episode.activeSince) == [Self.first + 13])
    // Who has never given a sign of life is not watched for silence.
    #expect(try alerts(database, .inactivity).isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRemovedPlanTakesItsAlertBackAndV1HasNone(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try plan(hours: 24, of: person, in: database)
    try add([9], of: person, to: database)
    let other = try database.copy()
    try run(other, 5, "v1")
    #expect(try other.storage.alertStates(matching: AlertFilter()).isEmpty)
    try run(database, 5)
    #expect(try alerts(database).count == 1)
    try database.database.execute("DELETE FROM check_in_plans; DELETE FROM check_ins")
    try run(database, 6)
    #expect(try alerts(database).map(\.episode.resolution?.reason) == [.retracted])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aCheckInThatArrivesBetweenTwoProcessesOfARunIsSeen(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let thresholds = try BatchDatabase.thresholds("v3")
    let persons = (0..<12).map { UUID(name: "interrupted \($0)") }
    for person in persons {
      try plan(hours: 24, of: person, in: database)
      try add([9], of: person, to: database)
    }
    let night = Self.first + 5
    try database.run(
      night...night, thresholds: thresholds, stoppingAfter: 2, kind: .run, batchSize: 3)
    for person in persons { try add([5 * 24 + 3], of: person, to: database) }
    try database.run(night...night, thresholds: thresholds, kind: .run, batchSize: 3)
    #expect(try alerts(database).allSatisfy { !$0.episode.isActive })
  }

  @Test(arguments: DatabaseKind.allCases)
  func anExplanationSaysWhatTheNightDecided(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try plan(hours: 24, grace: 2, zone: "Europe/Madrid", of: person, in: database)
    try add([9, 33, 9 * 24 + 12], of: person, to: database)
    let thresholds = try BatchDatabase.thresholds("v3")
    let days = (Self.first + 1)...(Self.first + 12)
    try database.run(days, thresholds: thresholds)
    let alerts = try alerts(database)
    #expect(alerts.map { $0.episode.activeSince - Self.first } == [2, 10])
    let reading = ExplanationReading(
      in: database.storage, thresholds: thresholds, vitality: try BatchDatabase.vitality("v1"),
      zones: .system, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    for day in days {
      let input = try #require(
        try reading.readSilence(.checkInOverdue, of: person, on: day, from: days.lowerBound))
      let explanation = SilenceExplainer(input.series, of: thresholds).explain(
        input.days, stored: input.episodes, on: day, from: days.lowerBound)
      #expect(
        explanation.isActive == ((2...8).contains(day - Self.first) || day - Self.first >= 10),
        "\(day)")
      #expect(explanation.isSuspended == false)
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func nightsBackfillsAndShardsLeaveTheSameRows(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let days = (Self.first + 60)...(Self.first + 89)
    for seed in 1...Repetitions.count(fast: 2, long: 40) {
      var random = SeededGenerator(seed: seed)
      let fresh = try BatchDatabase(kind)
      for index in 0..<24 {
        let person = UUID(name: "random check-ins \(index)")
        var hours: [Double] = []
        var hour = Double.random(in: 0...2_000, using: &random)
        while hour < 90 * 24 {
          hours.append((hour * 60).rounded() / 60)
          hour += Double.random(in: 2...(random.chance(0.2) ? 400 : 40), using: &random)
        }
        try add(hours, of: person, to: fresh)
        guard random.chance(0.8) else { continue }
        try plan(
          hours: random.pick([6, 12, 24, 24, 72, 336]), grace: random.pick([0, 2, 30]),
          from: Double.random(in: 0...1_800, using: &random).rounded(),
          zone: random.pick([nil, "Europe/Madrid", "America/New_York", "Pacific/Auckland"]),
          of: person, in: fresh)
      }
      let whole = try fresh.copy()
      try whole.run(days, thresholds: thresholds)
      let expected = try whole.dump()
      try #require(try alerts(whole).count > 20)
      let nightly = try fresh.copy()
      try nightly.runNightly(days, thresholds: thresholds)
      try expectSame(try nightly.dump(), expected, "nights, seed \(seed)")
      let shared = try fresh.copy()
      for index in [2, 3, 1] {
        try shared.run(
          days, thresholds: thresholds, batchSize: 4, shard: #require(RunShard(index, of: 3)))
      }
      try expectSame(try shared.dump(), expected, "shards, seed \(seed)")
    }
  }
}
