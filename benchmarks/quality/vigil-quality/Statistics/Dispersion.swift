import VigilLaboratory

/// The variance of counts between people over their mean: 1 for a Poisson count.
///
/// Above 1, what is counted gathers in some people, and a Poisson interval is too narrow by its square root.
enum Dispersion {
  /// - Returns: NaN where all counts are 0.
  static func of(_ counts: [Int]) -> Double {
    let count = Double(counts.count)
    let mean = Double(counts.reduce(0, +)) / count
    guard mean > 0 else { return .nan }
    let squares = counts.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return squares / (count - 1) / mean
  }
}
