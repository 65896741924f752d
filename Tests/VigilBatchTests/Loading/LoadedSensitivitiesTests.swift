import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Runs over persons with a sensitivity of their own (specification, sensitivity.md).
@Suite struct LoadedSensitivitiesTests {
  private static let first = Day(ordinal: 20_000)
  private static let days = (first + 120)...(first + 139)
  private let steps = MetricType("steps")

  private func choose(
    _ sensitivity: Sensitivity, for metric: MetricType, of persons: [UUID],
    in database: BatchDatabase
  ) throws {
    try database.choose(sensitivity, for: metric, of: persons)
  }

  /// A person whose steps fall from day 125 on.
  private func addFalling(_ persons: [UUID], to database: BatchDatabase) throws {
    var random = SeededGenerator(seed: 7)
    try database.insert(
      persons.map { person in
        var values: [Day: Double] = [:]
        for day in 0..<140 {
          values[Self.first + day] =
            (day < 125 ? 9_000 : 3_500) + Double.random(in: -400...400, using: &random).rounded()
        }
        return .init(person: person, metric: "steps", values: values)
      })
  }

  private func alerts(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: steps))
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v3"])
  func offTakesBackWhatGoesOn(kind: DatabaseKind, profile: String) throws {
    let database = try BatchDatabase(kind)
    let thresholds = try BatchDatabase.thresholds(profile)
    let (calm, other) = (UUID(name: "calm"), UUID(name: "other"))
    try addFalling([calm, other], to: database)
    let night = Self.first + 132
    try database.run(night...night, thresholds: thresholds, kind: .run, mode: .live)
    #expect(try alerts(database).count { $0.episode.isActive } == 2)
    let notified = try database.enqueued()
    #expect(!notified.isEmpty)
    try choose(.off, for: steps, of: [calm], in: database)
    try database.run(
      (night + 1)...(night + 1), thresholds: thresholds, kind: .run, mode: .live)
    let resolutions = Dictionary(
      uniqueKeysWithValues: try alerts(database).map {
        ($0.series.user, $0.episode.resolution?.reason)
      })
    #expect(resolutions == [calm: .retracted, other: nil])
    // No one is notified of the end; what has not been sent, the sender cancels.
    #expect(try database.enqueued() == notified)
    // Where it is on again, the alert comes back as another run of the same data would have found it.
    try choose(.normal, for: steps, of: [calm], in: database)
    try database.run(
      (night + 2)...(night + 2), thresholds: thresholds, kind: .run, mode: .live)
    #expect(try alerts(database).count { $0.episode.isActive } == 2)
  }

  @Test(arguments: DatabaseKind.allCases)
  func silenceIsOffToo(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let thresholds = try BatchDatabase.thresholds("v3")
    let (silent, away) = (UUID(name: "silent"), UUID(name: "away"))
    try addFalling([silent, away], to: database)
    try choose(.off, for: .inactivity, of: [away], in: database)
    let night = Self.first + 145
    try database.run(night...night, thresholds: thresholds, kind: .run)
    let found = try database.storage.alertStates(matching: AlertFilter(metric: .inactivity))
    #expect(found.map(\.series.user) == [silent])
    try choose(.off, for: .inactivity, of: [silent], in: database)
    try database.run((night + 1)...(night + 1), thresholds: thresholds, kind: .run)
    #expect(
      try database.storage.alertStates(matching: AlertFilter(metric: .inactivity))
        .map(\.episode.resolution?.reason) == [.retracted])
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v3"])
  func nightsAndABackfillLeaveTheSameRows(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    for seed in 1...Repetitions.count(fast: 1, long: 2) {
      let histories = try RandomHistories(seed: seed, persons: 16, days: 140)
      let fresh = try histories.database(kind)
      let plain = try fresh.copy()
      var random = SeededGenerator(seed: seed)
      let days = RandomHistories.first + 120...RandomHistories.first + 139
      for person in try fresh.storage.persons(withDataIn: days) {
        for metric in thresholds.metrics.map(\.metric) + [.combined] where random.chance(0.3) {
          try choose(
            random.pick(Sensitivity.allCases), for: metric, of: [person], in: fresh)
        }
      }
      let nights = try fresh.copy()
      try nights.runNightly(days, thresholds: thresholds)
      try fresh.run(days, thresholds: thresholds, workers: 2, batchSize: 3)
      try expectSame(try nights.alertStates(), try fresh.alertStates())
      try plain.run(days, thresholds: thresholds)
      #expect(try plain.alertStates() != fresh.alertStates())
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func aChoiceBetweenTwoProcessesOfARunIsSeen(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let thresholds = try BatchDatabase.thresholds("v1")
    let persons = (0..<12).map { UUID(name: "interrupted \($0)") }
    try addFalling(persons, to: database)
    let night = Self.first + 132
    try database.run(
      night...night, thresholds: thresholds, stoppingAfter: 2, kind: .run, batchSize: 3)
    #expect(try !alerts(database).isEmpty)
    try choose(.off, for: steps, of: persons, in: database)
    try database.run(night...night, thresholds: thresholds, kind: .run, batchSize: 3)
    #expect(try alerts(database).allSatisfy { !$0.episode.isActive })
  }
}
