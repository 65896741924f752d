import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Silence in a database (specification, silence.md): what is a sign of life, who is watched, and that all ways to
/// run leave the same rows.
@Suite struct SilenceTests {
  private static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "silent person")

  private func steps(_ person: UUID, _ days: some Sequence<Int>, _ value: Double = 8_000)
    -> BatchDatabase.Series
  {
    BatchDatabase.Series(
      person: person, metric: "steps",
      values: Dictionary(uniqueKeysWithValues: days.map { (Self.first + $0, value) }))
  }

  private func silences(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: .inactivity))
      .sorted { $0.episode.activeSince < $1.episode.activeSince }
  }

  private func run(
    _ database: BatchDatabase, _ day: Int, _ profile: String = "v3", mode: RunRecord.Mode = .shadow
  ) throws {
    let night = Self.first + day
    try database.run(
      night...night, thresholds: BatchDatabase.thresholds(profile), kind: .run, mode: mode)
  }

  /// Inserts a medication with doses, one an element.
  private func insertDoses(
    _ doses: [(day: Int, status: String)], of person: UUID, into database: BatchDatabase
  ) throws {
    try database.storage.importRows { writer in
      let now = BatchDatabase.now
      try writer.ensureUser(person, externalID: nil, now: now)
      let id = UUID(name: "medication of \(person.lowercased)")
      try writer.inserter(
        into: .medications, columns: ["id", "user_id", "name", "dosage", "form", "start_date"],
        now: now
      ).upsert([
        .uuid(id), .uuid(person), .text("-"), .text("-"), .text("pill"), .day(Self.first),
      ])
      let rows = try writer.inserter(
        into: .doseHistory,
        columns: [
          "id", "medication_id", "status", "scheduled_time", "actual_time", "recorded_timezone",
        ], now: now)
      for (day, status) in doses {
        // 23:30 in UTC is the next day in Madrid.
        let time = (Self.first + day - 1).midnight.adding(seconds: 84_600)
        try rows.upsert([
          .uuid(UUID(name: "dose \(day) \(status) \(person.lowercased)")), .uuid(id),
          .text(status), .timestamp(time), status == "taken" ? .timestamp(time) : .null,
          .text("Europe/Madrid"),
        ])
      }
    }
  }

  // MARK: Signs of life

  @Test(arguments: DatabaseKind.allCases)
  func moreSilentDaysThanUsualOpenAndTheFirstNewRowEnds(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try database.insert([steps(person, 0...99)])
    try run(database, 102)
    #expect(try silences(database).isEmpty)
    try run(database, 103)
    let alert = try #require(try silences(database).first)
    #expect(alert.series.pattern == .silence && alert.startsEvent && alert.severity == .watch)
    #expect(alert.episode.activeSince == Self.first + 100 && alert.episode.duration == 4)
    #expect(
      alert.episode.silence == .init(openedOn: Self.first + 103, threshold: 4, longestPause: 0))
    try run(database, 109)
    #expect(try silences(database).map(\.episode.level) == [.day3])
    try run(database, 110)
    let reminded = try silences(database)
    #expect(reminded.map(\.episode.level) == [.day7] && reminded.map(\.severity) == [.watch])
    #expect(try database.queue().count == 4, "two channels, two levels")
    let before = try database.dump()
    try run(database, 110)
    try expectSame(try database.dump(), before)
    try database.insert([steps(person, [111])])
    try run(database, 111)
    let ended = try #require(try silences(database).first).episode
    #expect(ended.resolution == .init(day: Self.first + 111, reason: .recovered))
    #expect(ended.duration == 11)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whoHasReadOrAnsweredTheAlertIsNotReminded(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try database.insert([steps(person, 0...99)])
    try run(database, 103)
    let alert = try #require(try silences(database).first)
    let answered = try database.copy()
    _ = try database.storage.markRead(alert.id, by: person, at: BatchDatabase.now)
    _ = try answered.storage.carryOut(
      AlertAction(.acknowledge, alert: alert.id, by: person, at: BatchDatabase.now))
    for seen in [database, answered] {
      try run(seen, 110)
      #expect(try silences(seen).map(\.episode.level) == [.day7])
      #expect(try seen.queue().count == 2, "the opening, on two channels")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func theSensitivityHalvesAndDoublesTheRate(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let persons = Dictionary(
      uniqueKeysWithValues: Sensitivity.allCases.map { ($0, UUID(name: "rate \($0)")) })
    // Thirty days without a pause; someone else shows that the feed works.
    try database.insert(persons.values.map { steps($0, 170...199) })
    try database.insert([steps(UUID(name: "other"), 0...230)])
    for (sensitivity, person) in persons where sensitivity != .normal {
      try database.choose(sensitivity, for: .inactivity, of: [person])
    }
    try run(database, 215)
    let opened = try silences(database).map { alert in
      (alert.series.user, alert.episode.silence?.threshold ?? 0)
    }
    let thresholds = Dictionary(uniqueKeysWithValues: opened)
    #expect(try thresholds[#require(persons[.higher])] == 4)
    #expect(try thresholds[#require(persons[.normal])] == 7)
    #expect(try thresholds[#require(persons[.lower])] == 12)
    #expect(thresholds.count == 3)
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func theDocumentedProfilesDoNotFollowIt(kind: DatabaseKind, profile: String) throws {
    let database = try BatchDatabase(kind)
    try database.insert([steps(person, 0...9)])
    try run(database, 20, profile)
    #expect(try silences(database).isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func onlyAUsableValueIsASignOfLife(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let persons = (0..<6).map { UUID(name: "sign \($0)") }
    try database.insert(persons.map { steps($0, 0...99) })
    let days = 100...105
    // Zeros of a device that is not worn, values that cannot be, and no value at all.
    try database.insert([steps(persons[0], days, 0), steps(persons[1], days, 1e7)])
    try database.insert([
      BatchDatabase.Series(
        person: persons[2], metric: "spo2_avg_pct",
        values: Dictionary(uniqueKeysWithValues: days.map { (Self.first + $0, 96) }))
    ])
    try insertDoses(days.map { ($0, "taken") }, of: persons[3], into: database)
    try insertDoses(days.map { ($0, "skipped") }, of: persons[4], into: database)
    try insertDoses(days.map { ($0, "missed") }, of: persons[5], into: database)
    try run(database, 105)
    #expect(
      Set(try silences(database).map(\.series.user)) == [persons[0], persons[1], persons[5]])
  }

  /// A day with a dose is known on that day, however late its other rows come.
  @Test(arguments: DatabaseKind.allCases)
  func rowsThatComeOnceAWeekAreAHabitWhereNoDoseWasLoggedMeanwhile(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let (weekly, dosed) = (UUID(name: "weekly"), UUID(name: "weekly, with doses"))
    for week in 0..<25 {
      let days = 7 * week...7 * week + 6
      try database.insert(
        [steps(weekly, days), steps(dosed, days)],
        at: (Self.first + 7 * week + 7).midnight.adding(seconds: 43_200))
    }
    try insertDoses((0..<25).map { (7 * $0 + 3, "taken") }, of: dosed, into: database)
    try run(database, 178)
    let first = try silences(database)
    #expect(first.map(\.series.user) == [dosed])
    #expect(first.map(\.episode.silence?.threshold) == [4])
    #expect(first.map(\.episode.silence?.longestPause) == [3])
    try run(database, 180)
    #expect(try silences(database).map(\.series.user) == [dosed])
    try run(database, 181)
    let second = try #require(try silences(database).first { $0.series.user == weekly })
    #expect(second.episode.silence?.threshold == 7 && second.episode.silence?.longestPause == 6)
  }

  // MARK: Who is watched

  @Test(arguments: DatabaseKind.allCases)
  func whoStoppedLongBeforeTheFirstNightIsNotWatched(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let (gone, leaving, other) = (UUID(name: "gone"), UUID(name: "leaving"), UUID(name: "other"))
    try database.insert([steps(gone, 0...60), steps(leaving, 0...400), steps(other, 0...425)])
    try run(database, 425)
    let alerts = try silences(database)
    #expect(alerts.map(\.series.user) == [leaving])
    #expect(alerts.first?.episode.activeSince == Self.first + 401)
    #expect(alerts.first?.episode.openedOn == Self.first + 404)
    #expect(alerts.first?.episode.level == .day7)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whoIsSilentForAMonthHasLeft(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let other = UUID(name: "other")
    try database.insert([steps(person, 0...99), steps(other, 0...620)])
    try run(database, 103)
    let copy = try database.copy()
    try run(database, 130)
    let left = Episode.Resolution(day: Self.first + 129, reason: .left)
    #expect(try silences(database).map(\.episode.resolution) == [left])
    try run(database, 140)
    #expect(try silences(database).count == 1)
    // Where no row is left in the loaded days, the alert ends on the first that is judged.
    try run(copy, 600)
    #expect(try silences(copy).map(\.episode.resolution?.reason) == [.left])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aTabletAWeekWithoutADeviceIsNoSilence(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try insertDoses(
      stride(from: 0, through: 170, by: 7).map { ($0, "taken") }, of: person, into: database)
    try database.insert([steps(UUID(name: "other"), 0...200)])
    try run(database, 190)
    #expect(try silences(database).isEmpty)
  }

  // MARK: Late data

  @Test(arguments: DatabaseKind.allCases)
  func aLateRowShortensAndRetracts(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try database.insert([steps(person, 0...99)])
    try run(database, 110)
    // Of the silence from day 100 on, day 102 arrives late: the first part was too short.
    try database.insert([steps(person, [102])])
    try run(database, 111)
    let alerts = try silences(database)
    #expect(alerts.map(\.episode.activeSince) == [Self.first + 100, Self.first + 103])
    #expect(alerts.map(\.episode.resolution?.reason) == [.retracted, nil])
    // The level that was notified of stays notified.
    #expect(alerts.map(\.shadowNotifiedLevel) == [.day7, .day7])
    let queued = try database.queue().count
    try database.insert([steps(person, 103...111)])
    try run(database, 111)
    #expect(try silences(database).allSatisfy { $0.episode.resolution?.reason == .retracted })
    #expect(try database.queue().count == queued)
  }

  @Test(arguments: DatabaseKind.allCases)
  func silenceIsAnEventOfItsOwn(kind: DatabaseKind) throws {
    let histories = try RandomHistories(seed: 5, persons: 20, days: 170)
    let last = histories.days.upperBound
    let full = try histories.database(kind)
    // All of them are silent at once, as with a broken feed.
    var thresholds = try BatchDatabase.thresholds("v3-strict")
    thresholds.inactivity?.feedLimit = nil
    try full.database.execute(
      "DELETE FROM wearable_daily_metrics WHERE CAST(metric_date AS text) > '\(last - 8)'")
    try full.run(
      (last - 10)...last, thresholds: thresholds, kind: .backfill)
    let alerts = try silences(full)
    #expect(alerts.count >= 15)
    #expect(alerts.allSatisfy { $0.startsEvent })
    let all = try full.storage.alertStates(matching: AlertFilter())
    let starts = Set(alerts.map(\.id))
    #expect(all.allSatisfy { $0.series.metric == .inactivity || !starts.contains($0.eventID) })
  }

  // MARK: All ways to run

  /// Persons with silences of 1 to 50 days, some with doses in them.
  private func randomDatabase(_ kind: DatabaseKind, seed: Int, persons: Int) throws
    -> BatchDatabase
  {
    let database = try BatchDatabase(kind)
    var random = SeededGenerator(seed: seed)
    var members: [FamilyMember] = []
    var series: [BatchDatabase.Series] = []
    for index in 0..<persons {
      let person = UUID(name: "random silence \(index)")
      var days: [Int] = []
      var doses: [(day: Int, status: String)] = []
      var day = Int.random(in: 0...120, using: &random)
      while day < 180 {
        let length = Int.random(in: 1...(random.chance(0.2) ? 50 : 6), using: &random)
        switch Int.random(in: 0...5, using: &random) {
        case 0...2: days += day..<(day + length)
        case 3:
          for dose in day..<(day + length) where random.chance(0.3) {
            doses.append((dose, random.pick(["taken", "skipped", "missed"])))
          }
        default: break
        }
        day += length
      }
      series.append(steps(person, days.filter { $0 < 180 }))
      if !doses.isEmpty { try insertDoses(doses, of: person, into: database) }
      members.append(
        FamilyMember(
          family: UUID(name: "family \(index / 2)"), user: person, role: .admin,
          inviteStatus: .accepted))
    }
    try database.insert(series)
    try database.insert(members)
    return database
  }

  @Test(arguments: DatabaseKind.allCases)
  func nightsBackfillsShardsAndInterruptedRunsLeaveTheSameRows(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let days = (Self.first + 150)...(Self.first + 179)
    for seed in 1...Repetitions.count(fast: 1, long: 40) {
      let fresh = try randomDatabase(kind, seed: seed, persons: kind == .sqlite ? 60 : 30)
      let whole = try fresh.copy()
      try whole.run(days, thresholds: thresholds)
      let expected = try whole.dump()
      try #require(try silences(whole).count > 8)
      let nightly = try fresh.copy()
      try nightly.runNightly(days, thresholds: thresholds)
      try expectSame(try nightly.dump(), expected, "nights, seed \(seed)")
      let shared = try fresh.copy()
      for index in 1...3 {
        try shared.run(
          days, thresholds: thresholds, batchSize: 4, shard: #require(RunShard(index, of: 3)))
      }
      try expectSame(try shared.dump(), expected, "shards, seed \(seed)")
      let interrupted = try fresh.copy()
      try interrupted.run(days, thresholds: thresholds, stoppingAfter: 2, batchSize: 5)
      try interrupted.run(days, thresholds: thresholds, batchSize: 5)
      try expectSame(try interrupted.dump(), expected, "interrupted, seed \(seed)")
      let record = try interrupted.run(days, thresholds: thresholds, batchSize: 5)
      #expect(record.counts.notificationsEnqueued == 0)
      try expectSame(try interrupted.dump(), expected, "again, seed \(seed)")
    }
  }
}
