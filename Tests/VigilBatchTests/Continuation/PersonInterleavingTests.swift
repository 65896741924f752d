import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Evaluations of single persons, late data and nights in any order leave what the nights alone would have left.
@Suite("One person now, and nights")
struct PersonInterleavingTests {
  @Test(
    "any order leaves the rows of the nights, apart from retracted ones",
    arguments: DatabaseKind.withProfiles)
  func shadow(kind: DatabaseKind, profile: String) throws {
    var found = Differences()
    for seed in 1...Repetitions.count(fast: 1, long: 2) {
      try interleave(kind, profile, seed: seed, mode: .shadow, sends: false, &found)
    }
    // Within so few nights v3 seldom opens anything.
    if profile != "v3" { found.expectAny() }
  }

  @Test(
    "so it does where they notify, and each level is notified once",
    arguments: DatabaseKind.allCases, [false, true])
  func live(kind: DatabaseKind, sends: Bool) throws {
    var found = Differences()
    for seed in 1...Repetitions.count(fast: 1, long: 2) {
      for profile in ["v2", "v3"] {
        try interleave(kind, profile, seed: seed, mode: .live, sends: sends, &found)
      }
    }
    found.expectAny()
  }

  /// The differences that evaluations have made, without which equal rows would say nothing.
  private struct Differences {
    var changed = 0
    var retracted = 0

    func expectAny() { #expect(changed > 0 && retracted > 0, "\(self)") }
  }

  /// - Parameters:
  ///   - sends: Whether a sender takes what waits between evaluations.
  ///   - differences: Gets those of this history, too.
  private func interleave(
    _ kind: DatabaseKind, _ profile: String, seed: Int, mode: RunRecord.Mode, sends: Bool,
    _ differences: inout Differences
  ) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let queue: DeliveryQueue = mode == .live ? .live : .shadow
    let history = try LateHistory(
      seed: 100 + seed, persons: 12, days: 150, nights: kind == .sqlite ? 14 : 8,
      thresholds: thresholds)
    let mixed = try history.databaseBeforeFirstNight(kind)
    let alone = try history.databaseBeforeFirstNight(kind)
    var random = SeededGenerator(seed: seed * 7919)
    var (evaluated, changed, retracted) = (0, 0, 0)
    for night in history.nights {
      for database in [mixed, alone] { try history.update(database, before: night) }
      let rounds = night == history.nights.lowerBound ? 0 : Int.random(in: 0...3, using: &random)
      for _ in 0..<rounds {
        // What an evaluation sees may be gone, or be there only, when the night comes.
        let persons = history.histories.persons.indices.filter { _ in random.chance(0.4) }
        let mistake = history.passingMistake(before: night, using: &random)
        try history.spoil(mixed, persons, by: mistake, on: night)
        for person in persons {
          let day = night - (random.chance(0.3) ? 1 : 0)
          let outcome = try mixed.evaluate(
            history.histories.persons[person], on: day, thresholds: thresholds, mode: mode)
          evaluated += 1
          changed += outcome.changed.count
          if sends, random.chance(0.3) {
            try mixed.database.execute(
              "UPDATE notification_queue SET status = 'sent' WHERE status = 'pending'")
          }
        }
        try history.restore(mixed, persons, by: mistake, on: night)
      }
      for database in [mixed, alone] {
        try database.run(
          night...night, thresholds: thresholds, kind: .run, mode: mode, batchSize: 5)
      }
      let label = "\(profile) \(mode) seed \(seed), \(night)"
      #expect(try mixed.marks() == [], "\(label)")
      retracted = try compare(mixed, alone, ignoringLevels: sends, label)
      if !sends {
        #expect(try mixed.planned(queue) == alone.planned(queue), "\(label)")
      }
    }
    #expect(evaluated > 10)
    differences.changed += changed
    differences.retracted += retracted
    try expectEachLevelOnce(mixed, alone, sends: sends)
  }

  /// Compares the rows of alerts, and returns how many retracted ones only evaluations have left.
  private func compare(
    _ mixed: BatchDatabase, _ alone: BatchDatabase, ignoringLevels: Bool, _ label: String
  ) throws -> Int {
    let nightly = Set(try alone.database.rows("SELECT id FROM pattern_alert_state"))
    let found = try mixed.storage.alertStates(matching: AlertFilter())
    let surplus = found.filter { !nightly.contains($0.id.lowercased) }
    #expect(
      surplus.allSatisfy { $0.episode.resolution?.reason == .retracted }, "\(label)")
    let surplusIDs = surplus.map { "id=\($0.id.lowercased)" }
    let rows = try mixed.alertStates().filter { row in
      !surplusIDs.contains { row.contains($0) }
    }
    let levels = /last_notified_level=\S*/
    func comparable(_ rows: [String]) -> [String] {
      ignoringLevels ? rows.map { $0.replacing(levels, with: "") } : rows
    }
    try expectSame(comparable(rows), comparable(alone.alertStates()), label)
    return surplus.count
  }

  /// Checks that a level of an alert that nights notify of counts as notified, and was planned for each recipient
  /// and channel at most once.
  private func expectEachLevelOnce(
    _ mixed: BatchDatabase, _ alone: BatchDatabase, sends: Bool
  ) throws {
    let states = Dictionary(
      try mixed.storage.alertStates(matching: AlertFilter()).map { ($0.id, $0) }
    ) { $1 }
    for state in try alone.storage.alertStates(matching: AlertFilter()) {
      let own = try #require(states[state.id])
      #expect(own.lastNotifiedLevel ?? .day3 >= state.lastNotifiedLevel ?? .day3)
      #expect((own.lastNotifiedLevel == nil) == (state.lastNotifiedLevel == nil) || sends)
    }
    let keys = try mixed.database.rows("SELECT dedupe_key FROM notification_queue")
    #expect(Set(keys).count == keys.count)
  }
}

extension LateHistory {
  /// A mistake in data of the last days before a night.
  fileprivate func passingMistake(
    before night: Day, using random: inout SeededGenerator
  ) -> Mistake {
    let length = random.pick([0, 1, 2, 5, 12])
    let last = night - Int.random(in: 0...3, using: &random)
    return Mistake(
      kind: random.pick(Mistake.Kind.allCases), days: (last - length)...last,
      metrics: Set(histories.metrics.indices.filter { _ in random.chance(0.6) }),
      factor: random.pick([0, 0.5, 0.7, 0.93, 1.3, 2]), ends: night)
  }

  fileprivate func spoil(
    _ database: BatchDatabase, _ persons: [Int], by mistake: Mistake, on night: Day
  ) throws {
    try replace(places(persons, mistake), in: database) { place in
      var content = self.content(place, on: night)
      mistake.spoil(&content, metricCount: histories.metrics.count)
      return content
    }
  }

  fileprivate func restore(
    _ database: BatchDatabase, _ persons: [Int], by mistake: Mistake, on night: Day
  ) throws {
    try replace(places(persons, mistake), in: database) { content($0, on: night) }
  }

  private func places(_ persons: [Int], _ mistake: Mistake) -> [Place] {
    persons.flatMap { person in mistake.days.map { Place(person: person, day: $0) } }
  }
}
