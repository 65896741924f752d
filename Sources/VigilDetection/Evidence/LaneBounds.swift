import VigilKernels
import VigilModel

/// The least that a window must show to be proven and held, as far as it follows from the settings of a metric alone.
///
/// See `EvidenceBound` for the sums S and E of a window, and for what a gap adds to them. Here a gap adds at most
/// `2 clip p / (1 + p)` to S and at most `1 - f` to E. One before the first observation counts like one within the
/// window, so that the step to the first one may be taken as a difference: `clip` moves no two values apart.
///
/// The autocorrelation p is not known; its range falls into `bins`.
final class LaneBounds {
  /// The parts of the range of the autocorrelation.
  static let bins = 16
  /// The parts of each bin over which the least mean shift is sought.
  private static let finePerBin = 4

  let lengths: SIMD8<Float>
  /// The largest autocorrelation that the prior allows.
  let mostAutocorrelation: Double
  private let settings: EvidenceSettings
  private let thresholds: EvidenceThresholds
  /// By size of the pool, the index of its knot.
  private let knots: AlignedBuffer<Int32>
  /// By knot, step and bin; made where they are needed.
  private let needs: AlignedBuffer<Need>
  private let isKnown: AlignedBuffer<Bool>

  /// By window, the least mean shift in personal spreads, and by how much a gap lowers it.
  struct Need: BitwiseCopyable {
    var least: SIMD8<Float>
    var slope: SIMD8<Float>

    @inline(__always)
    mutating func widen(_ other: Need) {
      least = least.least(other.least)
      slope = slope.most(other.slope)
    }
  }

  init(
    _ settings: EvidenceSettings, _ thresholds: EvidenceThresholds, mostAutocorrelation: Double
  ) {
    self.settings = settings
    self.thresholds = thresholds
    self.mostAutocorrelation = mostAutocorrelation
    lengths = SIMD8<Float>(Self.lengths(of: settings))
    knots = AlignedBuffer(count: settings.baselineDays + 1)
    needs = AlignedBuffer(count: thresholds.knots.count * 4 * Self.bins)
    isKnown = AlignedBuffer(count: thresholds.knots.count)
    for size in 0...settings.baselineDays {
      knots.pointer[size] = Int32(thresholds.knots.lastIndex { $0.poolSize <= size } ?? 0)
    }
  }

  /// The lengths of the windows; where there are fewer than eight, the last one fills the lanes.
  private static func lengths(of settings: EvidenceSettings) -> SIMD8<Int> {
    var lengths = SIMD8<Int>(repeating: settings.windows.last ?? 1)
    for (index, length) in settings.windows.prefix(8).enumerated() { lengths[index] = length }
    return lengths
  }

  @inline(__always)
  func knot(poolSize: Int) -> Int { Int(knots.pointer[poolSize]) }

  @inline(__always)
  func threshold(ofKnot knot: Int) -> Double { thresholds.knots[knot].threshold }

  /// - Parameters:
  ///   - knot: Of the thresholds.
  ///   - step: The most by which a value exceeds the one before it, in personal spreads.
  ///   - bin: The autocorrelation lies in this bin or a later one.
  @inline(__always)
  func need(knot: Int, step: Float, bin: Int) -> Need {
    if !isKnown.pointer[knot] { makeNeeds(ofKnot: knot) }
    let range = Float(2 * settings.clip)
    let row =
      step <= Float(Self.first) * range
      ? 0 : step <= Float(Self.second) * range ? 1 : step <= Float(Self.third) * range ? 2 : 3
    return needs.pointer[(knot * 4 + row) * Self.bins + bin]
  }

  /// Bounds of the largest step between neighbours, as shares of the range of a value; the fourth is 1.
  private static var first: Double { 1.0 / 3 }
  private static var second: Double { 1.375 / 3 }
  private static var third: Double { 1.75 / 3 }

  private func makeNeeds(ofKnot knot: Int) {
    let lengths = SIMD8<Double>(Self.lengths(of: settings))
    let evidence = max(0, threshold(ofKnot: knot) - 2 * EvidenceJudge.tolerance)
    let most = settings.windows.last ?? 1
    let width = mostAutocorrelation / Double(Self.bins * Self.finePerBin)
    for (row, share) in [Self.first, Self.second, Self.third, 1].enumerated() {
      // By gaps, the least mean shifts over the bins from the last one down.
      var shifts = Array(repeating: SIMD8<Double>(repeating: .infinity), count: most + 1)
      for bin in (0..<Self.bins).reversed() {
        for part in 0..<Self.finePerBin {
          let low = width * Double(bin * Self.finePerBin + part)
          lower(
            &shifts, lengths: lengths, evidence: evidence, step: share * 2 * settings.clip, low,
            low + width)
        }
        var slope = SIMD8<Double>.zero
        for gaps in 1..<most + 1 {
          let own = (shifts[0] - shifts[gaps]) / Double(gaps)
          slope.replace(with: own, where: (own .> slope) .& (lengths .>= Double(gaps)))
        }
        needs.pointer[(knot * 4 + row) * Self.bins + bin] = Need(
          least: SIMD8<Float>(shifts[0] * (1 - 1e-6)), slope: SIMD8<Float>(slope * (1 + 1e-6)))
      }
    }
    isKnown.pointer[knot] = true
  }

  /// Lowers the least mean shifts, by gaps, to those of autocorrelations from `low` to `high`.
  private func lower(
    _ shifts: inout [SIMD8<Double>], lengths: SIMD8<Double>, evidence: Double, step: Double,
    _ low: Double, _ high: Double
  ) {
    let (most, least) = ((1 - low) / (1 + low), (1 - high) / (1 + high))
    let rest = lengths - 1
    let leastE = 1 + rest * least
    let (mostFirst, side) = (1 / (1 - high * high), high / (1 + high))
    let needed =
      evidence * leastE.squareRoot() + settings.driftAllowance * leastE
      - (settings.clip * side + step * high * mostFirst + 1e-7)
    let scale = 1 / (most * lengths)
    for gaps in shifts.indices {
      let count = SIMD8<Double>(repeating: Double(gaps))
      let within = count.replacing(with: rest, where: rest .< count)
      let mostE = mostFirst + (rest - within) * most + within
      let held =
        settings.held * (evidence / mostE.squareRoot() + settings.driftAllowance) - 1e-7
      let direct = (needed - 2 * settings.clip * side * Double(gaps)) * scale
      let larger = held.replacing(with: direct, where: direct .> held)
      shifts[gaps].replace(with: larger, where: larger .< shifts[gaps])
    }
  }
}
