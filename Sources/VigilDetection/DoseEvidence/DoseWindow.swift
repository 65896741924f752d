import CMath
import VigilModel

/// The newest observations of a day, and the doses missed on them (specification, evidence-doses.md section 3).
struct DoseWindow {
  /// Observations in the window.
  var count: Int
  /// The place of its first observation among the eligible ones.
  var first: Int
  /// The doses missed.
  var missed = 0
  /// The doses expected.
  var expected = 0
  /// Observations with a missed dose.
  var missedDays = 0
  /// The doses missed, by their weight.
  var countedMissed = 0.0
  /// The doses expected, by their weight.
  var counted = 0.0
  /// The usual misses, by their weight.
  var usuallyMissed = 0.0
  /// The evidence for another share of missed doses than the usual one, in nats.
  var evidence = 0.0
  /// Whether the change is large enough.
  var matters = false

  var missedShare: Double { Double(missed) / Double(expected) }

  /// The usual share of missed doses of such a window.
  var usualShare: Double { usuallyMissed / counted }
}

extension DoseJudge {
  /// Goes through the windows that end with the observation at `last`, shortest first.
  ///
  /// - Parameters:
  ///   - longest: The most observations of a window.
  ///   - body: Called for each window that begins with a missed dose.
  /// - Complexity: O(longest).
  func forEachWindow(
    endingAt last: Int, of series: DoseSeries, longest: Int, against anchor: DoseAnchor,
    _ body: (DoseWindow) -> Void
  ) {
    let longest = min(longest, settings.doses.windows.upperBound)
    var window = DoseWindow(count: 0, first: last + 1)
    while window.count < longest {
      window.first -= 1
      window.count += 1
      let observation = series.observations[window.first]
      guard belongs(observation) else { return }
      let weight = anchor.weight(ofDoses: observation.expected)
      let counted = weight * Double(observation.expected)
      window.missed += observation.missed
      window.expected += observation.expected
      window.countedMissed += weight * Double(observation.missed)
      window.counted += counted
      window.usuallyMissed += counted * anchor.weekdays[Int(observation.weekday)]
      guard observation.missed > 0 else { continue }
      window.missedDays += 1
      guard window.count >= settings.doses.windows.lowerBound else { continue }
      window.evidence = evidence(of: window, against: anchor)
      window.matters = matters(window, against: anchor)
      body(window)
    }
  }

  /// The window that decides about the day of the observation at `last`: of those that matter the one with the
  /// most evidence, of equal ones the shortest; nil where none matters.
  func decidingWindow(
    endingAt last: Int, of series: DoseSeries, longest: Int, against anchor: DoseAnchor
  ) -> DoseWindow? {
    var found: DoseWindow?
    forEachWindow(endingAt: last, of: series, longest: longest, against: anchor) { window in
      guard window.matters else { return }
      if let most = found?.evidence, window.evidence <= most + Self.tolerance { return }
      found = window
    }
    return found
  }

  /// Whether a window makes its day deviate.
  func isEnough(_ window: DoseWindow, poolSize: Int) -> Bool {
    window.evidence >= settings.thresholds.threshold(poolSize: poolSize) - Self.tolerance
  }

  private func evidence(of window: DoseWindow, against anchor: DoseAnchor) -> Double {
    let (m, n, n0) = (window.countedMissed, window.counted, anchor.countedDoses)
    let usual = window.usualShare
    var ratio = 0.0
    if m / n > usual {
      let k0 = n0 * usual
      let both = (m + k0) / (n + n0)
      ratio =
        Self.term(m, of: n * both) + Self.term(max(n - m, 0), of: n * (1 - both))
        + Self.term(k0, of: n0 * both) + Self.term(n0 - k0, of: n0 * (1 - both))
    }
    // Some days of partly missed doses are how forgetfulness looks; where nothing was taken, there is no doubt.
    let isPartly = window.missed < window.expected
    return ratio / anchor.spread - (isPartly ? settings.doses.shortRun / Double(window.count) : 0)
  }

  /// The term of a likelihood ratio of a count; 0 for none.
  private static func term(_ count: Double, of expected: Double) -> Double {
    count > 0 ? count * log(count / expected) : 0
  }

  private func matters(_ window: DoseWindow, against anchor: DoseAnchor) -> Bool {
    let doses = settings.doses
    let (share, base) = (window.missedShare, anchor.missedShare)
    guard window.missedDays >= doses.missedDays, share > base else { return false }
    let fall = share - base
    return fall >= doses.fall - Self.tolerance
      || fall >= doses.lowFall - Self.tolerance && 1 - share < doses.low - Self.tolerance
  }
}
