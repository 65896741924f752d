import VigilKernels
import VigilModel

/// The value of every metric on every day of some persons: its mean over the days of a window or,
/// without a value in them, its latest value of the days before (specification, vitality.md section 1).
///
/// A tile holds whole persons whose vectors stay in the cache; BLAS sums the windows of all its
/// series, and the days with a value in them, at once.
final class WindowMeans {
  let dayCount: Int
  let personsPerTile: Int

  private let window: Int
  private let lookback: Int
  private let metricCount = VitalityMetric.allCases.count
  private let stride: Int
  private let sums: RollingSums
  private let counts: RollingSums
  private let means: AlignedBuffer<Double>

  /// Doubles in the vectors of one tile: those of sums and counts fit the second-level cache.
  private static let tileElements = 4096

  init(window: Int, lookback: Int, dayCount: Int) {
    self.window = window
    self.lookback = lookback
    self.dayCount = dayCount
    let padding = RollingSums.padding(shortWindow: 1, longWindow: window)
    // Days are worked on by eights.
    stride = padding + (dayCount + 7) / 8 * 8
    personsPerTile = max(1, Self.tileElements / (stride * metricCount))
    let capacity = stride * metricCount * personsPerTile
    sums = RollingSums(shortWindow: 1, longWindow: window, capacity: capacity)
    counts = RollingSums(shortWindow: 1, longWindow: window, capacity: capacity)
    means = AlignedBuffer(count: capacity + 8)
  }

  /// Computes the days of the persons `range` of `block`; at most `personsPerTile` of them.
  func compute(_ range: Range<Int>, of block: ObservationBlock) {
    precondition(range.count <= personsPerTile && block.dayCount == dayCount)
    let seriesCount = range.count * metricCount
    let padding = sums.padding
    let values = block.values
    let first = range.lowerBound * metricCount
    for slot in 0..<seriesCount {
      let start = (first + slot) * dayCount
      let target = slot * stride + padding
      for day in 0..<dayCount {
        let value = values[start + day]
        let isPresent = value == value
        sums.input[target + day] = isPresent ? value : 0
        counts.input[target + day] = isPresent ? 1 : 0
      }
    }
    sums.compute(count: stride * seriesCount)
    counts.compute(count: stride * seriesCount)
    let (sum, count) = (sums.longSums, counts.longSums)
    for index in 0..<stride * seriesCount {
      // 0 / 0 is NaN: no value.
      means.pointer[index] = sum[index] / count[index]
    }
    for slot in 0..<seriesCount {
      let offset = slot * stride + padding
      fillGaps(
        means.pointer + offset, counts: count + offset,
        values: values.baseAddress.map { $0 + (first + slot) * dayCount })
    }
  }

  /// Puts the latest value of the lookback where a window has none.
  private func fillGaps(
    _ means: UnsafeMutablePointer<Double>, counts: UnsafePointer<Double>,
    values: UnsafeMutablePointer<Double>?
  ) {
    guard let values else { return }
    var latest = -1
    for day in 0..<dayCount {
      if values[day] == values[day] { latest = day }
      if counts[day] == 0, latest >= 0, day - latest < window + lookback {
        means[day] = values[latest]
      }
    }
  }

  /// The days of one metric of a person of the tile computed last; room for eight more behind them.
  @inline(__always)
  func days(slot: Int, metric: VitalityMetric) -> UnsafePointer<Double> {
    UnsafePointer(means.pointer + (slot * metricCount + metric.rawValue) * stride + sums.padding)
  }
}
