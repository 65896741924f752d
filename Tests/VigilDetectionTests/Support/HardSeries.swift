import TestSupport

/// Series on which bounds are likely to fail: what is unusual is planted into noise on the scale of a metric.
enum HardSeries {
  private static let factors = [1e-3, 10, 1e3, 1e5]
  private static let missing = [0, 0, 0.04, 0.3, 0.6]

  /// One value a day, NaN where missing.
  ///
  /// - Parameters:
  ///   - usual: A usual value.
  ///   - spread: A usual distance from it.
  static func random(
    usual: Double, spread: Double, using random: inout SeededGenerator
  ) -> [Double] {
    let count = Int.random(in: 40...420, using: &random)
    var scale = 1.0
    var offset = 0.0
    switch Int.random(in: 0..<8, using: &random) {
    case 0: scale = 0
    case 1: scale = 1e-6
    case 2: scale = 1e3
    case 3: offset = 1e7
    default: scale = Double.random(in: 0.3...2, using: &random)
    }
    let memory = Double.random(in: 0...0.95, using: &random)
    let week = (0..<7).map { _ in Double.random(in: -1...1, using: &random) }
    let first = Int.random(in: 0..<7, using: &random)
    var (state, values) = (0.0, [Double]())
    for day in 0..<count {
      let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      state = memory * state + (1 - memory * memory).squareRoot() * noise
      values.append(offset + usual + scale * spread * (state + week[(day + first) % 7]))
    }
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let start = Int.random(in: 0..<count, using: &random)
      let end = min(count, start + Int.random(in: 1...60, using: &random))
      let size = Double.random(in: -4...4, using: &random) * max(scale, 0.1) * spread
      switch Int.random(in: 0..<8, using: &random) {
      case 0: for day in start..<end { values[day] = .nan }
      case 1: for day in start..<end { values[day] = values[start] }
      case 2: for day in start..<end { values[day] = 0 }
      case 3: values[start] *= Self.factors[Int.random(in: 0..<4, using: &random)]
      case 4: for day in start..<end { values[day] += size * Double(day - start) / 10 }
      case 5: for day in start..<count { values[day] += size }
      case 6: for day in stride(from: start, to: end, by: 2) { values[day] += size }
      default: for day in start..<end { values[day] += size / 2 }
      }
    }
    let missing = Self.missing[Int.random(in: 0..<5, using: &random)]
    for day in values.indices where Double.random(in: 0..<1, using: &random) < missing {
      values[day] = .nan
    }
    return values
  }
}
