import ReferenceKernels
import TestSupport
import VigilModel
import VigilVitality

/// Rows of random persons that reach the corners of the scores: gaps, several sources, zeros, values
/// that are none, and values on the ends of bands.
struct RandomPersons {
  static let first = Day(ordinal: 20_512)
  /// Days with rows; the last `scoredDays` of them are scored.
  static let dayCount = 20
  static let scoredDays = 4
  static let days = first...(first + (dayCount - 1))
  static let scored = (first + (dayCount - scoredDays))...(first + (dayCount - 1))

  /// By person, in the order in which they are read.
  var rows: [[ReferenceScores.Row]]
  var birthDates: [Day?]

  /// Typical values of each column; band ends among them.
  private static let levels: [String: [Double]] = [
    "sleep_minutes": [0, 390, 420, 480, 504, 510, 540, 570, 600],
    "deep_sleep_minutes": [0, 40, 60, 90, 120], "rem_sleep_minutes": [0, 60, 87, 110],
    "light_sleep_minutes": [0, 200, 270, 297], "awake_minutes": [0, 20, 43, 83, 106],
    "sleep_efficiency_pct": [78, 82.5, 85, 88, 90, 100], "movement_minutes": [0, 15, 20, 30, 45],
    "steps": [0, 4000, 6000, 8000, 10_000, 15_000], "active_calories": [100, 200, 250, 300, 600],
    "hrv_ms": [20, 40, 45, 50, 60, 70, 90, 100], "resting_hr": [48, 50, 65, 70, 75, 82.5, 90],
    "breathing_rate": [8, 10, 12, 15, 18, 20, 21, 22],
  ]

  init(seed: Int, count: Int) {
    rows = []
    birthDates = []
    for person in 0..<count {
      var random = SeededGenerator(seed: seed * 100_000 + person)
      rows.append(Self.rows(&random))
      // Birthdays at the border of two age groups fall between the scored days now and then.
      let age = random.pick([20, 39, 40, 59, 60, 74, 75, 90])
      birthDates.append(
        random.chance(0.2)
          ? nil : Self.scored.lowerBound - age * 365 - Int.random(in: 0...30, using: &random))
    }
  }

  private static func rows(_ random: inout SeededGenerator) -> [ReferenceScores.Row] {
    let gap = random.pick([0.0, 0.1, 0.6, 0.9])
    let columns = levels.keys.sorted()
    let level = columns.map { random.pick(levels[$0] ?? []) }
    let isNoisy = random.chance(0.5)
    let missing = columns.map { _ in random.chance(0.15) }
    var rows: [ReferenceScores.Row] = []
    for day in days {
      for _ in 0..<random.pick([1, 1, 1, 2, 3]) where !random.chance(gap) {
        var values: [String: Double] = [:]
        for (index, column) in columns.enumerated() where !missing[index] && !random.chance(gap) {
          let noise = isNoisy ? (Double.random(in: -20...20, using: &random)).rounded() / 2 : 0
          values[column] = max(0, level[index] + noise)
          if random.chance(0.02) { values[column] = random.pick([.infinity, -.infinity, 0]) }
        }
        rows.append(.init(day: day, values: values))
      }
    }
    return rows.shuffled(using: &random)
  }

  /// The metrics of the persons in this order.
  func block(_ persons: [Int]) -> ObservationBlock {
    let block = ObservationBlock.forVitality(personCount: persons.count, days: Self.days)
    for (place, person) in persons.enumerated() {
      for row in rows[person] {
        let values = VitalityMetric.columns.map { row.values[$0.rawValue] ?? .nan }
        values.withUnsafeBufferPointer {
          block.keepLargest(person: place, day: row.day, values: $0)
        }
      }
    }
    return block
  }

  /// The scores of the library, of the persons in this order.
  func scores(_ persons: [Int], settings: ScoreSettings) -> ScoreBlock {
    let scores = ScoreBlock(personCount: persons.count, days: Self.scored)
    VitalityScorer(settings: settings)
      .score(block(persons), birthDates: persons.map { birthDates[$0] }, into: scores)
    return scores
  }
}

extension ScoreBlock {
  /// Total, sleep, movement and stress of every scored day of a person.
  func rows(person: Int) -> [[Int?]] {
    days.map { day in
      [total(person: person, day: day)]
        + Pillar.scored.map { score(of: $0, person: person, day: day) }
    }
  }
}
