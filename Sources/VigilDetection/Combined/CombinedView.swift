import VigilModel

/// The usual values of one metric on a day, and the evidence of its newest values (specification, evidence-person.md
/// sections 1 and 2).
struct CombinedView {
  let pool: EvidencePool
  /// By window; nil where the metric does not take part.
  var windows: [Window?]

  /// The observations of one metric in a calendar window.
  struct Window {
    /// Observations.
    var count: Int
    /// The place of the first among the eligible ones.
    var first: Int
    /// The evidence, not above the cap.
    var z: Double
    /// The mean shift in personal spreads; positive is bad.
    var shift: Double
    /// The mean of the raw values.
    var recent: Double
    /// Whether a rule matches in its weak form.
    var matters: Bool
  }
}

/// The places of the observations of one metric that count on a day.
struct CombinedPlaces: BitwiseCopyable {
  /// The first that is eligible, and the newest.
  var first: Int
  var last: Int

  /// Eligible observations.
  var count: Int { last - first + 1 }
}

extension CombinedJudge {
  /// Counts the observations of a metric in the windows that end on `day`, which is not before the one of the last call.
  ///
  /// - Parameters:
  ///   - member: The metric.
  ///   - since: The first day that a window may reach back to.
  /// - Complexity: O(windows) for days in their order.
  func countWindows(
    of member: Int, _ places: CombinedPlaces, of series: EligibleSeries, day: Int, since: Int
  ) {
    let (counts, starts) = (self.day.counts(of: member), self.day.starts(of: member))
    let most = evidence.guardCount(eligible: places.count)
    let days = series.days
    let end = places.last + 1
    for window in 0..<self.day.windows {
      let length = settings.windowsDays[window]
      let first = day - length + 1
      var start = starts[window]
      while start < end, Int(days[start]) < first { start += 1 }
      starts[window] = start
      let count = end - max(start, places.first)
      counts[window] =
        first >= since && count >= 2 && count <= most && 2 * count >= length ? Int32(count) : 0
    }
  }

  /// The baseline of a metric and its evidence in each window that it takes part in.
  ///
  /// - Parameters:
  ///   - counts: Those of `countWindows`.
  /// - Complexity: O(pool + longest window).
  func view(
    _ member: Member, _ places: CombinedPlaces, counts: UnsafePointer<Int32>,
    of series: EligibleSeries
  ) -> CombinedView {
    let counts = UnsafeBufferPointer(start: counts, count: settings.windowsDays.count)
    let poolEnd = places.last + 1 - evidence.guardCount(eligible: places.count)
    let size = evidence.poolSize(eligible: places.count)
    let judge = member.judge
    let pool = judge.pool(poolEnd - size..<poolEnd, of: series)
    let anchor = pool.anchor
    // A short baseline is believed less.
    let trust = judge.prior.thresholds.trust(poolSize: size)
    var view = CombinedView(pool: pool, windows: Array(repeating: nil, count: counts.count))
    // Sums over the observations of the window but its first.
    var (s, e) = (0.0, 0.0)
    var (shifts, recents) = (0.0, 0.0)
    var place = places.last
    let longest = Int(counts.max() ?? 0)
    var count = 1
    var newer = judge.shift(of: series.y[place], weekday: series.weekdays[place], from: anchor)
    while count <= longest {
      let older = judge.shift(
        of: series.y[place - 1], weekday: series.weekdays[place - 1], from: anchor)
      let p = judge.correlation(
        anchor.autocorrelation, over: series.days[place] - series.days[place - 1])
      let q = (1 - p * p).squareRoot()
      let v = (newer - p * older) / q
      shifts += newer
      recents += series.x[place]
      if counts.contains(Int32(count)) {
        let weight = e + 1 / (q * q)
        let shift = shifts / Double(count)
        let recent = recents / Double(count)
        // A jump counts at most twice what the level kept.
        let sum = min(s + v / q, shift * weight / evidence.held)
        let z =
          (sum - evidence.driftAllowance * weight) / (weight.squareRoot() * anchor.noise) * trust
        let window = CombinedView.Window(
          count: count, first: place, z: min(z, settings.evidenceCap), shift: shift,
          recent: recent, matters: member.weakRules.matters(recent: recent, base: pool.base))
        for index in counts.indices where Int(counts[index]) == count {
          view.windows[index] = window
        }
      }
      let h = (1 - p) / q
      s += h * v
      e += h * h
      newer = older
      place -= 1
      count += 1
    }
    return view
  }
}
