import Foundation

/// A history in the making: day 0 is the first one, and all values are on the scale of y.
struct EvidenceDraft {
  let metric: ReferenceEvidence.Metric
  let level: Double
  let spread: Double
  var y: [Double]
  /// Values that replace those of y, in the metric's unit.
  var fixed: [Int: Double] = [:]
  var isMissing: [Bool]
  var sources: [Set<String>]
  var events: [String] = []

  var length: Int { y.count }

  init(
    metric: ReferenceEvidence.Metric, length: Int, using random: inout some RandomNumberGenerator
  ) {
    self.metric = metric
    let usual: [String: Double] = [
      "steps": 8000, "sleep_minutes": 420, "hrv_ms": 45, "resting_hr": 62,
      "sleep_efficiency_pct": 91, "movement_minutes": 60, "deep_sleep_minutes": 75,
    ]
    level =
      metric.transform.applied(to: usual[metric.name] ?? 100)
      * Double.random(in: 0.85...1.1, using: &random)
    spread = metric.priorSpread * exp(Double.random(in: -1.2...0.7, using: &random))
    let rho = ReferenceEvidence.clamp(
      metric.priorAutocorrelation + Double.random(in: -0.3...0.4, using: &random), 0, 0.97)
    let week = (0..<7).map { _ in Self.normal(using: &random) }
    let weekShare = Bool.random(using: &random) ? 0 : Double.random(in: 0...1.5, using: &random)
    let isHeavyTailed = Bool.random(using: &random)
    var noise = Self.normal(using: &random)
    y = []
    for index in 0..<length {
      var step = Self.normal(using: &random)
      if isHeavyTailed, Int.random(in: 0..<15, using: &random) == 0 { step *= 3 }
      noise = rho * noise + (1 - rho * rho).squareRoot() * step
      y.append(level + spread * (noise + weekShare * week[index % 7]))
    }
    sources = [Set<String>](repeating: ["device-1"], count: length)
    isMissing = []
    let entry: Double = [0, 0.03, 0.1, 0.3].randomElement(using: &random) ?? 0
    let stay = Double.random(in: 0.1...0.7, using: &random)
    var isGap = false
    for _ in 0..<length {
      isGap = Double.random(in: 0..<1, using: &random) < (isGap ? stay : entry)
      isMissing.append(isGap)
    }
  }

  /// The range of values that detection.md section 1 calls plausible.
  var plausible: ClosedRange<Double> {
    switch metric.name {
    case "steps": 0...200_000
    case "hrv_ms": 1...500
    case "resting_hr": 20...250
    case "sleep_efficiency_pct": 0...100
    default: 0...1440
    }
  }

  /// Returns the values in the metric's unit, rounded as devices do; nil where there is none.
  func values() -> [Double?] {
    (0..<length).map { index in
      if isMissing[index] { return nil }
      if let value = fixed[index] { return value }
      let x =
        switch metric.transform {
        case .none: y[index].rounded()
        case .sqrt: (max(y[index], 0) * max(y[index], 0)).rounded()
        case .log: (exp(y[index]) * 10).rounded() / 10
        }
      return ReferenceEvidence.clamp(x, plausible.lowerBound, plausible.upperBound)
    }
  }

  /// Adds to y on some days; 1 is one personal spread in the bad direction.
  mutating func shift(_ days: Range<Int>, by amount: (Int) -> Double) {
    for day in days.clamped(to: 0..<length) { y[day] += metric.direction * spread * amount(day) }
  }

  /// Returns a day that leaves a baseline before it, more often than not.
  func anyDay(using random: inout some RandomNumberGenerator) -> Int {
    Int.random(in: (Bool.random(using: &random) ? 20 : 0)..<length, using: &random)
  }

  /// Returns one workout habit: none, some days of the week, random days, or whole weeks.
  static func workouts(
    _ days: ClosedRange<Int>, using random: inout some RandomNumberGenerator
  ) -> Set<Int> {
    let share = Double.random(in: 0.05...0.6, using: &random)
    let weekdays = Set((0..<3).map { _ in Int.random(in: 0..<7, using: &random) })
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return []
    case 1: return Set(days.filter { weekdays.contains(ReferenceEvidence.weekday($0)) })
    case 2: return Set(days.filter { _ in Double.random(in: 0..<1, using: &random) < share })
    default: return Set(days.filter { ($0 / 7) % 3 == 0 })
    }
  }

  /// Returns a value of the normal distribution with mean 0 and variance 1, after Box and Muller.
  static func normal(using random: inout some RandomNumberGenerator) -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
    return radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &random))
  }
}
