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

  /// The index of the day of an observation.
  @inline(__always)
  func day(of observation: Int) -> Int {
    packed.isContiguous ? packed.firstDay + observation : Int(days[observation])
  }

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
  /// Eight at a time and without a branch; the last few one by one.
  func judgeFullWindows(
    _ range: Range<Int>, with judge: MetricJudge, into bytes: UnsafeMutablePointer<UInt8>
  ) {
    guard !range.isEmpty, let first = judge.lines.first, let last = judge.lines.last else { return }
    let poolCount = Double(settings.maxDays)
    let sign = judge.sign
    let firstSlope = first.slope / poolCount * sign
    let lastSlope = last.slope / poolCount * sign
    let cleanSlope = judge.cleanSlope / poolCount * sign
    let zeroLimit = MetricJudge.zeroBaseline * poolCount
    var observation = range.lowerBound
    var needsCare = SIMDMask<SIMD8<Int64>>(repeating: false)
    while observation &+ 8 <= range.upperBound {
      let recent =
        UnsafeRawPointer(recentSums + observation).loadUnaligned(as: SIMD8<Double>.self) * sign
      let pool = UnsafeRawPointer(poolSums + observation).loadUnaligned(as: SIMD8<Double>.self)
      let deviates =
        (recent .<= firstSlope * pool + first.offset) .| (recent .<= lastSlope * pool + last.offset)
      needsCare .|= pool .<= zeroLimit
      var verdicts = Self.normal.replacing(with: Self.clean, where: recent .>= cleanSlope * pool)
      verdicts.replace(with: Self.deviating, where: deviates)
      UnsafeMutableRawPointer(bytes + observation).storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: verdicts), as: SIMD8<UInt8>.self)
      observation &+= 8
    }
    let rest = observation..<range.upperBound
    for observation in rest {
      bytes[observation] = fullWindowVerdict(observation, with: judge)
    }
    guard any(needsCare) else { return }
    // Baselines of 0 and below need other comparisons.
    for observation in range where poolSums[observation] <= zeroLimit {
      bytes[observation] = fullWindowVerdict(observation, with: judge)
    }
  }

  private static let deviating = SIMD8<Int64>(repeating: Int64(DayVerdict.deviating.rawValue))
  private static let normal = SIMD8<Int64>(repeating: Int64(DayVerdict.normal.rawValue))
  private static let clean = SIMD8<Int64>(
    repeating: Int64(DayVerdict([.normal, .clean]).rawValue))

  private func fullWindowVerdict(_ observation: Int, with judge: MetricJudge) -> UInt8 {
    judge.verdict(
      recentSum: recentSums[observation],
      baseline: poolSums[observation] / Double(settings.maxDays)
    ).rawValue
  }

  /// Corrects what `judgeFullWindows` assumed, for a series with gaps.
  ///
  /// - Parameter fullWindow: Observations before an observation that must lie within the horizon.
  func accountForGaps(
    _ range: Range<Int>, fullWindow: Int, with judge: MetricJudge,
    in bytes: UnsafeMutablePointer<UInt8>
  ) {
    let recentSpan = Int32(settings.recentDays - 1)
    let recentStart = settings.recentDays - 1
    let horizon = Int32(settings.horizonDays)
    let days = days
    var isStretched: UInt8 = 0
    // Spelled out for the compiler's vectors: no branch, no checked arithmetic.
    var observation = range.lowerBound
    while observation < range.upperBound {
      let day = days[observation]
      bytes[observation] &= day &- days[observation &- recentStart] == recentSpan ? 0xff : 0
      isStretched |= day &- days[observation &- fullWindow] > horizon ? 1 : 0
      observation &+= 1
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
      // A short pool is summed in the same order as the figures of an episode, so that a decision
      // and its explanation never differ, however many days are loaded before them.
      let isFull = size == settings.maxDays
      baseline =
        (isFull ? poolSums[observation] : sum(before: recentFirst, count: size)) / Double(size)
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
