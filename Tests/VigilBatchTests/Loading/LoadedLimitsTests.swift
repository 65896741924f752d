import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Runs over persons with a limit (specification, limits.md).
@Suite struct LoadedLimitsTests {
  private static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "person with a limit")
  private let caregiver = UUID(name: "caregiver")

  private func day(_ number: Int) -> Day { Self.first + number }

  /// A resting heart rate about 60, and from `begin` on the values that are given; NaN for none.
  private func add(_ values: [Double], from begin: Int, to database: BatchDatabase) throws {
    var random = SeededGenerator(seed: 3)
    var own: [Day: Double] = [:]
    for number in 0..<begin { own[day(number)] = 60 + Double.random(in: -2...2, using: &random) }
    for (index, value) in values.enumerated() where !value.isNaN { own[day(begin + index)] = value }
    try database.insert([.init(person: person, metric: "resting_hr", values: own)])
    try database.insert(
      [person, caregiver].map {
        FamilyMember(
          family: UUID(name: "family"), user: $0, role: .admin, inviteStatus: .accepted)
      })
  }

  private func run(
    _ database: BatchDatabase, _ days: ClosedRange<Int>, _ profile: String = "v3",
    kind: RunRecord.Kind = .run, mode: RunRecord.Mode = .live
  ) throws {
    try database.run(
      day(days.lowerBound)...day(days.upperBound), thresholds: BatchDatabase.thresholds(profile),
      kind: kind, mode: mode)
  }

  private func alerts(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter())
      .filter(\.series.pattern.isOfLimit)
      .sorted { $0.episode.activeSince < $1.episode.activeSince }
  }

  // MARK: One night

  @Test(arguments: DatabaseKind.withProfiles)
  func aValueBeyondALimitAlertsOnTheSameDay(kind: DatabaseKind, profile: String) throws {
    let database = try BatchDatabase(kind)
    // Three values of a person of whom nothing is known.
    try add([70, 71, 130], from: 0, to: database)
    try database.limit(.above, 120, severity: .critical, of: person, on: day(0)...day(30))
    try run(database, 1...1, profile)
    #expect(try alerts(database).isEmpty)
    try run(database, 2...2, profile)
    let alert = try #require(try alerts(database).first)
    #expect(alert.series.pattern == .aboveLimit && alert.severity == .critical)
    #expect(alert.episode.activeSince == day(2) && alert.episode.level == .day14)
    #expect(
      alert.episode.limit
        == LimitEvidence(openedOn: day(2), days: 1, value: 130, limit: 120, level: .day14))
    #expect(alert.startsEvent && alert.lastNotifiedLevel == .day14)
    let queue = try database.queue(.live)
    #expect(queue.count == 4, "two channels of both members")
    for row in queue {
      #expect(row.contains("critical_value_above") && row.contains("priority=critical"))
      #expect(!row.contains("130") && !row.contains("120") && !row.contains("Lee"))
    }
    let before = try database.dump()
    try run(database, 2...2, profile)
    try expectSame(try database.dump(), before)
  }

  @Test(arguments: DatabaseKind.allCases)
  func callsUponTheCaregiverBecauseOfACriticalValue(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try add([70, 130], from: 0, to: database)
    try database.limit(.above, 120, severity: .critical, of: person, on: day(0)...day(30))
    try run(database, 1...1)
    #expect(
      try database.database.rows("SELECT DISTINCT escalation_type FROM escalation_log")
        == ["critical_value"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func offKeepsTheLimitsOfThePerson(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try add([70, 130], from: 0, to: database)
    try database.limit(.above, 120, of: person, on: day(0)...day(30))
    try database.choose(.off, for: MetricType("resting_hr"), of: [person])
    try run(database, 1...1)
    #expect(try alerts(database).count == 1)
  }

  // MARK: Changes

  @Test(arguments: DatabaseKind.allCases)
  func lateValuesAndChangedLimitsTakeBackOrEndWhatTheyFound(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try add([70, 130, 131], from: 20, to: database)
    try database.limit(.above, 120, of: person, on: day(0)...day(60))
    try run(database, 21...21)
    try run(database, 22...22)
    #expect(try alerts(database).map(\.episode.duration) == [2])
    // The value of the first day was wrong: the alert begins a day later, and no one is notified anew.
    let queue = try database.queue(.live)
    try database.insert([.init(person: person, metric: "resting_hr", values: [day(21): 71])])
    try run(database, 22...22)
    let active = try alerts(database).filter(\.episode.isActive)
    #expect(active.map(\.episode.activeSince) == [day(22)])
    #expect(try alerts(database).first?.episode.resolution?.reason == .retracted)
    #expect(try database.queue(.live).count == queue.count)
    // The clinician ends the limit.
    try database.database.execute("UPDATE person_limits SET ends_on = '\(day(22))'")
    try run(database, 23...23)
    #expect(
      try alerts(database).last?.episode.resolution == .init(day: day(23), reason: .limitEnded))
    // A limit that is deleted was never there.
    try database.database.execute("DELETE FROM person_limits")
    try run(database, 24...24)
    #expect(try alerts(database).allSatisfy { $0.episode.resolution?.reason == .retracted })
  }

  @Test(arguments: DatabaseKind.allCases)
  func oneNotificationForOneThing(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    // A rise that is proven by evidence, and is beyond the limit from its second day on.
    let risen = [100.0] + Array(repeating: 125, count: 14)
    try add(risen, from: 120, to: database)
    try database.limit(.above, 120, of: person, on: day(0)...day(400))
    for night in 118...134 { try run(database, night...night) }
    let rows = try database.storage.alertStates(matching: AlertFilter())
    #expect(
      Set(rows.map(\.series.pattern)).isSuperset(of: [.rise, .aboveLimit]),
      "the change is found both ways")
    let sent = try database.queue(.live).filter { $0.contains("status=pending") }
    let rises = sent.filter { $0.contains("rise_vs_baseline") }
    let limits = sent.filter { $0.contains("critical_value_above") }
    #expect(rises.isEmpty)
    // Levels 7, on the first day, and 14.
    #expect(limits.count == 8, "two channels of both members")
    #expect(try database.queue(.live).contains { $0.contains("covered") })
  }

  // MARK: The same rows in every way

  @Test(arguments: DatabaseKind.allCases)
  func nightsLeaveWhatABackfillLeavesInAnyOrderOfImport(kind: DatabaseKind) throws {
    var found = 0
    for seed in 1...Repetitions.count(fast: 3, long: 40) {
      let (nightly, whole) = (try BatchDatabase(kind), try BatchDatabase(kind))
      var random = SeededGenerator(seed: seed)
      let persons = (0..<6).map { UUID(name: "person \($0)") }
      var series: [BatchDatabase.Series] = []
      for own in persons {
        var values: [Day: Double] = [:]
        var level = 60.0
        for number in 0..<90 {
          level += Double.random(in: -8...8, using: &random) + (60 - level) * 0.1
          if random.chance(0.75) { values[day(number)] = level.rounded() }
        }
        series.append(.init(person: own, metric: "resting_hr", values: values))
      }
      for own in persons.dropFirst() {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let (direction, value) = random.pick(
            [(CriticalLimit.Direction.above, 68.0), (.above, 75), (.below, 52), (.below, 47)])
          let begin = day(Int.random(in: -20...70, using: &random))
          let end = begin + Int.random(in: 0...60, using: &random)
          let days = Int.random(in: 1...4, using: &random)
          let severity = random.pick(Severity.allCases)
          for database in [nightly, whole] {
            try database.limit(
              direction, value, days: days, severity: severity, of: own, on: begin...end)
          }
        }
      }
      try nightly.insert(series)
      for one in series.shuffled(using: &random) { try whole.insert([one]) }
      for night in 40...89 { try run(nightly, night...night, mode: .shadow) }
      try run(whole, 40...89, kind: .backfill, mode: .shadow)
      try expectSame(try nightly.alertStates(), try whole.alertStates(), "seed \(seed)")
      try expectSame(try nightly.queue(), try whole.queue(), "seed \(seed)")
      found += try alerts(whole).count
      // One person at once, of a day that no night has evaluated.
      let before = try nightly.alertStates()
      for own in persons {
        _ = try nightly.evaluate(
          own, on: day(89), thresholds: try BatchDatabase.thresholds("v3"))
      }
      try expectSame(try nightly.alertStates(), before, "seed \(seed)")
    }
    #expect(found > 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func everybodyHasTheLimitsOfTheThresholds(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try add([70, 130], from: 0, to: database)
    var thresholds = try BatchDatabase.thresholds("v3")
    thresholds.criticalLimits = [
      CriticalLimit(metric: MetricType("resting_hr"), .above, 120, severity: .watch)
    ]
    try database.run(day(1)...day(1), thresholds: thresholds, kind: .run, mode: .live)
    #expect(try alerts(database).map(\.episode.level) == [.day3])
    try database.choose(.off, for: MetricType("resting_hr"), of: [person])
    try database.run(day(2)...day(2), thresholds: thresholds, kind: .run, mode: .live)
    #expect(try alerts(database).map(\.episode.resolution?.reason) == [.retracted])
  }

  @Test(arguments: DatabaseKind.allCases)
  func limitsThatCannotBeUsedAreListedAndLeftOut(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try add([70, 130], from: 0, to: database)
    // The column of such a metric does not exist; the limit has no effect.
    try database.limit(
      .above, 1, of: person, on: day(0)...day(9), metric: MetricType("blood_glucose"))
    try run(database, 1...1)
    #expect(try alerts(database).isEmpty)
    #expect(
      try database.database.rows("SELECT table_name, reason FROM quarantined_rows")
        == ["person_limits|unfollowed_metric"])
  }
}
