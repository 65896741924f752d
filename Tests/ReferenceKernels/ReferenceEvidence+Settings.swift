import Foundation

extension ReferenceEvidence {
  /// Settings of evidence.md section 10, with its defaults.
  ///
  /// Lengths count observations where the table says so, and calendar days otherwise.
  public struct Settings: Sendable {
    public var horizonDays = 200
    public var baselineMaxDays = 120
    public var baselineMinDays = 10
    public var baselineGuardDays = 28
    public var windows = [3, 4, 5, 7, 10, 14, 21, 28]
    public var spanFactor = 2.0
    public var driftAllowance = 0.15
    public var clip = 3.0
    public var held = 0.5
    public var spreadPriorDays = 12.0
    public var spreadFloor = 0.35
    public var weekdayPriorDays = 6.0
    public var rhoPriorDays = 150.0
    public var rhoMax = 0.95
    public var noisePriorDays = 30.0
    public var recoveryRecentDays = 3
    public var recoveryEvidence = 3.5
    public var recoveryCalmDays = 7
    public var levelMin = 1.0
    public var levelMax = 2.0
    public var adoptAfterDays = 60
    public var maxUnknownDays = 14

    public init() {}
  }

  /// T of section 1.
  public enum Transform: Sendable {
    case none
    case sqrt
    case log

    /// Returns `y = T(x)`, with x first raised to at least 0.
    public func applied(to value: Double) -> Double {
      let x = max(value, 0)
      switch self {
      case .none: return x
      case .sqrt: return x.squareRoot()
      case .log: return Foundation.log(max(x, 1))
      }
    }
  }

  /// Rule kinds of detection.md section 1; percents are fractions of the baseline.
  public enum Rule: Sendable {
    case percentDropAtLeast(Double)
    case percentRiseAtLeast(Double)
    case absoluteDropAtLeast(Double)
    case absoluteRiseAtLeast(Double)
    case absoluteDropBelow(Double)

    /// Whether the rule matches, with the tolerance of the specification's conventions.
    public func matches(base: Double, recent: Double) -> Bool {
      func reaches(_ value: Double, _ bound: Double) -> Bool {
        value >= bound - 1e-9 * max(1, abs(bound))
      }
      switch self {
      case .percentDropAtLeast(let bound):
        return base > 0 && reaches((base - recent) / base, bound)
      case .percentRiseAtLeast(let bound):
        return base > 0 && reaches((recent - base) / base, bound)
      case .absoluteDropAtLeast(let bound):
        return reaches(base - recent, bound)
      case .absoluteRiseAtLeast(let bound):
        return reaches(recent - base, bound)
      case .absoluteDropBelow(let bound):
        return !reaches(recent, bound) && recent < base
      }
    }
  }

  /// One row of the lower table of section 10.
  public struct Metric: Sendable {
    public var name: String
    public var transform: Transform
    /// s0, in the unit of y.
    public var priorSpread: Double
    /// rho0.
    public var priorAutocorrelation: Double
    /// `dir`: -1 where a drop is bad, +1 where a rise is.
    public var direction: Double
    public var rules: [Rule]
    public var isSuppressedOnWorkoutDays: Bool
    /// c by its knots, the smallest first.
    public var thresholds: [(knot: Int, c: Double)]

    public init(
      name: String, transform: Transform, priorSpread: Double, priorAutocorrelation: Double,
      direction: Double, rules: [Rule], isSuppressedOnWorkoutDays: Bool,
      thresholds: [(knot: Int, c: Double)]
    ) {
      self.name = name
      self.transform = transform
      self.priorSpread = priorSpread
      self.priorAutocorrelation = priorAutocorrelation
      self.direction = direction
      self.rules = rules
      self.isSuppressedOnWorkoutDays = isSuppressedOnWorkoutDays
      self.thresholds = thresholds
    }

    /// Returns `c(nb)`, the entry at the largest knot that is not above nb; infinity below them all.
    public func threshold(baselineDays: Int) -> Double {
      thresholds.last { $0.knot <= baselineDays }?.c ?? .infinity
    }
  }
}
