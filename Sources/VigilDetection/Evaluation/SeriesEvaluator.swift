import VigilKernels
import VigilModel

/// Finds the verdict of every day of many series at once (specification, detection.md sections 3
/// and 5).
///
/// Works on tiles: a handful of series whose vectors stay in the cache. Per tile it compacts each
/// series to its observations, lets BLAS compute the rolling sums of all of them, and turns sums
/// into verdicts.
final class SeriesEvaluator {
  let settings: EvaluationSettings
  let dayCount: Int
  /// Series that one tile holds at most.
  let tileCapacity: Int

  private let sums: RollingSums
  private let stride: Int
  private let dayStride: Int
  private let observationDays: AlignedBuffer<Int32>
  private let verdicts: AlignedBuffer<UInt8>
  private let compactVerdicts: AlignedBuffer<UInt8>
  private var packed: [SeriesPacking.Result] = []

  /// Doubles in the vectors of one tile: five vectors of it fit the second-level cache.
  private static let tileElements = 8192

  init(settings: EvaluationSettings, dayCount: Int) {
    self.settings = settings
    self.dayCount = dayCount
    let padding = RollingSums.padding(
      shortWindow: settings.recentDays, longWindow: settings.maxDays)
    stride = padding + (dayCount + 7) / 8 * 8
    // Eight spare bytes let the search for the next deviating day read whole words.
    dayStride = (dayCount + 7) / 8 * 8 + 8
    tileCapacity = max(1, Self.tileElements / stride)
    sums = RollingSums(
      shortWindow: settings.recentDays, longWindow: settings.maxDays,
      capacity: stride * tileCapacity)
    observationDays = AlignedBuffer(count: dayCount * tileCapacity)
    verdicts = AlignedBuffer(count: dayStride * tileCapacity)
    compactVerdicts = AlignedBuffer(count: dayCount)
  }

  /// The verdicts and recent sums of one series of the tile evaluated last.
  struct Evaluated {
    /// `DayVerdict` bytes, one a day, followed by at least eight zero bytes.
    let verdicts: UnsafeMutablePointer<UInt8>
    /// Sums of the recent window by observation.
    fileprivate let recentSums: UnsafePointer<Double>
    fileprivate let observationDays: UnsafePointer<Int32>
    fileprivate let packed: SeriesPacking.Result
    fileprivate let recentDays: Int

    var isEmpty: Bool { packed.count == 0 }

    /// The sum of the recent window that ends on the day at `index`; nil where it has a gap.
    ///
    /// - Complexity: O(1) for a series without gaps, O(log observations) otherwise.
    @inline(__always)
    func recentSum(at index: Int) -> Double? {
      let observation: Int
      if packed.isContiguous {
        observation = index - packed.firstDay
        guard observation < packed.count else { return nil }
      } else {
        var low = 0
        var high = packed.count
        while low < high {
          let middle = (low + high) / 2
          if Int(observationDays[middle]) < index { low = middle + 1 } else { high = middle }
        }
        guard low < packed.count, Int(observationDays[low]) == index else { return nil }
        observation = low
      }
      let first = observation - recentDays + 1
      guard first >= 0 else { return nil }
      guard packed.isContiguous || Int(observationDays[first]) == index - recentDays + 1 else {
        return nil
      }
      return recentSums[observation]
    }
  }

  /// Evaluates the series `range` of `block`; at most `tileCapacity` of them.
  ///
  /// - Parameter judges: One for each metric of the block.
  func evaluateTile(_ range: Range<Int>, of block: ObservationBlock, judges: [MetricJudge]) {
    precondition(range.count <= tileCapacity && block.dayCount == dayCount)
    let padding = sums.padding
    let values = block.values
    packed.removeAll(keepingCapacity: true)
    for (slot, series) in range.enumerated() {
      let start = series * dayCount
      packed.append(
        SeriesPacking.pack(
          UnsafeBufferPointer(rebasing: values[start..<start + dayCount]),
          into: sums.input + slot * stride + padding,
          days: observationDays.pointer + slot * dayCount))
    }
    sums.compute(count: stride * range.count)
    verdicts.pointer.update(repeating: 0, count: dayStride * range.count)
    for (slot, series) in range.enumerated() where packed[slot].count > 0 {
      judge(slot: slot, with: judges[series % block.metricCount])
      let person = series / block.metricCount
      if suppressed[series % block.metricCount], let workouts = block.workouts(person: person) {
        let target = verdicts.pointer + slot * dayStride
        for day in 0..<dayCount {
          target[day] |= workouts[day] * DayVerdict.suppressed.rawValue
        }
      }
    }
  }

  /// For each metric of the block, whether workout days suppress it.
  var suppressed: [Bool] = []

  func evaluated(slot: Int) -> Evaluated {
    Evaluated(
      verdicts: verdicts.pointer + slot * dayStride,
      recentSums: sums.shortSums + slot * stride + sums.padding,
      observationDays: UnsafePointer(observationDays.pointer + slot * dayCount),
      packed: packed[slot], recentDays: settings.recentDays)
  }

  // MARK: From sums to verdicts

  private func judge(slot: Int, with judge: MetricJudge) {
    let series = packed[slot]
    let target = verdicts.pointer + slot * dayStride
    let offset = slot * stride + sums.padding
    let window = CompactSeries(
      recentSums: sums.shortSums + offset,
      poolSums: sums.longSums + offset - settings.recentDays,
      values: UnsafePointer(sums.input + offset),
      days: UnsafePointer(observationDays.pointer + slot * dayCount),
      packed: series, settings: settings)
    // From this observation on, a full pool lies within the horizon unless gaps stretch it.
    let full = max(settings.recentDays + settings.maxDays, settings.minTotalDays) - 1
    let isFast = settings.statistic == .mean && judge.lines.count <= 2
    let fastStart = isFast ? min(full, series.count) : series.count
    if series.isContiguous {
      let bytes = target + series.firstDay
      window.judgeOneByOne(0..<fastStart, with: judge, into: bytes)
      window.judgeFullWindows(fastStart..<series.count, with: judge, into: bytes)
    } else {
      let bytes = compactVerdicts.pointer
      window.judgeOneByOne(0..<fastStart, with: judge, into: bytes)
      window.judgeFullWindows(fastStart..<series.count, with: judge, into: bytes)
      window.mendGaps(fastStart..<series.count, fullWindow: full, with: judge, in: bytes)
      for observation in 0..<series.count {
        target[Int(window.days[observation])] = bytes[observation]
      }
    }
  }
}
