/// An upper bound of the evidence of a window, whatever the autocorrelation.
///
/// With `f = (1 - p) / (1 + p)` the sums of evidence.md section 3 are, for a window of k days without gaps whose
/// first shift is `u_1` and whose last is `u_k`,
///
///     S = f * sum of u + p / (1 + p) * u_k + p / (1 - p^2) * (u_1 - u_0)
///     E = 1 / (1 - p^2) + (k - 1) * f
///
/// A gap of g days between `u_(i-1)` and `u_i` within the window adds `d_g * (u_(i-1) + u_i)` to S and `2 d_g` to
/// E, where `d_g = 1 / (1 + p^g) - 1 / (1 + p)` is at least `d_2` and less than `p / (1 + p)`. One before `u_1`
/// makes no term of S larger, and the first term of E at least 1.
///
/// `z` is at most `S / sqrt(E) - drift_allowance * sqrt(E)`, as the noise is at least 1. For each part of the
/// range of `p`, each factor is at most that of one of its ends.
struct EvidenceBound: Sendable {
  private let ofShifts: SIMD16<Double>
  private let ofNewest: SIMD16<Double>
  private let ofJump: SIMD16<Double>
  private let ofShortGaps: SIMD16<Double>
  private let ofLongGaps: SIMD16<Double>
  private let allowance: SIMD16<Double>

  /// The sums over a window, in personal spreads; each at least as large as it is.
  struct Sums {
    /// Of the shifts; not negative.
    var shifts: Double
    /// The last shift; not negative.
    var newest: Double
    /// The first shift less the one before it; not negative.
    var jump: Double
    /// The shifts on both sides of a gap of two days, where their sum is positive.
    var aroundShortGaps = 0.0
    /// The same of longer gaps.
    var aroundLongGaps = 0.0
  }

  /// The parts into which the range of `p` falls.
  static func parts(mostAutocorrelation most: Double) -> [Part] {
    (0..<16).map { Part(most * Double($0) / 16, most * Double($0 + 1) / 16) }
  }

  /// A part of the range of `p`, with bounds of `d_2 = p (1 - p) / ((1 + p) (1 + p^2))`, whose slope is between -1
  /// and 1.
  struct Part {
    let (low, high): (Double, Double)
    let leastGap, mostGap: Double

    init(_ low: Double, _ high: Double) {
      (self.low, self.high) = (low, high)
      let steps = 64
      let width = (high - low) / Double(steps)
      let factors = (0...steps).map { step in
        let p = low + width * Double(step)
        return p * (1 - p) / ((1 + p) * (1 + p * p))
      }
      leastGap = max(0, (factors.min() ?? 0) - width)
      mostGap = (factors.max() ?? 0) + width
    }
  }

  /// - Parameters:
  ///   - window: Observations.
  ///   - gaps: At most the number of gaps within the window.
  ///   - beginsAfterGap: Whether there is one before its first observation.
  init(
    window: Int, gaps: Int, beginsAfterGap: Bool, parts: [Part], _ settings: EvidenceSettings
  ) {
    var (shifts, newest, jump, allowance) = (
      SIMD16<Double>.zero, SIMD16<Double>.zero, SIMD16<Double>.zero, SIMD16<Double>.zero
    )
    var (shortGaps, longGaps) = (SIMD16<Double>.zero, SIMD16<Double>.zero)
    for (part, range) in parts.enumerated() {
      let (low, high) = (range.low, range.high)
      func f(_ p: Double) -> Double { (1 - p) / (1 + p) }
      let least =
        (beginsAfterGap ? 1 : 1 / (1 - low * low)) + Double(window - 1) * f(high)
        + 2 * Double(gaps) * range.leastGap
      let root = least.squareRoot() * (1 - 1e-12)
      shifts[part] = f(low) / root
      newest[part] = high / (1 + high) / root
      jump[part] = high / (1 - high * high) / root
      shortGaps[part] = range.mostGap / root
      longGaps[part] = high / (1 + high) / root
      allowance[part] = settings.driftAllowance * root
    }
    (ofShifts, ofNewest, ofJump, self.allowance) = (shifts, newest, jump, allowance)
    (ofShortGaps, ofLongGaps) = (shortGaps, longGaps)
  }

  /// - Parameter first: The part of the range of `p` that it lies in at the least.
  @inline(__always)
  func evidence(_ sums: Sums, fromPart first: Int = 0) -> Double {
    var parts =
      ofShifts * sums.shifts + ofNewest * sums.newest + ofJump * sums.jump
      + ofShortGaps * sums.aroundShortGaps + ofLongGaps * sums.aroundLongGaps - allowance
    if first > 0 {
      let numbers = SIMD16<Double>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
      parts.replace(with: -.infinity, where: numbers .< Double(first))
    }
    let half = parts.lowHalf.replacing(with: parts.highHalf, where: parts.highHalf .> parts.lowHalf)
    return half.greatest
  }
}
