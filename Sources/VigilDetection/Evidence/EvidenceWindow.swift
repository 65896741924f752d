import VigilModel

/// The newest observations of a day, and what they show (specification, evidence.md section 3).
struct EvidenceWindow {
  /// Observations in the window.
  var count: Int
  /// The place of its first observation among the eligible ones.
  var first: Int
  /// The distance from what is usual, in standard deviations of such windows.
  var z: Double
  /// The mean shift in personal spreads; positive is bad.
  var shift: Double
  /// The mean of the raw values.
  var recent: Double
  /// Whether its mean shows enough of the estimated shift.
  var isHeld: Bool
  /// Whether a rule of the metric matches.
  var matters: Bool

  /// Whether it makes the day deviate.
  @inline(__always)
  func isDeviating(threshold: Double) -> Bool {
    isHeld && matters && z >= threshold - EvidenceJudge.tolerance
  }
}

extension EvidenceJudge {
  /// Figures that differ by no more than this count as equal: sums in another order differ less.
  static let tolerance = 1e-9

  /// Goes through the windows that end with the observation at `last`, shortest first.
  ///
  /// - Parameters:
  ///   - guardCount: The newest observations that are not in the pool.
  ///   - fresh: The eligible observations since the last episode of the series.
  ///   - body: Called for each allowed window.
  /// - Complexity: O(longest window).
  @inline(__always)
  func forEachWindow(
    endingAt last: Int, of series: EligibleSeries, guardCount: Int, fresh: Int, pool: EvidencePool,
    _ body: (EvidenceWindow) -> Void
  ) {
    let anchor = pool.anchor
    let rho = anchor.autocorrelation
    let longest = min(guardCount, fresh)
    let nearQ = (1 - rho * rho).squareRoot()
    // Sums over the observations of the window but its first.
    var (s, e) = (0.0, 0.0)
    var (shifts, recents) = (0.0, 0.0)
    var next = 0
    var newer = shift(
      of: series.y[last], weekday: series.weekdays[last], from: anchor)
    var place = last
    var count = 1
    while next < settings.windows.count, settings.windows[next] <= longest {
      let older = shift(
        of: series.y[place - 1], weekday: series.weekdays[place - 1], from: anchor)
      let gap = series.days[place] - series.days[place - 1]
      let p = correlation(rho, over: gap)
      let q = gap == 1 ? nearQ : (1 - p * p).squareRoot()
      let v = (newer - p * older) / q
      shifts += newer
      recents += series.x[place]
      if count == settings.windows[next] {
        next += 1
        let span = Double(series.days[last] - series.days[place])
        if span < settings.spanFactor * Double(count) {
          let sum = s + v / q
          let weight = e + 1 / (q * q)
          let shift = shifts / Double(count)
          let recent = recents / Double(count)
          body(
            EvidenceWindow(
              count: count, first: place,
              z: (sum - settings.driftAllowance * weight) / (weight.squareRoot() * anchor.noise),
              shift: shift, recent: recent,
              isHeld: shift * weight >= settings.held * sum - Self.tolerance,
              matters: rules.matters(recent: recent, base: pool.base)))
        }
      }
      let h = (1 - p) / q
      s += h * v
      e += h * h
      newer = older
      place -= 1
      count += 1
    }
  }

  /// The window that makes the day of the observation at `last` deviate: the one with the largest `z`, of equal
  /// ones the shortest; nil where there is none.
  func deviatingWindow(
    endingAt last: Int, of series: EligibleSeries, guardCount: Int, fresh: Int, pool: EvidencePool
  ) -> EvidenceWindow? {
    let threshold = prior.thresholds.threshold(poolSize: pool.range.count)
    var found: [EvidenceWindow] = []
    forEachWindow(
      endingAt: last, of: series, guardCount: guardCount, fresh: fresh, pool: pool
    ) { window in
      if window.isDeviating(threshold: threshold) { found.append(window) }
    }
    guard let most = found.map(\.z).max() else { return nil }
    return found.first { $0.z >= most - Self.tolerance }
  }
}
