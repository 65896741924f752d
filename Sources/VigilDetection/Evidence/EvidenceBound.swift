/// An upper bound of the evidence of a window without gaps, whatever the autocorrelation.
///
/// With `f = (1 - p) / (1 + p)` the sums of evidence.md section 3 are, for a window of k days whose first shift
/// is `u_1` and whose last is `u_k`,
///
///     S = f * sum of u + p / (1 + p) * u_k + p / (1 - p^2) * (u_1 - u_0)
///     E = 1 / (1 - p^2) + (k - 1) * f
///
/// and `z` is at most `S / sqrt(E) - drift_allowance * sqrt(E)`, as the noise is at least 1. For each part of the
/// range of `p`, each factor is at most that of one of its ends.
struct EvidenceBound: Sendable {
  private let ofShifts: SIMD16<Double>
  private let ofNewest: SIMD16<Double>
  private let ofJump: SIMD16<Double>
  private let allowance: SIMD16<Double>

  init(window: Int, mostAutocorrelation most: Double, _ settings: EvidenceSettings) {
    var (shifts, newest, jump, allowance) = (
      SIMD16<Double>.zero, SIMD16<Double>.zero, SIMD16<Double>.zero, SIMD16<Double>.zero
    )
    for part in 0..<16 {
      let (low, high) = (most * Double(part) / 16, most * Double(part + 1) / 16)
      func f(_ p: Double) -> Double { (1 - p) / (1 + p) }
      let least = 1 / (1 - low * low) + Double(window - 1) * f(high)
      let root = least.squareRoot() * (1 - 1e-12)
      shifts[part] = f(low) / root
      newest[part] = high / (1 + high) / root
      jump[part] = high / (1 - high * high) / root
      allowance[part] = settings.driftAllowance * root
    }
    (ofShifts, ofNewest, ofJump, self.allowance) = (shifts, newest, jump, allowance)
  }

  /// - Parameters:
  ///   - shifts: At least the sum of the shifts; not negative.
  ///   - newest: At least the last shift; not negative.
  ///   - jump: At least the first shift less the one before it; not negative.
  func evidence(shifts: Double, newest: Double, jump: Double) -> Double {
    let parts = ofShifts * shifts + ofNewest * newest + ofJump * jump - allowance
    let half = parts.lowHalf.replacing(with: parts.highHalf, where: parts.highHalf .> parts.lowHalf)
    return half.max()
  }
}
