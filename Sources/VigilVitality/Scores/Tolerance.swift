/// Eight days at once.
typealias Days = SIMD8<Double>

/// The tolerance of every comparison and rounding (specification, README): a threshold `t` counts as
/// reached within `1e-9 * max(1, |t|)`, so that no result depends on the order of a sum.
enum Tolerance {
  static func of(_ threshold: Double) -> Double { 1e-9 * max(1, threshold.magnitude) }

  @inline(__always)
  static func of(_ values: Days) -> Days {
    let magnitudes = values.replacing(with: -values, where: values .< 0)
    return magnitudes.replacing(with: 1, where: magnitudes .< 1) * 1e-9
  }

  /// Half up; NaN stays.
  @inline(__always)
  static func rounded(_ values: Days) -> Days {
    (values + 0.5 + of(values)).rounded(.down)
  }

  /// Towards minus infinity; NaN stays.
  @inline(__always)
  static func truncated(_ values: Days) -> Days {
    (values + of(values)).rounded(.down)
  }
}
