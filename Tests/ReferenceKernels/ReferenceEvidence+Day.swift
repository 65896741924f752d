extension ReferenceEvidence {
  public enum State: String, Sendable {
    case unknown
    case normal
    case deviating
  }

  /// Figures of one window, evidence.md section 3.
  public struct Window: Equatable, Sendable {
    /// The number of observations.
    public var k: Int
    /// The day of the first observation.
    public var first: Int
    public var z: Double
    /// `A_k`, the mean of u.
    public var shift: Double
    /// `recent_k`, in the metric's unit.
    public var recent: Double
    public var isProven: Bool
    public var isHeld: Bool
    public var matters: Bool
  }

  /// Every figure of one day.
  public struct DayResult: Sendable {
    public var day: Int
    public var state: State
    /// `no_value`, `insufficient_baseline` or `recalibrating`; nil for a day that is not unknown.
    public var reason: String?
    /// Nil for an unknown day, as the next two.
    public var baseline: Baseline?
    /// `c(nb)`.
    public var threshold: Double?
    /// The windows that are allowed, the shortest first.
    public var windows: [Window]
    /// *The window* of a deviating day.
    public var window: Window?
  }

  /// Returns the figures of a day.
  ///
  /// Values after the day and before its horizon have no influence.
  public func day(
    _ day: Int, series: [(day: Int, value: Double)], past: Past = Past()
  ) -> DayResult {
    func unknown(_ reason: String) -> DayResult {
      DayResult(day: day, state: .unknown, reason: reason, windows: [])
    }
    guard series.contains(where: { $0.day == day }) else { return unknown("no_value") }
    let eligible = series.filter { observation in
      observation.day >= day - settings.horizonDays && observation.day <= day
        && observation.day >= past.baselineSince ?? .min
        && !past.excluded.contains { $0.contains(observation.day) }
    }
    let n = eligible.count
    let g = max(3, min(settings.baselineGuardDays, n / 3))
    let pool = Array(eligible.dropLast(g).suffix(settings.baselineMaxDays))
    guard pool.count >= settings.baselineMinDays else {
      return unknown(past.isRecalibrating ? "recalibrating" : "insufficient_baseline")
    }
    let baseline = baseline(of: pool)
    let c = metric.threshold(baselineDays: pool.count)

    let sinceLast = eligible.filter { $0.day > past.lastResolvedOn ?? .min }.count
    var windows: [Window] = []
    for k in settings.windows.sorted() where k <= g && k <= sinceLast {
      let span = eligible[n - 1].day - eligible[n - k].day
      if Double(span) < settings.spanFactor * Double(k) {
        windows.append(window(k, eligible, baseline, c))
      }
    }
    let candidates = windows.filter { $0.isProven && $0.isHeld && $0.matters }
    let largest = candidates.map(\.z).max() ?? 0
    let window = candidates.first { $0.z >= largest - 1e-9 }
    return DayResult(
      day: day, state: window == nil ? .normal : .deviating, baseline: baseline, threshold: c,
      windows: windows, window: window)
  }

  private func window(
    _ k: Int, _ eligible: [(day: Int, value: Double)], _ baseline: Baseline, _ c: Double
  ) -> Window {
    let first = eligible.count - k
    var S = 0.0
    var E = 0.0
    var sumOfU = 0.0
    var sumOfX = 0.0
    for j in first..<eligible.count {
      let (p, q) = memory(baseline, gap: eligible[j].day - eligible[j - 1].day)
      let u = badness(eligible[j], baseline)
      let v = (u - p * badness(eligible[j - 1], baseline)) / q
      let h = (j == first ? 1 : 1 - p) / q
      S += h * v
      E += h * h
      sumOfU += u
      sumOfX += eligible[j].value
    }
    let z = (S - settings.driftAllowance * E) / (E.squareRoot() * baseline.noise)
    let shift = sumOfU / Double(k)
    let recent = sumOfX / Double(k)
    return Window(
      k: k, first: eligible[first].day, z: z, shift: shift, recent: recent,
      isProven: z >= c - 1e-9, isHeld: shift * E >= settings.held * S - 1e-9,
      matters: metric.rules.contains { $0.matches(base: baseline.value, recent: recent) })
  }
}
