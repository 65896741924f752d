import VigilKernels
import VigilModel

/// A window that proves a change of several metrics together (specification, evidence-person.md section 3).
struct CombinedFinding {
  /// The index of the window among those of the settings.
  var window: Int
  /// The contributing metrics.
  var set: Int
  /// The metrics that take part.
  var takingPart: Int
  var evidence: Double
  var threshold: Double
}

extension CombinedJudge {
  /// The window that proves a change on a day: of the proven ones the one that exceeds its threshold most, of equal
  /// ones the shortest; nil where there is none.
  ///
  /// - Parameters:
  ///   - hasValue: The metrics with a value on the day.
  ///   - views: By metric; nil where it does not count in any window.
  func finding(hasValue: Int, views: [CombinedView?]) -> CombinedFinding? {
    var found: [CombinedFinding] = []
    for window in 0..<day.windows {
      let set = day.takingPart.pointer[window]
      guard set & hasValue != 0 else { continue }
      var counting = 0
      for (index, view) in views.enumerated() {
        guard let own = view?.windows[window], own.matters, own.z >= settings.metricEvidence else {
          continue
        }
        counting |= 1 << index
      }
      guard let best = bestSet(of: counting, z: { views[$0]?.windows[window]?.z ?? 0 }) else {
        continue
      }
      let threshold = settings.threshold(metricsTakingPart: set.nonzeroBitCount)
      guard best.evidence >= threshold - EvidenceJudge.tolerance else { continue }
      found.append(
        CombinedFinding(
          window: window, set: best.set, takingPart: set, evidence: best.evidence,
          threshold: threshold))
    }
    guard let most = found.map({ $0.evidence - $0.threshold }).max() else { return nil }
    return found.first { $0.evidence - $0.threshold >= most - EvidenceJudge.tolerance }
  }

  /// The metrics that may contribute to a proven window of the day; none on most days.
  ///
  /// - Parameters:
  ///   - hasValue: The metrics with a value on the day.
  ///   - tightBound: A smaller bound of a metric's evidence in a window, asked for where the one at hand does not
  ///     exclude it.
  /// - Precondition: The memory of the day holds bounds for each metric that takes part.
  func mayContribute(hasValue: Int, tightBound: (_ member: Int, _ window: Int) -> Double) -> Int {
    var needed = 0
    for window in 0..<day.windows {
      let set = day.takingPart.pointer[window]
      guard set & hasValue != 0 else { continue }
      var counting = 0
      var rest = set
      while rest != 0 {
        let member = rest.trailingZeroBitCount
        if day.bounds(of: member)[window] >= settings.metricEvidence { counting |= 1 << member }
        rest &= rest - 1
      }
      guard counting & (counting - 1) != 0 else { continue }
      // Far less than what rounding can have changed.
      let threshold = settings.threshold(metricsTakingPart: set.nonzeroBitCount) - 1e-6
      guard mayReach(threshold, counting: counting, z: { day.bounds(of: $0)[window] }) else {
        continue
      }
      rest = counting
      while rest != 0 {
        let member = rest.trailingZeroBitCount
        let bound = min(day.bounds(of: member)[window], tightBound(member, window))
        day.bounds(of: member)[window] = bound
        if bound < settings.metricEvidence - 1e-6 { counting &= ~(1 << member) }
        rest &= rest - 1
      }
      if mayReach(threshold, counting: counting, z: { day.bounds(of: $0)[window] }) {
        needed |= counting
      }
    }
    return needed
  }
}
