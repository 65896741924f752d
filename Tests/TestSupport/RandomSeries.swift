public import VigilModel

/// Random histories that reach every corner of the rules: gaps, plateaus on thresholds, zeros,
/// drifts and workouts.
public struct RandomSeries: Sendable {
  /// One value a day, NaN where there is none.
  public var values: [Double]
  /// Indices of workout days.
  public var workouts: Set<Int>

  public init(seed: Int, days: Int) {
    var random = SeededGenerator(seed: seed)
    // Whole numbers and a few levels make ties with thresholds common.
    let level = random.pick([8.0, 40, 60, 85, 400, 8000])
    let noise = random.pick([0.0, 0.02, 0.1, 0.3])
    let gapChance = random.pick([0.0, 0.02, 0.15, 0.5])
    let workoutChance = random.pick([0.0, 0.2, 0.8])
    var factor = 1.0
    var gap = 0
    values = []
    workouts = []
    for day in 0..<days {
      if random.chance(0.06) {
        factor = random.pick([1.0, 1, 1, 0.95, 0.9, 0.85, 0.75, 0.7, 0.5, 1.05, 1.1, 1.3, 0])
      }
      if gap == 0, random.chance(gapChance) {
        gap = random.chance(0.1) ? Int.random(in: 5...70, using: &random) : 1
      }
      let value = (level * factor * (1 + Double.random(in: -noise...noise, using: &random)))
      values.append(gap > 0 ? .nan : value.rounded())
      gap = max(0, gap - 1)
      if random.chance(workoutChance) { workouts.insert(day) }
    }
  }

  public func byDay(from first: Day) -> [Day: Double] {
    var result: [Day: Double] = [:]
    for (index, value) in values.enumerated() where !value.isNaN { result[first + index] = value }
    return result
  }
}
