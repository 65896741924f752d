import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilModel
import VigilStorage

/// Alerts about single medications under v3, through the engine and both databases.
@Suite struct MedicationRunTests {
  private static let sample = StoppedMedications(seed: 3)
  private static let evaluated =
    (StoppedMedications.start + 25)...(StoppedMedications.start + 95)

  private func day(_ number: Int) -> Day { StoppedMedications.start + number }

  private func alerts(
    in database: BatchDatabase, _ person: StoppedMedications.Person
  ) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(users: [person.id]))
      .filter { $0.series.medication != nil && $0.episode.resolution?.reason != .retracted }
      .sorted { $0.episode.activeSince < $1.episode.activeSince }
  }

  /// The alerts that stand: rows of nights may hold ones besides that late doses have taken back.
  private func standing(in database: BatchDatabase) throws -> [String] {
    try database.storage.alertStates(matching: AlertFilter())
      .filter { $0.episode.resolution?.reason != .retracted }
      .map { "\($0.id) \($0.series) \($0.episode)" }.sorted()
  }

  /// The levels of an alert that were planned, with the reason where one was not sent.
  private func planned(_ alert: PatternAlertState, in database: BatchDatabase) throws -> [String] {
    try database.database.rows(
      """
      SELECT level, coalesce(status_reason, 'sent') FROM shadow_notification_queue
      WHERE alert_state_id = '\(alert.id.lowercased)' AND channel = 'in_app' ORDER BY level
      """)
  }

  @Test(arguments: DatabaseKind.allCases)
  func onlyWhatTheSumHidesIsSent(kind: DatabaseKind) throws {
    let database = try Self.sample.database(kind)
    try database.run(Self.evaluated, thresholds: BatchDatabase.thresholds("v3"))

    let hidden = try alerts(in: database, .stopsOneOfSix)
    #expect(hidden.map(\.series.metric) == [.missedStreak])
    let streak = try #require(hidden.first)
    #expect(streak.series.medication == StoppedMedications.Person.stopsOneOfSix.medication(0))
    #expect(streak.episode.activeSince == day(60) && streak.episode.openedOn == day(62))
    #expect(streak.episode.isActive && streak.episode.level == .day21)
    #expect(streak.startsEvent && streak.severity == .critical)
    #expect(streak.episode.doses?.missed == 3 && streak.episode.doses?.recordedOn == nil)
    #expect(try planned(streak, in: database) == ["3|sent", "7|sent", "14|sent", "21|sent"])

    // The alert about all doses of the person says it: this one is shown, and not sent.
    let all = try #require(try alerts(in: database, .stopsAll).first)
    #expect(all.episode.activeSince == day(60))
    #expect(all.episode.resolution == .init(day: day(70), reason: .recovered))
    #expect(all.episode.level == .day7 && all.episode.duration == 10)
    #expect(try planned(all, in: database) == ["3|covered", "7|covered"])
    #expect(all.shadowNotifiedLevel == nil)
    // It is a part of the alert about all doses, and no other metric at the same time.
    #expect(
      try database.storage.trendInsights(
        matching: InsightFilter(
          users: [StoppedMedications.Person.stopsAll.id], days: Self.evaluated,
          includesSuppressed: true)
      ).allSatisfy { $0.rule != .concurrentEpisodes })

    #expect(try alerts(in: database, .isForgetful).isEmpty)
    // The fact is there all the same.
    let facts = try database.storage.trendInsights(
      matching: InsightFilter(
        users: [StoppedMedications.Person.isForgetful.id], days: Self.evaluated,
        includesSuppressed: true))
    #expect(facts.contains { $0.rule == .missedStreak })
  }

  @Test(arguments: DatabaseKind.allCases)
  func anOverdueInjectionIsAnAlertByItself(kind: DatabaseKind) throws {
    let database = try Self.sample.database(kind)
    try database.run(Self.evaluated, thresholds: BatchDatabase.thresholds("v3"))
    let found = try alerts(in: database, .hasInjections)
    #expect(found.map(\.series.metric) == [.missedDose, .missedDose])
    #expect(found.map(\.episode.activeSince) == [day(28), day(56)])
    #expect(
      found.map(\.episode.resolution) == [
        .init(day: day(56), reason: .superseded), .init(day: day(61), reason: .recovered),
      ])
    for alert in found {
      #expect(alert.severity == .watch && alert.episode.level == .day3)
      #expect(alert.episode.figures.recent.start == alert.episode.activeSince + 3)
      #expect(try planned(alert, in: database) == ["3|sent"])
    }
    // None is an observation of the person.
    #expect(
      try database.storage.alertStates(
        matching: AlertFilter(
          users: [StoppedMedications.Person.hasInjections.id], metric: .doseAdherence)
      ).isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func nightsABackfillAndItsPartsLeaveTheSame(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let whole = try Self.sample.database(kind)
    let (nightly, parts, shards) = (try whole.copy(), try whole.copy(), try whole.copy())
    try whole.run(Self.evaluated, thresholds: thresholds)
    let expected = try whole.dump()
    try nightly.runNightly(Self.evaluated, thresholds: thresholds)
    try expectSame(nightly.dump(), expected, "nights")
    var first = Self.evaluated.lowerBound
    for length in [12, 25, 3, 1, 60] where first <= Self.evaluated.upperBound {
      let last = min(first + length - 1, Self.evaluated.upperBound)
      try parts.run(first...last, thresholds: thresholds, workers: 2, batchSize: 1)
      first = last + 1
    }
    try expectSame(parts.dump(), expected, "parts")
    for index in 1...2 {
      let shard = try #require(RunShard(index, of: 2))
      try shards.run(Self.evaluated, thresholds: thresholds, shard: shard)
    }
    try expectSame(shards.dump(), expected, "shards")
    // A second run changes nothing.
    try whole.run(
      Self.evaluated.upperBound...Self.evaluated.upperBound, thresholds: thresholds, kind: .run)
    try expectSame(whole.dump(), expected, "again")
  }

  @Test func bothDatabasesHoldTheSame() throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let found = try DatabaseKind.allCases.map { kind in
      let database = try Self.sample.database(kind)
      try database.run(Self.evaluated, thresholds: thresholds)
      return try database.dump()
    }
    try expectSame(found[0], found[1])
  }

  /// Doses come late by up to nine days, or are withdrawn: nights leave what timely ones would have.
  @Test(arguments: DatabaseKind.allCases)
  func lateDosesChangeTheAlerts(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let whole = try Self.sample.database(kind)
    try whole.run(Self.evaluated, thresholds: thresholds)
    let expected = try standing(in: whole)
    for seed in 0..<Repetitions.count(fast: 1, long: 12) {
      var random = SeededGenerator(seed: seed)
      var arrivals: [StoppedMedications.Dose: Int] = [:]
      for dose in Self.sample.doses {
        let delay = random.chance(0.5) ? 0 : Int.random(in: 1...9, using: &random)
        arrivals[dose] = min(dose.day + dose.late + delay, 95)
      }
      let nightly = try Self.sample.database(kind) { dose in arrivals[dose] ?? 0 < 25 }
      var retracted = 0
      for night in 25...95 {
        try Self.sample.log(Self.sample.doses.filter { arrivals[$0] == night }, in: nightly)
        try nightly.run(day(night)...day(night), thresholds: thresholds, kind: .run)
      }
      retracted = try nightly.storage.alertStates(matching: AlertFilter()).count {
        $0.series.medication != nil && $0.episode.resolution?.reason == .retracted
      }
      #expect(retracted > 0, "seed \(seed)")
      try expectSame(standing(in: nightly), expected, "seed \(seed)")
    }
  }

  /// A call for one person finds the same as the night would, and the night confirms it.
  @Test(arguments: DatabaseKind.allCases)
  func onePersonIsEvaluatedAsByANight(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let person = StoppedMedications.Person.stopsOneOfSix.id
    let now = try Self.sample.database(kind)
    try now.run(day(25)...day(61), thresholds: thresholds)
    let night = try now.copy()
    try night.run(day(62)...day(62), thresholds: thresholds, kind: .run)
    let outcome = try now.evaluate(person, on: day(62), thresholds: thresholds)
    #expect(outcome.changed.map(\.series.metric) == [.missedStreak])
    #expect(try now.marks().count > 0)
    try now.run(day(62)...day(62), thresholds: thresholds, kind: .run)
    #expect(try now.marks().isEmpty)
    try expectSame(now.alertStates(), night.alertStates())
    // A dose that is logged then takes it back.
    try Self.sample.log(
      [.init(person: .stopsOneOfSix, medication: 0, day: 61)], in: now)
    try now.evaluate(person, on: day(62), thresholds: thresholds)
    #expect(try alerts(in: now, .stopsOneOfSix).isEmpty)
  }

  /// A stop goes on while the alert about all doses ends: the next level is sent.
  @Test(arguments: DatabaseKind.allCases)
  func theNextLevelIsSentAfterTheAlertAboutAllDoses(kind: DatabaseKind) throws {
    // All six are stopped for six days, one of them for good.
    let database = try Self.sample.database(kind) { dose in
      dose.person != .stopsOneOfSix || dose.day < 60 || dose.day >= 66
    }
    try database.runNightly(Self.evaluated, thresholds: BatchDatabase.thresholds("v3"))
    let person = StoppedMedications.Person.stopsOneOfSix
    let all = try #require(
      try database.storage.alertStates(
        matching: AlertFilter(users: [person.id], metric: .doseAdherence)
      ).first)
    let end = try #require(all.episode.resolution?.day)
    #expect(end > day(73) && end < day(80))
    let streaks = try alerts(in: database, person)
    #expect(streaks.count == 6)
    for streak in streaks where !streak.episode.isActive {
      #expect(try planned(streak, in: database) == ["3|covered"])
    }
    let rest = try #require(streaks.first { $0.episode.isActive })
    #expect(rest.series.medication == person.medication(0))
    let levels = try planned(rest, in: database)
    #expect(levels == ["3|covered", "7|covered", "14|covered", "21|sent"])
    #expect(rest.shadowNotifiedLevel == .day21)
  }

  /// A treatment that ends takes its alerts with it.
  @Test(arguments: DatabaseKind.allCases)
  func theEndOfATreatmentEndsTheAlert(kind: DatabaseKind) throws {
    let database = try Self.sample.database(kind)
    let medication = StoppedMedications.Person.stopsOneOfSix.medication(0)
    let injection = StoppedMedications.Person.hasInjections.medication(0)
    try database.database.execute(
      """
      UPDATE medications SET end_date = '\(day(75))' WHERE id = '\(medication.lowercased)'
      """)
    try database.database.execute(
      """
      UPDATE medications SET end_date = '\(day(40))' WHERE id = '\(injection.lowercased)'
      """)
    try database.run(Self.evaluated, thresholds: BatchDatabase.thresholds("v3"))
    #expect(
      try alerts(in: database, .stopsOneOfSix).map(\.episode.resolution)
        == [.init(day: day(76), reason: .noData)])
    #expect(
      try alerts(in: database, .hasInjections).map(\.episode.resolution)
        == [.init(day: day(41), reason: .noData)])
  }

  @Test func anotherProfileDecidesAsBefore() throws {
    let database = try Self.sample.database(.sqlite)
    try database.run(Self.evaluated, thresholds: BatchDatabase.thresholds("v2"))
    let found = try alerts(in: database, .isForgetful)
    #expect(!found.isEmpty && found.allSatisfy { $0.series.metric == .missedStreak })
    #expect(try alerts(in: database, .hasInjections).allSatisfy { $0.series.metric != .missedDose })
  }
}
