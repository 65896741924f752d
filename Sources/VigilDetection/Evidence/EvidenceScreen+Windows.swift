import VigilKernels
import VigilModel

extension EvidenceScreen {
  /// Whether a window can have the evidence it needs.
  ///
  /// - Parameters:
  ///   - index: Of the window.
  /// - Complexity: O(window).
  func mayBeProven(
    window index: Int, endingAt last: Int, of series: EligibleSeries, spread: Double,
    threshold: Double
  ) -> Bool {
    let first = last + 1 - offsets[index]
    let days = series.days
    let length = offsets[index]
    guard Double(days[last] - days[first]) < settings.spanFactor * Double(length) else {
      return false
    }
    let sums = sums(ofWindow: first, endingAt: last, of: series, spread: spread)
    let bound = bound(
      window: index, gaps: sums.gaps, beginsAfterGap: days[first] &- days[first &- 1] != 1)
    // Far more than what rounding can have changed.
    return bound.evidence(sums.sums) >= threshold - 1e-6
  }

  /// The sums of a window that bound its evidence, and its gaps.
  ///
  /// - Precondition: `means` are those of the estimate with this spread.
  /// - Complexity: O(window).
  func sums(
    ofWindow first: Int, endingAt last: Int, of series: EligibleSeries, spread: Double
  ) -> (sums: EvidenceBound.Sums, gaps: Int) {
    let days = series.days
    let scale = 1 / spread
    func shift(_ place: Int) -> Double {
      let mean = means.pointer[Int(series.weekdays[place])]
      let spreads = direction * (pool.distance(place, of: series) - mean) * scale
      return min(max(spreads, -settings.clip), settings.clip)
    }
    let before = shift(first - 1)
    var earlier = shift(first)
    let jump = max(0, earlier) + max(0, -before)
    var sums = EvidenceBound.Sums(shifts: earlier, newest: 0, jump: jump)
    var gaps = 0
    let hasGap = Int(days[last] - days[first]) > last - first
    for place in first + 1..<last + 1 {
      let newer = shift(place)
      sums.shifts += newer
      if hasGap, days[place] &- days[place &- 1] != 1 {
        gaps += 1
        let around = max(0, earlier + newer)
        if days[place] &- days[place &- 1] == 2 {
          sums.aroundShortGaps += around
        } else {
          sums.aroundLongGaps += around
        }
      }
      earlier = newer
    }
    sums.newest = max(0, earlier)
    sums.shifts = max(0, sums.shifts)
    return (sums, gaps)
  }

  /// Whether a rule may match, given what rounding can have changed.
  func mayMatter(recent: Double, base: Double, by rules: MetricJudge) -> Bool {
    let slack = pool.rawSlack + 1e-9 * (abs(recent) + abs(base))
    for line in rules.lines {
      if line.isRelative && base + slack <= 0 { continue }
      if line.kind == .absoluteDropBelow && recent > base + slack { continue }
      let sign = rules.sign
      if sign * recent <= line.slope * (sign * base) + line.offset + slack * (2 + abs(line.slope)) {
        return true
      }
    }
    return false
  }
}
