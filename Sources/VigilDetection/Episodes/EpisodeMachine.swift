public import VigilModel

/// The state machine of one series: feed it one day after the other.
///
/// ```swift
/// guard let day = Day("2026-06-24") else { return }
/// let thresholds = Thresholds(version: "mine", digest: "", metrics: [])
/// var machine = EpisodeMachine(settings: .init(thresholds))
/// let opened = machine.step(day, verdict: .deviating, rolling: .deviating, runStart: day)
/// print(opened == .opened(runStart: day))  // true
/// let extended = machine.step(day + 1, verdict: .deviating, rolling: .deviating, runStart: day)
/// print(extended)  // extended
/// ```
///
/// All profiles are this machine with other settings (specification, episodes.md sections 2 and 3), and all
/// detectors feed it: under evidence a day is deviating while the change goes on, normal while it eases, and
/// clean once recovery is proven (specification, evidence.md section 5).
/// It keeps dates of transitions and derives durations and streaks from them, so that it can resume
/// from a stored episode. It holds no data: the caller judges each day, against the rolling or the
/// anchored baseline as the settings say.
public struct EpisodeMachine: Sendable {
  /// The settings of a thresholds file that the machine follows.
  public struct Settings: Sendable {
    let recentDays: Int
    let onInterruption: EpisodeSettings.Interruption
    let levelMayFall: Bool
    let maxUnknownDays: Int?
    let rebaseAfterDays: Int?
    // Read on every day of every episode; separate constants are faster than a dictionary.
    private let cleanDays3, cleanDays7, cleanDays14, cleanDays21: Int

    public init(_ thresholds: Thresholds) {
      recentDays = thresholds.recentDays
      onInterruption = thresholds.episode.onInterruption
      levelMayFall = thresholds.episode.levelMayFall
      maxUnknownDays = thresholds.episode.maxUnknownDays
      rebaseAfterDays = thresholds.baseline.rebaseAfterDays
      cleanDays3 = thresholds.recovery.cleanDays(at: .day3)
      cleanDays7 = thresholds.recovery.cleanDays(at: .day7)
      cleanDays14 = thresholds.recovery.cleanDays(at: .day14)
      cleanDays21 = thresholds.recovery.cleanDays(at: .day21)
    }

    /// The settings under evidence, where the caller judges whether a day ends an episode: one clean day does
    /// (specification, evidence.md sections 4 to 6).
    public init(_ evidence: EvidenceSettings) {
      self.init(
        maxUnknownDays: evidence.maxUnknownDays, rebaseAfterDays: evidence.adoptAfterDays)
    }

    /// The settings for missed doses, as under evidence; a medication that is not taken at all does not become usual
    /// (specification, evidence-doses.md sections 5 and 7).
    init(_ doses: DoseEvidenceSettings, finding: DoseFinding) {
      self.init(
        maxUnknownDays: doses.maxUnknownDays,
        rebaseAfterDays: finding == .fewer ? doses.adoptAfterDays : nil)
    }

    /// The settings of silence: no day is unknown, and the first that is not silent ends an episode
    /// (specification, silence.md section 7).
    public static let silence = Settings(maxUnknownDays: nil, rebaseAfterDays: nil)

    /// The settings of limits: the caller says which day ends an episode (specification, limits.md section 4).
    public static let limits = Settings(
      maxUnknownDays: LimitRules.mostUnknownDays, rebaseAfterDays: nil)

    /// One clean day ends an episode.
    private init(maxUnknownDays: Int?, rebaseAfterDays: Int?) {
      recentDays = 1
      onInterruption = .continue
      levelMayFall = false
      self.maxUnknownDays = maxUnknownDays
      self.rebaseAfterDays = rebaseAfterDays
      (cleanDays3, cleanDays7, cleanDays14, cleanDays21) = (1, 1, 1, 1)
    }

    func cleanDays(at level: AlertLevel) -> Int {
      switch level {
      case .day3: cleanDays3
      case .day7: cleanDays7
      case .day14: cleanDays14
      case .day21: cleanDays21
      }
    }
  }

  public enum State: Hashable, Sendable {
    case idle
    case active(ActiveEpisode)
  }

  /// An episode that has not been resolved, as dates.
  public struct ActiveEpisode: Hashable, Sendable {
    /// The natural key: first day of the recent window of the run's first day, or of the window that gave the
    /// evidence.
    public var activeSince: Day
    /// The last deviating day that was not suppressed.
    public var lastDeviating: Day
    public var level: AlertLevel
    /// The last day of the episode that was not clean.
    var lastNotClean: Day
    /// The last day of the episode that was not unknown.
    var lastKnown: Day
    /// First day of the current run of deviating days; nil when the last day did not deviate.
    var deviatingSince: Day?

    public var duration: Int { lastDeviating - activeSince + 1 }

    /// The episode at the end of its first day under evidence.
    init(opening activeSince: Day, on day: Day) {
      self.init(
        activeSince: activeSince, lastDeviating: day,
        level: AlertLevel(duration: day - activeSince + 1), lastNotClean: day, lastKnown: day,
        deviatingSince: activeSince)
    }

    init(
      activeSince: Day, lastDeviating: Day, level: AlertLevel, lastNotClean: Day, lastKnown: Day,
      deviatingSince: Day?
    ) {
      self.activeSince = activeSince
      self.lastDeviating = lastDeviating
      self.level = level
      self.lastNotClean = lastNotClean
      self.lastKnown = lastKnown
      self.deviatingSince = deviatingSince
    }

    /// Takes a day with a value that did not end the episode, as under evidence.
    ///
    /// - Parameter counts: Whether the change goes on, on a day that is not suppressed.
    mutating func follow(_ day: Day, counts: Bool) {
      lastKnown = day
      lastNotClean = day
      guard counts else { return }
      lastDeviating = day
      level = max(level, AlertLevel(duration: duration))
    }
  }

  /// The effect of a day on the machine.
  public enum Action: Hashable, Sendable {
    case none
    /// An episode began; its run began on `runStart`.
    case opened(runStart: Day)
    /// The active episode has a new last deviating day.
    case extended
    /// `ended` was superseded by an episode whose run began on `runStart`.
    case restarted(ended: ActiveEpisode, runStart: Day)
    case resolved(ended: ActiveEpisode, reason: Episode.Resolution.Reason)
  }

  public let settings: Settings
  public private(set) var state: State

  public init(settings: Settings) {
    self.settings = settings
    state = .idle
  }

  /// A machine in which `episode` is active.
  init(settings: Settings, resuming episode: ActiveEpisode) {
    self.settings = settings
    state = .active(episode)
  }

  /// Takes one day.
  ///
  /// - Parameters:
  ///   - day: The day after the one fed before, except that days which are not actionable can be
  ///     left out while the machine is idle.
  ///   - verdict: The day's verdict against the baseline in force.
  ///   - rolling: The day's verdict against the rolling baseline; only rebasing reads it.
  ///   - runStart: First day of the run that `day` belongs to; read only while the machine is
  ///     idle.
  @inline(__always)
  public mutating func step(
    _ day: Day, verdict: DayVerdict, rolling: DayVerdict, runStart: Day
  ) -> Action {
    defer { _checkInvariants(after: day) }
    switch state {
    case .idle:
      guard verdict.isActionable else { return .none }
      state = .active(opened(on: day, runStart: runStart))
      return .opened(runStart: runStart)

    case .active(var episode):
      if verdict.contains(.recalibrated) { return resolve(episode, .recalibrated) }
      if verdict.contains(.over) { return resolve(episode, .noData) }
      if let limit = settings.rebaseAfterDays, day - episode.activeSince >= limit,
        rolling.contains(.normal)
      {
        return resolve(episode, .rebased)
      }
      let deviates = verdict.contains(.deviating)
      episode.deviatingSince = deviates ? episode.deviatingSince ?? day : nil
      if !verdict.contains(.clean) { episode.lastNotClean = day }
      if !verdict.isUnknown { episode.lastKnown = day }

      if verdict.isActionable {
        let run = episode.deviatingSince ?? day
        if settings.onInterruption == .restart,
          activeSince(ofRun: run) != episode.activeSince
        {
          state = .active(opened(on: day, runStart: run))
          return .restarted(ended: episode, runStart: run)
        }
        extend(&episode, to: day)
        state = .active(episode)
        return .extended
      }
      state = .active(episode)
      if deviates { return .none }
      if day - episode.lastNotClean >= settings.cleanDays(at: episode.level) {
        return resolve(episode, .recovered)
      }
      if let limit = settings.maxUnknownDays, day - episode.lastKnown >= limit {
        return resolve(episode, .noData)
      }
      return .none
    }
  }

  private func activeSince(ofRun start: Day) -> Day { start - (settings.recentDays - 1) }

  private func opened(on day: Day, runStart: Day) -> ActiveEpisode {
    let since = activeSince(ofRun: runStart)
    return ActiveEpisode(
      activeSince: since, lastDeviating: day, level: AlertLevel(duration: day - since + 1),
      lastNotClean: day, lastKnown: day, deviatingSince: runStart)
  }

  private func extend(_ episode: inout ActiveEpisode, to day: Day) {
    episode.lastDeviating = day
    let level = AlertLevel(duration: episode.duration)
    episode.level = settings.levelMayFall ? level : max(episode.level, level)
  }

  private mutating func resolve(
    _ episode: ActiveEpisode, _ reason: Episode.Resolution.Reason
  ) -> Action {
    state = .idle
    return .resolved(ended: episode, reason: reason)
  }
}
