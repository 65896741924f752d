/// An axis of values with round ticks.
struct ValueScale: Hashable {
  let range: ClosedRange<Double>
  let ticks: [Double]

  /// The distances that ticks may have.
  enum Steps {
    /// 1, 2 or 5 times a power of ten.
    case decimal
    /// Parts of an hour and whole hours; below 10 minutes as decimal ones.
    case minutes
  }

  /// - Parameters:
  ///   - values: The values that must be on the axis; those that are not finite are ignored.
  ///   - fewest: Ticks at least.
  ///   - steps: The distances that ticks may have.
  init(holding values: [Double], fewest: Int = 2, steps: Steps = .decimal) {
    let values = values.filter(\.isFinite)
    var low = values.min() ?? 0
    var high = values.max() ?? 1
    if high - low < 1e-6 * max(1, high.magnitude) {
      let room = max(1, high.magnitude * 0.1)
      (low, high) = (low - room, high + room)
    }
    let step = Self.step(over: low...high, ticks: fewest, steps)
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

  /// The largest step with so many ticks.
  private static func step(
    over range: ClosedRange<Double>, ticks fewest: Int, _ steps: Steps
  ) -> Double {
    func hasEnough(_ step: Double) -> Bool {
      (range.upperBound / step).rounded(.down) - (range.lowerBound / step).rounded(.up) + 1
        >= Double(fewest)
    }
    if steps == .minutes, let step = minutes.first(where: hasEnough) { return step }
    var power = 1.0
    while power < range.upperBound - range.lowerBound { power *= 10 }
    while true {
      for factor in [5.0, 2, 1] where hasEnough(power * factor) { return power * factor }
      power /= 10
    }
  }

  private static let minutes = [720.0, 480, 360, 240, 180, 120, 60, 30, 20, 10]
}
