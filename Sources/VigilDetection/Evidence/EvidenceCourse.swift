import VigilModel

/// The course of an episode: each value is judged against the anchor of the day that opened it
/// (specification, evidence.md section 5).
struct EvidenceCourse {
  private let judge: EvidenceJudge
  private let anchor: EvidenceAnchor
  /// The shift that the episode is taken to have, in personal spreads.
  private let shift: Double
  /// Evidence for recovery, in nats.
  private(set) var evidence = 0.0
  /// Observations in a row of easing.
  private(set) var calmDays = 0
  /// The newest shifts, in their order.
  private var recent: [Double]
  private var lastDay: Int32

  /// - Parameters:
  ///   - last: The place of the observation of the opening day, or the last one before it.
  ///   - series: The observations that were eligible then.
  init(
    of opening: EpisodeEvidence, endingAt last: Int, of series: EligibleSeries,
    by judge: EvidenceJudge
  ) {
    self.judge = judge
    anchor = opening.anchor
    let levels = judge.settings.recovery.levels
    shift = max(levels.lowerBound, min(levels.upperBound, opening.shift))
    let first = max(0, last + 1 - judge.settings.recovery.recentDays)
    recent = (first..<last + 1).map { place in
      judge.shift(of: series.y[place], weekday: series.weekdays[place], from: opening.anchor)
    }
    lastDay = last >= 0 ? series.days[last] : .min
  }

  /// Whether the newest values are closer to what is usual than to the shift.
  private(set) var isEasing = false

  /// Whether the change is over, once it is easing.
  var isOver: Bool {
    isEasing
      && (evidence >= judge.settings.recovery.evidence
        || calmDays >= judge.settings.recovery.calmDays)
  }

  /// Takes the next observation.
  mutating func take(_ y: Double, weekday: UInt8, day: Int32) {
    let u = judge.shift(of: y, weekday: weekday, from: anchor)
    if let before = recent.last {
      let p = judge.correlation(anchor.autocorrelation, over: day - lastDay)
      let q = (1 - p * p).squareRoot()
      let v = (u - p * before) / q
      let stay = shift * (1 - p) / q
      let scale = 2 * anchor.noise * anchor.noise
      let unchanged = (v - stay) * (v - stay)
      let turn = v + p * shift / q
      let jump = (unchanged - turn * turn) / scale
      let back = (unchanged - v * v) / scale
      evidence = max(0, jump, evidence > 0 ? evidence + back : 0)
    }
    if recent.count == judge.settings.recovery.recentDays { recent.removeFirst() }
    recent.append(u)
    lastDay = day
    // Two usual days after one that is clipped may be the very half: rounding must not decide.
    isEasing =
      recent.reduce(0, +) / Double(recent.count) < shift / 2 - EvidenceJudge.tolerance
    calmDays = isEasing ? calmDays + 1 : 0
  }
}
