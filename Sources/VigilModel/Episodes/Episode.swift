/// A deviation of one metric of one person, from its first day to its resolution.
///
/// ```swift
/// guard let start = Day("2026-06-24") else { return }
/// let figures = EpisodeFigures(
///   baseline: .init(value: 8_000, start: start - 21, end: start - 1, count: 21),
///   recent: .init(value: 4_000, start: start + 4, end: start + 6, count: 3))
/// let episode = Episode(
///   activeSince: start, lastEvaluated: start + 6, duration: 7, level: .day7, figures: figures)
/// print(episode.lastDeviating, episode.isActive)  // 2026-06-30 true
/// ```
///
/// Rows of `pattern_alert_state` hold one episode each (specification, episodes.md).
public struct Episode: Hashable, Sendable {
  /// First day of the recent window of the day that began the run; the natural key within a series.
  public var activeSince: Day
  /// The last day that changed this episode: its last counted deviating day or its resolution.
  public var lastEvaluated: Day
  /// Days from `activeSince` to the last counted deviating day, both included
  /// (column `consecutive_true_days`).
  public var duration: Int
  public var level: AlertLevel
  /// The baseline and the recent value of the last counted deviating day; with evidence, those of the day
  /// that opened it.
  public var figures: EpisodeFigures
  /// The evidence that it opened with; nil where means are compared, for doses, and for several metrics together.
  public var evidence: EpisodeEvidence? {
    get {
      guard case .series(let evidence) = boxedEvidence else { return nil }
      return evidence
    }
    set { boxedEvidence = newValue.map(BoxedEvidence.series) }
  }
  /// The evidence that an episode of several metrics together opened with; nil for one metric.
  public var combined: CombinedEvidence? {
    get {
      guard case .person(let evidence) = boxedEvidence else { return nil }
      return evidence
    }
    set { boxedEvidence = newValue.map(BoxedEvidence.person) }
  }
  /// The evidence that an episode of missed doses opened with; nil for others.
  public var doses: DoseEvidence? {
    get {
      guard case .doses(let evidence) = boxedEvidence else { return nil }
      return evidence
    }
    set { boxedEvidence = newValue.map(BoxedEvidence.doses) }
  }
  /// The figures that an alert of silence opened with; nil for others.
  public var silence: SilenceEvidence? {
    get {
      guard case .silence(let evidence) = boxedEvidence else { return nil }
      return evidence
    }
    set { boxedEvidence = newValue.map(BoxedEvidence.silence) }
  }
  /// The limit and the value that an alert of a limit opened with; nil for others.
  public var limit: LimitEvidence? {
    get {
      guard case .limit(let evidence) = boxedEvidence else { return nil }
      return evidence
    }
    set { boxedEvidence = newValue.map(BoxedEvidence.limit) }
  }
  /// Nil while the episode is active.
  public var resolution: Resolution?

  /// Kept aside, as episodes of most profiles have none and are copied by the million.
  private var boxedEvidence: BoxedEvidence?

  private indirect enum BoxedEvidence: Hashable {
    case series(EpisodeEvidence)
    case person(CombinedEvidence)
    case doses(DoseEvidence)
    case silence(SilenceEvidence)
    case limit(LimitEvidence)
  }

  public init(
    activeSince: Day, lastEvaluated: Day, duration: Int, level: AlertLevel,
    figures: EpisodeFigures, resolution: Resolution? = nil
  ) {
    self.activeSince = activeSince
    self.lastEvaluated = lastEvaluated
    self.duration = duration
    self.level = level
    self.figures = figures
    self.resolution = resolution
  }

  /// An episode that was found by evidence, where that is not nil.
  public init(
    activeSince: Day, lastEvaluated: Day, duration: Int, level: AlertLevel,
    figures: EpisodeFigures, evidence: EpisodeEvidence?, resolution: Resolution? = nil
  ) {
    self.init(
      activeSince: activeSince, lastEvaluated: lastEvaluated, duration: duration, level: level,
      figures: figures, resolution: resolution)
    if let evidence { self.evidence = evidence }
  }

  /// An episode of several metrics together.
  public init(
    activeSince: Day, lastEvaluated: Day, duration: Int, level: AlertLevel,
    combined: CombinedEvidence, resolution: Resolution? = nil
  ) {
    self.init(
      activeSince: activeSince, lastEvaluated: lastEvaluated, duration: duration, level: level,
      figures: EpisodeFigures(combined), resolution: resolution)
    self.combined = combined
  }

  /// The figures of its opening that all kinds of evidence have.
  public struct Opening: Hashable, Sendable {
    /// The day on which the evidence was enough.
    public var openedOn: Day
    /// Observations of the window; of several metrics together, its days of the calendar; of a limit the values
    /// that it took; nil for silence.
    public var windowDays: Int?
    /// In standard deviations of such windows; of missed doses in nats; of a limit the value; nil for silence.
    public var evidence: Double?
    /// The evidence that was needed; of silence the days, of a limit the limit.
    public var threshold: Double
    /// The mean of the window in personal spreads; nil for doses, silence and limits.
    public var shift: Double?
  }

  /// The evidence that it opened with, of whatever kind; nil where means are compared.
  public var opening: Opening? {
    switch boxedEvidence {
    case .series(let found):
      Opening(
        openedOn: found.openedOn, windowDays: found.windowDays, evidence: found.z,
        threshold: found.threshold, shift: found.shift)
    case .person(let found):
      Opening(
        openedOn: found.openedOn, windowDays: found.windowDays, evidence: found.evidence,
        threshold: found.threshold, shift: found.shift)
    case .doses(let found):
      Opening(
        openedOn: found.openedOn, windowDays: found.windowDays, evidence: found.evidence,
        threshold: found.threshold, shift: nil)
    case .silence(let found):
      Opening(
        openedOn: found.openedOn, windowDays: nil, evidence: nil,
        threshold: Double(found.threshold), shift: nil)
    case .limit(let found):
      Opening(
        openedOn: found.openedOn, windowDays: found.days, evidence: found.value,
        threshold: found.limit, shift: nil)
    case nil: nil
    }
  }

  /// An episode of silence.
  public init(
    activeSince: Day, lastEvaluated: Day, duration: Int, level: AlertLevel,
    silence: SilenceEvidence, resolution: Resolution? = nil
  ) {
    self.init(
      activeSince: activeSince, lastEvaluated: lastEvaluated, duration: duration, level: level,
      figures: EpisodeFigures(silentFor: duration, from: activeSince), resolution: resolution)
    self.silence = silence
  }

  /// The last day on which the episode deviated without being suppressed.
  public var lastDeviating: Day { activeSince + (duration - 1) }

  public var isActive: Bool { resolution == nil }

  /// The first day on which the episode was known.
  ///
  /// Where means are compared it is not stored. It is taken for the third day of the episode, the first on
  /// which such an alert can exist; workouts in those days make it later.
  public var openedOn: Day {
    opening?.openedOn ?? activeSince + 2
  }

  /// The end of an episode: its day and its reason.
  public struct Resolution: Hashable, Sendable {
    public var day: Day
    public var reason: Reason

    public init(day: Day, reason: Reason) {
      self.day = day
      self.reason = reason
    }

    /// Values of the column `resolution_reason`; the run that judges the day of the end sets them.
    public enum Reason: String, Sendable, Codable, CaseIterable {
      /// Enough clean days in a row.
      case recovered
      /// Another run of deviating days took over (v1).
      case superseded
      /// Too many days in a row without a usable value (v2).
      case noData = "no_data"
      /// The person's new level has become their baseline (v2, v3).
      case rebased
      /// The person has been silent for so long that they no longer send data (v3).
      case left
      /// Another device measures, and what it shows cannot be compared with the baseline (v3).
      case recalibrated
      /// No limit holds any more.
      case limitEnded = "limit_ended"
      /// Late or corrected data no longer support the episode.
      case retracted
      /// The database now has another profile, and its episodes take the place of this one.
      case profileChanged = "profile_changed"
    }
  }
}

/// The values that an episode was found with, kept so that an alert can be explained.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let figures = EpisodeFigures(
///   baseline: .init(value: 60, start: day - 24, end: day - 3, count: 21),
///   recent: .init(value: 45, start: day - 2, end: day, count: 3))
/// print(figures.deviation ?? 0)  // -0.25
/// ```
public struct EpisodeFigures: Hashable, Sendable {
  public var baseline: Window
  public var recent: Window
  /// `(recent - baseline) / baseline` as a fraction; nil when the baseline is 0.
  public var deviation: Double?

  public init(baseline: Window, recent: Window, deviation: Double?) {
    self.baseline = baseline
    self.recent = recent
    self.deviation = deviation
  }

  /// A baseline of this size or less counts as 0 (specification, README: tolerance of a comparison).
  public static let zeroBaseline = 1e-9

  /// Figures with the deviation that follows from the two windows.
  public init(baseline: Window, recent: Window) {
    self.baseline = baseline
    self.recent = recent
    deviation =
      abs(baseline.value) <= Self.zeroBaseline
      ? nil : (recent.value - baseline.value) / baseline.value
  }

  /// A mean (or median) over some observations.
  public struct Window: Hashable, Sendable {
    /// In the metric's unit.
    public var value: Double
    /// First and last day that hold an observation of the window.
    public var start: Day
    public var end: Day
    /// Observations, not calendar days.
    public var count: Int

    public init(value: Double, start: Day, end: Day, count: Int) {
      self.value = value
      self.start = start
      self.end = end
      self.count = count
    }
  }
}
