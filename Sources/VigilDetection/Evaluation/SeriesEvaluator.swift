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
  /// The largest number of series in one tile.
  let tileCapacity: Int

  private let sums: RollingSums
  private let stride: Int
  private let dayStride: Int
  private let observationDays: AlignedBuffer<Int32>
  private let verdicts: AlignedBuffer<UInt8>
  private let compactVerdicts: AlignedBuffer<UInt8>
  private var packed: [SeriesPacking.Result] = []

  /// Doubles in each vector of one tile: five such vectors fit the second-level cache.
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

  /// Evaluates `tile`, the indices of some series of `input`; at most `tileCapacity` of them.
  ///
  /// - Parameter judges: One for each metric of the input.
  func evaluateTile(_ tile: [Int], of input: DetectionInput, judges: [MetricJudge]) {
    precondition(tile.count <= tileCapacity && input.dayCount == dayCount)
    let padding = sums.padding
    let metricCount = input.metricCount
    packed.removeAll(keepingCapacity: true)
    for (slot, series) in tile.enumerated() {
      packed.append(
        SeriesPacking.pack(
          input.values(person: series / metricCount, metric: series % metricCount),
          into: sums.input + slot * stride + padding,
          days: observationDays.pointer + slot * dayCount))
    }
    sums.compute(count: stride * tile.count)
    verdicts.pointer.update(repeating: 0, count: dayStride * tile.count)
    for (slot, series) in tile.enumerated() where packed[slot].count > 0 {
      let (person, metric) = (series / metricCount, series % metricCount)
      judge(slot: slot, with: judges[metric])
      if suppressed[metric], let workouts = input.block.workouts(person: person) {
        let target = verdicts.pointer + slot * dayStride
        for day in 0..<dayCount {
          target[day] |= workouts[day] * DayVerdict.suppressed.rawValue
        }
      }
    }
  }

  /// For each metric of the input, whether workout days suppress it.
  var suppressed: [Bool] = []

  /// One series of the tile evaluated last.
  func evaluated(slot: Int, values: UnsafeBufferPointer<Double>) -> EvaluatedSeries {
    EvaluatedSeries(
      values: values, verdicts: UnsafePointer(verdicts.pointer + slot * dayStride),
      compact: compact(slot: slot))
  }

  private func compact(slot: Int) -> CompactSeries {
    let offset = slot * stride + sums.padding
    return CompactSeries(
      recentSums: sums.shortSums + offset,
      poolSums: sums.longSums + offset - settings.recentDays,
      values: UnsafePointer(sums.input + offset),
      days: UnsafePointer(observationDays.pointer + slot * dayCount),
      packed: packed[slot], settings: settings)
  }

  // MARK: From sums to verdicts

  private func judge(slot: Int, with judge: MetricJudge) {
    let series = packed[slot]
    let target = verdicts.pointer + slot * dayStride
    let window = compact(slot: slot)
    // From this observation on, a full pool is within the horizon unless the series has gaps.
    let full = max(settings.fullWindow, settings.minTotalDays) - 1
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
      window.accountForGaps(fastStart..<series.count, fullWindow: full, with: judge, in: bytes)
      for observation in 0..<series.count {
        target[Int(window.days[observation])] = bytes[observation]
      }
    }
  }
}
