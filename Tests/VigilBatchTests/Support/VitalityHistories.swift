import Foundation
import TestDatabases
import TestSupport
import VigilModel
import VigilStorage

/// Persons with all metrics that scores come from, gaps in them, phases of bad days, two sources now and
/// then, and a few rows of scores from elsewhere; the same for the same seed.
struct VitalityHistories {
  static let first = Day(ordinal: 20_400)

  let persons: [UUID]
  let days: ClosedRange<Day>
  private let seed: Int

  init(seed: Int, persons count: Int, days length: Int) {
    persons = (0..<count).map { UUID(name: "vitality person \($0)") }
    days = Self.first...(Self.first + (length - 1))
    self.seed = seed
  }

  private static let levels: [(metric: String, usual: Double, bad: Double)] = [
    ("sleep_minutes", 470, 300), ("deep_sleep_minutes", 80, 40), ("rem_sleep_minutes", 95, 50),
    ("light_sleep_minutes", 280, 190), ("awake_minutes", 30, 90),
    ("sleep_efficiency_pct", 92, 75), ("movement_minutes", 42, 15), ("steps", 9200, 3500),
    ("active_calories", 480, 190), ("hrv_ms", 75, 42), ("resting_hr", 58, 74),
    ("breathing_rate", 14, 20),
  ]

  /// A database that holds all of them.
  func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    var bySource: [String: [BatchDatabase.Series]] = [:]
    var foreign: [VitalityScore] = []
    for (index, person) in persons.enumerated() {
      var random = SeededGenerator(seed: seed * 10_000 + index)
      let phases = (0..<3).map { _ in
        (
          start: Int.random(in: 0..<days.count, using: &random),
          length: Int.random(in: 2...20, using: &random)
        )
      }
      let gap = random.pick([0.0, 0.05, 0.3])
      let missing = Set(Self.levels.indices.filter { _ in random.chance(0.1) })
      for (metric, level) in Self.levels.enumerated() where !missing.contains(metric) {
        var values: [String: [Day: Double]] = [:]
        for (offset, day) in days.enumerated() where !random.chance(gap) {
          let isBad = phases.contains { $0.start <= offset && offset < $0.start + $0.length }
          let value =
            (isBad ? level.bad : level.usual) * Double.random(in: 0.9...1.1, using: &random)
          values["watch", default: [:]][day] = value.rounded()
          if random.chance(0.05) { values["ring", default: [:]][day] = (value * 1.05).rounded() }
        }
        for (source, days) in values {
          bySource[source, default: []].append(
            .init(person: person, metric: level.metric, values: days))
        }
      }
      for day in days where index % 4 == 1 && random.chance(0.3) {
        let score = Int.random(in: 20...95, using: &random)
        foreign.append(
          VitalityScore(
            user: person, day: day, total: score, sleep: score, movement: nil,
            stress: random.chance(0.5) ? score : nil, schemaVersion: "app.3", source: "app"))
      }
    }
    for (source, series) in bySource.sorted(by: { $0.key < $1.key }) {
      try database.insert(series, source: source)
    }
    try database.insert(foreign)
    return database
  }
}
