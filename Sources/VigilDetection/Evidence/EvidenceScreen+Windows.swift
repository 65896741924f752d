import VigilKernels
import VigilModel

extension EvidenceScreen {
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
}
