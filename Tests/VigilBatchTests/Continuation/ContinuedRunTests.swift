import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Runs that were cut off: what they are continued with, and what not.
@Suite struct ContinuedRunTests {
  private static let length = 160
  private static let days = (RandomHistories.first + 145)...(RandomHistories.first + 159)

  private func histories(seed: Int, persons: Int) throws -> RandomHistories {
    try RandomHistories(seed: seed, persons: persons, days: Self.length)
  }

  /// Persons of the batches that are on record.
  private func done(in database: BatchDatabase) throws -> Set<UUID> {
    let persons = try database.storage.persons(withDataIn: Self.days)
    let batches = try database.checkpoints().map { $0.firstPerson...$0.lastPerson }
    return Set(persons.filter { person in batches.contains { $0.contains(person) } })
  }

  // MARK: What is believed

  @Test(arguments: DatabaseKind.allCases)
  func batchesThatAreDoneAreNotReadAgain(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try histories(seed: 1, persons: 12).database(kind)
    try database.run(Self.days, thresholds: thresholds, stoppingAfter: 4, batchSize: 2)
    let done = try done(in: database)
    #expect(done.count == 8)
    let counting = FlakyStorage(database.storage)
    try database.run(Self.days, thresholds: thresholds, batchSize: 1, through: counting)
    let read = Set(counting.history.attempts[.batch, default: [:]].keys)
    #expect(read == Set(try database.storage.persons(withDataIn: Self.days)).subtracting(done))
  }

  @Test(arguments: DatabaseKind.withProfiles)
  func dataThatComeInBetweenAreHonoured(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let histories = try histories(seed: 2, persons: 32)
    let fresh = try histories.database(kind)
    for seed in 1...Repetitions.count(fast: 1, long: 4) {
      let late = try LateRows(of: histories, on: Self.days, seed: seed)
      // Who was done before the rows came is where a later run would leave them, anybody else where
      // the first run does.
      let runAgain = try fresh.copy()
      try runAgain.run(Self.days, thresholds: thresholds)
      try late.insert(into: runAgain)
      try runAgain.run(Self.days, thresholds: thresholds)
      let inTime = try fresh.copy()
      try late.insert(into: inTime)
      try inTime.run(Self.days, thresholds: thresholds)

      let database = try fresh.copy()
      try database.run(Self.days, thresholds: thresholds, stoppingAfter: 5, batchSize: 3)
      let done = try done(in: database)
      #expect(!done.isDisjoint(with: late.persons) && !late.persons.isSubset(of: done))
      try late.insert(into: database)
      let counting = FlakyStorage(database.storage)
      try database.run(Self.days, thresholds: thresholds, batchSize: 1, through: counting)
      let read = counting.history.attempts[.batch, default: [:]].keys
      #expect(Set(read).isSuperset(of: late.persons))
      #expect(try read.count < Self.personCount(of: database), "nothing was believed")

      let expected = try Self.rows(of: done, from: runAgain, ofOthersFrom: inTime)
      try expectSame(database.dump().sorted(), expected, "seed \(seed)")
      #expect(try database.storage.runs(limit: 9).map(\.status) == [.succeeded])
    }
  }

  /// All rows about some persons from one database and about all others from another.
  private static func rows(
    of persons: Set<UUID>, from one: BatchDatabase, ofOthersFrom other: BatchDatabase
  ) throws -> [String] {
    func isOfPersons(_ row: String) -> Bool {
      let person = row.firstMatch(of: /(?: |member_)user_id=(\S+)/).flatMap {
        UUID(uuidString: String($0.output.1))
      }
      return person.map(persons.contains) ?? false
    }
    return try (one.dump().filter(isOfPersons) + other.dump().filter { !isOfPersons($0) }).sorted()
  }

  private static func personCount(of database: BatchDatabase) throws -> Int {
    try database.storage.persons(withDataIn: days).count
  }

  /// In between, the same persons were judged by other rules: what is on record of the first run is
  /// there no more.
  @Test(arguments: DatabaseKind.allCases)
  func rowsThatAnotherRunHasWrittenInBetweenAreWrittenAgain(kind: DatabaseKind) throws {
    let (v1, v2) = (try BatchDatabase.thresholds("v1"), try BatchDatabase.otherThresholds())
    let fresh = try histories(seed: 3, persons: 12).database(kind)
    let times = (0..<3).map { BatchDatabase.now.adding(seconds: $0 * 60) }
    let (whole, rest) = (try fresh.copy(), try fresh.copy())
    for (time, thresholds) in zip(times, [v1, v2, v1]) {
      let isSwitching = time > times[0]
      try whole.run(Self.days, thresholds: thresholds, switching: isSwitching, at: time)
      try rest.run(
        Self.days, thresholds: thresholds, persons: isSwitching ? nil : [],
        switching: isSwitching, at: time)
    }
    let database = try fresh.copy()
    try database.run(
      Self.days, thresholds: v1, stoppingAfter: 4, batchSize: 2, at: times[0])
    let done = try done(in: database)
    try database.run(Self.days, thresholds: v2, switching: true, at: times[1])
    try database.run(Self.days, thresholds: v1, switching: true, at: times[2])
    #expect(try database.storage.runs(limit: 9).count == 2)
    try expectSame(
      database.dump().sorted(), Self.rows(of: done, from: whole, ofOthersFrom: rest))
  }

  /// A person without data is evaluated for an episode, and no longer once a batch has ended that.
  @Test(arguments: DatabaseKind.allCases)
  func personWhoseEpisodeABatchHasEndedStillCounts(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    var histories = try RandomHistories(seed: 4, persons: 12, days: 260)
    // Of some, the data end amid a deviation, long before the day.
    let (eve, last) = (RandomHistories.first + 69, histories.days.upperBound)
    for person in histories.persons.indices where person % 2 == 0 {
      for metric in histories.metrics.indices {
        histories.removeValues(ofPerson: person, metric: metric, on: (eve + 1)...last)
      }
    }
    let database = try histories.database(kind)
    try database.run(eve...eve, thresholds: thresholds, kind: .run)
    let undisturbed = try database.copy()
    let expected = try undisturbed.run(last...last, thresholds: thresholds, kind: .run)
    try database.run(
      last...last, thresholds: thresholds, stoppingAfter: 4, kind: .run, batchSize: 2)
    let continued = try database.run(last...last, thresholds: thresholds, kind: .run)
    #expect(expected.counts.episodesResolved > 3)
    #expect(continued.counts == expected.counts)
    try expectSame(database.dump(), undisturbed.dump())
  }

  // MARK: What is not continued

  @Test(arguments: DatabaseKind.allCases)
  func otherWorkIsNotContinued(kind: DatabaseKind) throws {
    let (v1, v2) = (try BatchDatabase.thresholds("v1"), try BatchDatabase.otherThresholds())
    let database = try histories(seed: 5, persons: 9).database(kind)
    let cutOff = try database.run(Self.days, thresholds: v1, stoppingAfter: 2, batchSize: 2)
    let some = Set(try database.storage.persons(withDataIn: Self.days).prefix(4))
    let later = Self.days.lowerBound...(Self.days.upperBound - 1)
    var ids: Set<UUID> = [cutOff.id]
    var time = BatchDatabase.now
    func expectNewRun(
      _ days: ClosedRange<Day> = Self.days, _ thresholds: Thresholds? = nil,
      mode: RunRecord.Mode = .shadow, persons: Set<UUID>? = nil, shard: RunShard = .whole,
      continuing: Bool = true, switching: Bool = false,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      time = time.adding(seconds: 60)
      let run = try database.run(
        days, thresholds: thresholds ?? v1, mode: mode, persons: persons, shard: shard,
        continuing: continuing, switching: switching, at: time)
      #expect(ids.insert(run.id).inserted, sourceLocation: sourceLocation)
    }
    try expectNewRun(Self.days, v2, switching: true)
    try expectNewRun(later, switching: true)
    try expectNewRun(persons: some)
    try expectNewRun(mode: .live)
    try expectNewRun(shard: #require(RunShard(1, of: 2)))
    try expectNewRun(continuing: false)
    // The newest of them is through.
    try expectNewRun()
  }

  @Test(arguments: DatabaseKind.allCases)
  func sameWorkWithOtherWorkersAndBatchesIsContinued(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try histories(seed: 5, persons: 9).database(kind)
    let some = Set(try database.storage.persons(withDataIn: Self.days).prefix(6))
    let full = FlakyStorage(database.storage, limits: .init(writes: 2))
    #expect(throws: StorageError.self) {
      try database.run(
        Self.days, thresholds: thresholds, batchSize: 1, persons: some, through: full)
    }
    let cutOff = try #require(try database.storage.runs(limit: 1).first)
    #expect(cutOff.status == .failed)
    let continued = try database.run(
      Self.days, thresholds: thresholds, workers: 2, batchSize: 4, persons: some)
    #expect(continued.id == cutOff.id)
    #expect(continued.counts.persons == 6)
  }

  // MARK: Live

  /// Late data may take an alert down while its notification is held.
  @Test(arguments: DatabaseKind.allCases)
  func releasedIsWhatTheNewestDataSay(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let histories = try histories(seed: 6, persons: 40)
    let fresh = try histories.database(kind)
    let last = Self.days.upperBound
    // The last days again, as they were a week before.
    let late = histories.copyingWeek(before: last, days: 3)
    let inTime = try fresh.copy()
    try inTime.insert(late, at: BatchDatabase.now.adding(seconds: 60))
    try inTime.run(last...last, thresholds: thresholds, kind: .run, mode: .live)

    let database = try fresh.copy()
    let held = try database.run(
      last...last, thresholds: thresholds, kind: .run, mode: .live, rateLimit: .count(0))
    #expect(held.counts.notificationsHeld > 20)
    try database.insert(late, at: BatchDatabase.now.adding(seconds: 60))
    let released = try database.run(last...last, thresholds: thresholds, kind: .run, mode: .live)
    #expect(released.id == held.id)
    #expect(released.counts.notificationsEnqueued > 0)

    let tooHigh = """
      FROM held_notifications AS held
        JOIN pattern_alert_state AS alert ON alert.id = held.alert_state_id
      WHERE held.level > alert.current_level
      """
    #expect(try database.database.rows("SELECT count(*) \(tooHigh)") != ["0"])
    #expect(
      try database.database.rows("SELECT count(*) \(tooHigh) AND held.outcome = 'released'")
        == ["0"])
    // Notifications of both runs are equal.
    let keys = Set(try inTime.database.rows("SELECT dedupe_key FROM notification_queue"))
    func notifications(_ database: BatchDatabase) throws -> [String] {
      try database.database.rows("SELECT dedupe_key, payload FROM notification_queue ORDER BY 1")
        .filter { row in keys.contains(String(row.prefix { $0 != "|" })) }
    }
    #expect(!keys.isEmpty)
    try expectSame(notifications(database), notifications(inTime))
  }
}

extension RandomHistories {
  /// The values of `count` days up to `last`, replaced by those a week before.
  fileprivate func copyingWeek(before last: Day, days count: Int) -> [BatchDatabase.Series] {
    persons.indices.flatMap { person in
      metrics.indices.map { metric in
        var values: [Day: Double] = [:]
        for day in (last - (count - 1))...last {
          values[day] = series[person][metric][day - 7]
        }
        return BatchDatabase.Series(
          person: persons[person], metric: metrics[metric], values: values)
      }
    }
  }
}

/// Rows that arrive after a run has begun: corrections, days that were missing, workouts, and a new
/// person.
private struct LateRows {
  private(set) var persons: Set<UUID> = []
  private var series: [BatchDatabase.Series] = []
  private var workouts: [UUID: Set<Day>] = [:]

  init(of histories: RandomHistories, on days: ClosedRange<Day>, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    for (index, person) in histories.persons.enumerated() where random.chance(0.25) {
      persons.insert(person)
      let restDays = Set(days).subtracting(histories.workouts[index]).sorted()
      if random.chance(0.2), !restDays.isEmpty {
        workouts[person] = [random.pick(restDays)]
        continue
      }
      let metric = Int.random(in: histories.metrics.indices, using: &random)
      let known = histories.series[index][metric].values.max() ?? 50
      var values: [Day: Double] = [:]
      for day in days where day == days.upperBound || random.chance(0.3) {
        values[day] = (known * random.pick([0.5, 0.8, 1])).rounded()
      }
      series.append(.init(person: person, metric: histories.metrics[metric], values: values))
    }
    let newcomer = UUID(name: "newcomer \(seed)")
    persons.insert(newcomer)
    let history = RandomSeries(seed: seed, days: Day.distance(histories.days))
    series.append(
      .init(
        person: newcomer, metric: histories.metrics[0],
        values: history.byDay(from: histories.days.lowerBound)))
  }

  func insert(into database: BatchDatabase) throws {
    try database.insert(
      series, workouts: workouts, at: BatchDatabase.now.adding(seconds: 3600))
  }
}

extension Day {
  fileprivate static func distance(_ days: ClosedRange<Day>) -> Int {
    days.upperBound - days.lowerBound + 1
  }
}

extension BatchDatabase {
  /// Rules with another digest than those of `thresholds`.
  fileprivate static func otherThresholds() throws -> Thresholds {
    try thresholds("v2", digest: String(repeating: "1", count: 64))
  }
}
