import VigilModel

/// The course of the episodes of one series over the days of a fold (specification, episodes.md section 2).
///
/// A detector says which day opens an episode and what the verdict of each further day is. The order of days, the end
/// of episodes, their levels and the result are the same for all.
protocol EpisodeFold {
  var frame: FoldFrame { get set }

  /// Takes the stored episodes into account.
  ///
  /// - Returns: The episode that was active at the end of the eve of the fold; nil where none was.
  mutating func resume() -> EpisodeMachine.ActiveEpisode?

  /// Begins the next episode.
  ///
  /// - Parameters:
  ///   - day: The index of the first day that may open it.
  ///   - last: The index of the last one.
  /// - Returns: The index of the day that opens it, and the first day of its run; nil where no day does.
  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)?

  /// The verdict of a day while an episode is active, and the one against what is usual now.
  mutating func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict)

  /// Begins the episode that takes the place of one whose row has been made.
  mutating func restart(runStart: Day)

  /// Why an episode ends where nothing more can be said of its series.
  var reasonWhenOver: Episode.Resolution.Reason { get }

  /// The figures that a level has; nil where no metric is compared with what is usual.
  var notedFigures: EpisodeFigures? { get }

  /// The level of the active episode.
  func level(of episode: EpisodeMachine.ActiveEpisode) -> AlertLevel

  /// Adds the level of a day to the result, where it is to be notified.
  mutating func note(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult)

  /// The active episode as a row has it.
  ///
  /// - Parameter resolution: Its end; nil while it is active.
  mutating func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode

  /// Takes the end of an episode into account, now or before the fold.
  mutating func close(from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason)
}

extension EpisodeFold {
  @inline(__always)
  mutating func run(into result: inout FoldResult) {
    var machine = EpisodeMachine(settings: frame.machineSettings)
    if let active = resume() {
      machine = EpisodeMachine(settings: frame.machineSettings, resuming: active)
    }
    let last = frame.index(of: frame.window.folded.upperBound)
    var day = frame.index(of: frame.window.folded.lowerBound)
    while day <= last {
      if case .idle = machine.state {
        guard let opening = open(from: day, through: last) else { return }
        day = opening.day
        _ = machine.step(
          frame.date(day), verdict: .deviating, rolling: .normal, runStart: opening.runStart)
      } else {
        let verdict = verdict(on: day)
        let date = frame.date(day)
        switch machine.step(date, verdict: verdict.day, rolling: verdict.rolling, runStart: date) {
        case .none, .opened, .extended: break
        case .restarted(let ended, let runStart):
          let superseded = frame.levels
          add(ended, .init(day: date, reason: .superseded), to: &result)
          frame.levels = FollowedLevels(after: superseded)
          restart(runStart: runStart)
        case .resolved(let ended, let reason):
          let reason = verdict.day.contains(.over) ? reasonWhenOver : reason
          add(ended, .init(day: date, reason: reason), to: &result)
          close(from: frame.index(of: ended.activeSince), on: day, reason)
        }
      }
      if case .active(let episode) = machine.state {
        note(episode, on: frame.date(day), into: &result)
      }
      day += 1
    }
    if case .active(let episode) = machine.state { add(episode, nil, to: &result) }
  }

  private mutating func add(
    _ episode: EpisodeMachine.ActiveEpisode, _ resolution: Episode.Resolution?,
    to result: inout FoldResult
  ) {
    let row = row(of: episode, resolution: resolution)
    frame.levels.add(row, ofSeries: frame.series, to: &result)
    frame.levels = FollowedLevels()
  }

  /// Detectors whose machine never restarts.
  mutating func restart(runStart: Day) {
    preconditionFailure("the episode of a detector that judges by evidence goes on")
  }

  /// Takes the stored episodes into account that had ended by the end of the eve.
  mutating func closeEnded() {
    for (activeSince, resolution) in frame.stored.ended(by: frame.eve) {
      close(
        from: frame.index(of: activeSince), on: frame.index(of: resolution.day), resolution.reason)
    }
  }

  // MARK: Without a rule of its own

  var reasonWhenOver: Episode.Resolution.Reason { .noData }
  var notedFigures: EpisodeFigures? { nil }
  func level(of episode: EpisodeMachine.ActiveEpisode) -> AlertLevel { episode.level }

  mutating func note(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult
  ) {
    guard day >= frame.window.notifying.lowerBound else { return }
    frame.levels.reach(
      level(of: episode), on: day, duration: episode.duration, figures: notedFigures,
      into: &result)
  }
}
