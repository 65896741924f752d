import VigilKernels
import VigilModel

/// The value of every metric on every day of some persons: its mean over the days of a window or,
/// where they have no value, its latest value of the days before (specification, vitality.md
/// section 1).
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
  /// By series of the tile.
  private var hasGaps: [Bool] = []

  /// Doubles in the vectors of one tile: those of sums and counts fit the second-level cache.
  private static let tileElements = 4096

  init(window: Int, lookback: Int, dayCount: Int) {
    self.window = window
    self.lookback = lookback
    self.dayCount = dayCount
    let padding = RollingSums.padding(shortWindow: 1, longWindow: window)
    // Days are processed in groups of eight.
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
    guard let values = UnsafePointer(block.values.baseAddress) else { return }
    let seriesCount = range.count * metricCount
    let padding = sums.padding
    let first = values + range.lowerBound * metricCount * dayCount
    let (present, counted) = (sums.input + padding, counts.input + padding)
    hasGaps.removeAll(keepingCapacity: true)
    for slot in 0..<seriesCount {
      hasGaps.append(
        Self.split(
          first + slot * dayCount, count: dayCount, into: present + slot * stride,
          counted + slot * stride))
    }
    sums.compute(count: stride * seriesCount)
    counts.compute(count: stride * seriesCount)
    let (sum, count, means) = (sums.longSums, counts.longSums, means.pointer)
    for index in Swift.stride(from: 0, to: stride * seriesCount, by: 8) {
      // 0 / 0 is NaN: no value.
      let quotients =
        UnsafeRawPointer(sum + index).loadUnaligned(as: Days.self)
        / UnsafeRawPointer(count + index).loadUnaligned(as: Days.self)
      UnsafeMutableRawPointer(means + index).storeBytes(of: quotients, as: Days.self)
    }
    for slot in 0..<seriesCount where hasGaps[slot] {
      let offset = slot * stride + padding
      fillGaps(means + offset, counts: count + offset, values: first + slot * dayCount)
    }
  }

  /// Copies values with 0 where one is missing, and 1 for each that is present; returns whether one
  /// is missing.
  private static func split(
    _ series: UnsafePointer<Double>, count: Int, into values: UnsafeMutablePointer<Double>,
    _ present: UnsafeMutablePointer<Double>
  ) -> Bool {
    var total = Days.zero
    var day = 0
    while day + 8 <= count {
      let eight = UnsafeRawPointer(series + day).loadUnaligned(as: Days.self)
      let isThere = eight .== eight
      let ones = Days.zero.replacing(with: 1, where: isThere)
      UnsafeMutableRawPointer(values + day).storeBytes(
        of: Days.zero.replacing(with: eight, where: isThere), as: Days.self)
      UnsafeMutableRawPointer(present + day).storeBytes(of: ones, as: Days.self)
      total += ones
      day += 8
    }
    var found = total.sum()
    while day < count {
      let isThere = series[day] == series[day]
      values[day] = isThere ? series[day] : 0
      present[day] = isThere ? 1 : 0
      found += present[day]
      day += 1
    }
    return found < Double(count)
  }

  /// Fills windows without a value with the latest value of the lookback.
  private func fillGaps(
    _ means: UnsafeMutablePointer<Double>, counts: UnsafePointer<Double>,
    values: UnsafePointer<Double>
  ) {
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
