import VigilKernels
import VigilModel

/// One series with the verdict of each day, on the axis of days.
struct EvaluatedSeries {
  /// One value a day, NaN where missing.
  let values: UnsafeBufferPointer<Double>
  /// `DayVerdict` bytes, one a day, followed by at least eight zero bytes.
  let verdicts: UnsafePointer<UInt8>
  let compact: CompactSeries

  /// The observation found last; most callers ask for days in order.
  private var cursor = 0

  init(
    values: UnsafeBufferPointer<Double>, verdicts: UnsafePointer<UInt8>, compact: CompactSeries
  ) {
    self.values = values
    self.verdicts = verdicts
    self.compact = compact
  }

  var isEmpty: Bool { compact.packed.count == 0 }

  /// The sum of the recent window that ends on the day at `index`; nil where it has a gap.
  ///
  /// - Complexity: O(1) for a series without gaps, otherwise O(missing days since the last call).
  @inline(__always)
  mutating func recentSum(at index: Int) -> Double? {
    guard let observation = observation(at: index) else { return nil }
    return compact.recentSums[observation]
  }

  /// The figures of the day at `index`, from the sums that decided on it.
  ///
  /// - Returns: Nil where only a plain evaluation gives them: for a broken recent window, a pool
  ///   that is not full, or a median.
  mutating func figures(
    at index: Int, firstDay: Day, against anchor: EpisodeFigures.Window?
  ) -> EpisodeFigures? {
    guard let observation = observation(at: index) else { return nil }
    let settings = compact.settings
    let baseline: EpisodeFigures.Window
    if let anchor {
      baseline = anchor
    } else {
      let first = observation - settings.fullWindow + 1
      guard first >= 0, settings.statistic == .mean,
        index - compact.day(of: first) <= settings.horizonDays
      else { return nil }
      baseline = EpisodeFigures.Window(
        value: compact.poolSums[observation] / Double(settings.maxDays),
        start: firstDay + compact.day(of: first),
        end: firstDay + compact.day(of: observation - settings.recentDays),
        count: settings.maxDays)
    }
    return EpisodeFigures(
      baseline: baseline,
      recent: EpisodeFigures.Window(
        value: compact.recentSums[observation] / Double(settings.recentDays),
        start: firstDay + (index - settings.recentDays + 1), end: firstDay + index,
        count: settings.recentDays))
  }

  /// The observation on the day at `index`, where the recent days before it have one each.
  @inline(__always)
  private mutating func observation(at index: Int) -> Int? {
    let packed = compact.packed
    let observation: Int
    if packed.isContiguous {
      observation = index - packed.firstDay
    } else {
      // Without gaps in between it would be this one; each missing day puts it one further back.
      let ahead = index - Int(compact.days[cursor])
      if ahead > 0 { cursor = min(cursor + ahead, packed.count - 1) }
      while cursor > 0, Int(compact.days[cursor]) > index { cursor -= 1 }
      observation = cursor
    }
    let first = observation - compact.settings.recentDays + 1
    guard first >= 0, observation < packed.count, compact.day(of: observation) == index,
      compact.day(of: first) == index - compact.settings.recentDays + 1
    else { return nil }
    return observation
  }
}
