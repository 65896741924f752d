import VigilKernels

/// The observations of one series with their rolling sums, on the axis of observations.
struct CompactSeries {
  /// `recentSums[i]`: sum of the recent window that ends at observation `i`.
  let recentSums: UnsafePointer<Double>
  /// `poolSums[i]`: sum of the `maxDays` observations before the recent window of `i`.
  let poolSums: UnsafePointer<Double>
  let values: UnsafePointer<Double>
  /// Day index of each observation; only where the series has gaps.
  let days: UnsafePointer<Int32>
  let packed: SeriesPacking.Result
  let settings: EvaluationSettings

  /// Judges observations whose pool may be short, one after the other.
  func judgeOneByOne(
    _ range: Range<Int>, with judge: MetricJudge, into bytes: UnsafeMutablePointer<UInt8>
  ) {
    var horizonStart = 0
    for observation in range {
      let inHorizon: Int
      if packed.isContiguous {
        inHorizon = min(observation, settings.horizonDays) + 1
      } else {
        let earliest = Int(days[observation]) - settings.horizonDays
        while Int(days[horizonStart]) < earliest { horizonStart += 1 }
        inHorizon = observation - horizonStart + 1
      }
      bytes[observation] = verdict(observation, inHorizon: inHorizon, with: judge).rawValue
    }
  }

  /// Judges observations as if each had a full pool and an unbroken recent window.
  ///
  /// The loop has no branch, so that the compiler can use vector instructions.
  func judgeFullWindows(
    _ range: Range<Int>, with judge: MetricJudge, into bytes: UnsafeMutablePointer<UInt8>
  ) {
    guard !range.isEmpty, let first = judge.lines.first, let last = judge.lines.last else { return }
    let poolCount = Double(settings.maxDays)
    let sign = judge.sign
    let firstSlope = first.slope / poolCount * sign
    let lastSlope = last.slope / poolCount * sign
    let (firstOffset, lastOffset) = (first.offset, last.offset)
    let cleanSlope = judge.cleanSlope / poolCount * sign
    let zeroLimit = MetricJudge.zeroBaseline * poolCount
    let recentSums = recentSums
    let poolSums = poolSums
    var needsCare: UInt8 = 0
    for observation in range {
      let recent = recentSums[observation] * sign
      let pool = poolSums[observation]
      let firstLimit = firstSlope * pool + firstOffset
      let lastLimit = lastSlope * pool + lastOffset
      let deviates: UInt8 = recent <= firstLimit ? 1 : 0
      let deviatesToo: UInt8 = recent <= lastLimit ? 1 : 0
      let isClean: UInt8 = recent >= cleanSlope * pool ? 4 : 0
      let deviating = deviates | deviatesToo
      // 1 when deviating; otherwise 2, and 4 on top when clean.
      bytes[observation] = deviating | ((2 | isClean) & (deviating &- 1))
      needsCare |= pool > zeroLimit ? 0 : 1
    }
    guard needsCare != 0 else { return }
    // Baselines of 0 and below follow other comparisons.
    for observation in range where !(poolSums[observation] > zeroLimit) {
      bytes[observation] =
        judge.verdict(
          recentSum: recentSums[observation], baseline: poolSums[observation] / poolCount
        ).rawValue
    }
  }

  /// Corrects what `judgeFullWindows` assumed, for a series with gaps.
  ///
  /// - Parameter fullWindow: Observations before an observation that must lie within the horizon.
  func mendGaps(
    _ range: Range<Int>, fullWindow: Int, with judge: MetricJudge,
    in bytes: UnsafeMutablePointer<UInt8>
  ) {
    let recentSpan = Int32(settings.recentDays - 1)
    let recentStart = settings.recentDays - 1
    let horizon = Int32(settings.horizonDays)
    let days = days
    var isStretched: UInt8 = 0
    for observation in range {
      let day = days[observation]
      bytes[observation] &= day &- days[observation - recentStart] == recentSpan ? 0xff : 0
      isStretched |= day &- days[observation - fullWindow] > horizon ? 1 : 0
    }
    guard isStretched != 0 else { return }
    var horizonStart = 0
    for observation in range where days[observation] - days[observation - fullWindow] > horizon {
      let earliest = days[observation] - horizon
      while days[horizonStart] < earliest { horizonStart += 1 }
      bytes[observation] =
        verdict(observation, inHorizon: observation - horizonStart + 1, with: judge).rawValue
    }
  }

  private func verdict(_ observation: Int, inHorizon: Int, with judge: MetricJudge) -> DayVerdict {
    let recentFirst = observation - settings.recentDays + 1
    guard recentFirst >= 0 else { return .unknown }
    guard
      packed.isContiguous || Int(days[observation] - days[recentFirst]) == settings.recentDays - 1
    else { return .unknown }
    let size = settings.poolSize(observations: inHorizon)
    guard size > 0 else { return .unknown }
    let baseline: Double
    switch settings.statistic {
    case .mean:
      let isWhole = size == min(recentFirst, settings.maxDays)
      baseline =
        (isWhole ? poolSums[observation] : sum(before: recentFirst, count: size)) / Double(size)
    case .median:
      baseline = withUnsafeTemporaryAllocation(of: Double.self, capacity: size) { pool in
        _ = pool.initialize(
          from: UnsafeBufferPointer(start: values + recentFirst - size, count: size))
        return median(pool)
      }
    }
    return judge.verdict(recentSum: recentSums[observation], baseline: baseline)
  }

  private func sum(before end: Int, count: Int) -> Double {
    var sum = 0.0
    for position in end - count..<end { sum += values[position] }
    return sum
  }
}
