/// An axis of values with round ticks.
struct ValueScale: Hashable {
  let range: ClosedRange<Double>
  let ticks: [Double]

  /// - Parameters:
  ///   - values: The values that must be on the axis; those that are not finite are ignored.
  ///   - most: Ticks at most, three or more.
  init(holding values: [Double], most: Int = 4) {
    let values = values.filter(\.isFinite)
    var low = values.min() ?? 0
    var high = values.max() ?? 1
    if high - low < 1e-6 * max(1, high.magnitude) {
      let room = max(1, high.magnitude * 0.1)
      (low, high) = (low - room, high + room)
    }
    let step = Self.step(for: (high - low) / Double(max(most - 1, 1)))
    var tick = (low / step).rounded(.up) * step
    var ticks: [Double] = []
    while tick <= high + step * 1e-9, ticks.count < 20 {
      ticks.append(tick)
      tick += step
    }
    let room = (high - low) * 0.06
    range = (low - room)...(high + room)
    self.ticks = ticks
  }

  /// The place of a value, 0 at the lower end and 1 at the upper one.
  func place(_ value: Double) -> Double {
    let value = min(max(value, range.lowerBound), range.upperBound)
    return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  /// 1, 2 or 5 times a power of ten, at least `least`.
  private static func step(for least: Double) -> Double {
    var power = 1.0
    while power > least { power /= 10 }
    while power * 10 <= least { power *= 10 }
    return [1.0, 2, 5].map { $0 * power }.first { $0 >= least } ?? power * 10
  }
}
