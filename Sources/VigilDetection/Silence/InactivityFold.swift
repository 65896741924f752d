import VigilModel

/// Follows the silence of one person (specification, silence.md section 3).
struct InactivityFold: EpisodeFold {
  var frame: FoldFrame
  let person: Int
  let signs: SignsOfLife
  let broken: BrokenFeedDays
  /// Adjusted to the person's sensitivity.
  let settings: InactivitySettings

  /// The first day and the evidence of the active alert.
  private var activeSince: Day?
  private var evidence: SilenceEvidence?
  /// The first day of the silence in which the day at hand lies; nil before the first sign.
  private var start: Day?
  /// The last day on which an alert ended.
  private var lastEnd: Day?
  /// The habit before the silence that began last, which is looked up for several days.
  private var habit: (start: Day, value: SilenceHabit?)?

  init(
    person: Int, signs: SignsOfLife, broken: BrokenFeedDays, settings: InactivitySettings,
    window: FoldWindow, stored: [Episode], seriesIndex: Int
  ) {
    frame = FoldFrame(.silence, over: window, stored: stored, series: seriesIndex)
    self.person = person
    self.signs = signs
    self.broken = broken
    self.settings = settings
  }

  mutating func resume() -> EpisodeMachine.ActiveEpisode? {
    closeEnded()
    start = signs.lastSign(ofPerson: person, before: frame.window.folded.lowerBound).map { $0 + 1 }
    guard let episode = frame.stored.active(onEndOf: frame.eve) else { return nil }
    activeSince = episode.activeSince
    evidence =
      episode.silence
      ?? SilenceEvidence(openedOn: episode.openedOn, threshold: settings.minDays, longestPause: 0)
    return EpisodeMachine.ActiveEpisode(silentSince: episode.activeSince, through: frame.eve)
  }

  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)? {
    for index in day...last {
      let day = frame.date(index)
      if signs.contains(person: person, day: day) {
        start = day + 1
      } else if let start, opens(on: day, silentSince: start) {
        return (index, start)
      }
    }
    return nil
  }

  private mutating func opens(on day: Day, silentSince start: Day) -> Bool {
    let silent = broken.sound(from: start, to: day)
    guard silent >= settings.minDays, day - start + 1 < settings.leftAfterDays,
      !broken.contains(day), lastEnd.map({ $0 < start }) ?? true,
      let habit = habit(before: start)
    else { return false }
    let threshold = habit.threshold(settings)
    guard silent >= threshold else { return false }
    activeSince = start
    evidence = SilenceEvidence(
      openedOn: day, threshold: threshold, longestPause: habit.longestPause)
    return true
  }

  /// The habit of the person before a silence; nil where no device could have fallen silent.
  private mutating func habit(before start: Day) -> SilenceHabit? {
    if let habit, habit.start == start { return habit.value }
    let isWatched = signs.isWorn(person: person, inLast: settings.maxDays, before: start)
    let value =
      isWatched
      ? SilenceHabit(
        ofPerson: person, silentSince: start, signs: signs, broken: broken, settings: settings)
      : nil
    habit = (start, value)
    return value
  }

  mutating func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict) {
    let day = frame.date(day)
    if signs.contains(person: person, day: day) {
      start = day + 1
      return ([.normal, .clean], .normal)
    }
    // The silence of an active alert began with it.
    let hasLeft = activeSince.map { day - $0 + 1 >= settings.leftAfterDays } ?? false
    return (hasLeft ? .over : .deviating, .normal)
  }

  /// A person who is silent for long has left.
  var reasonWhenOver: Episode.Resolution.Reason { .left }

  /// An alert is of level 3 until the reminder, whatever its days.
  func level(of episode: EpisodeMachine.ActiveEpisode) -> AlertLevel {
    guard let delay = settings.remindAfterDays, let evidence,
      episode.lastDeviating - evidence.openedOn >= delay
    else { return .day3 }
    return .day7
  }

  func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode {
    guard let evidence else { preconditionFailure("an active alert has evidence") }
    var row = Episode(
      episode, figures: EpisodeFigures(silentFor: episode.duration, from: episode.activeSince),
      resolution: resolution)
    row.level = level(of: episode)
    row.silence = evidence
    return row
  }

  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    lastEnd = max(lastEnd ?? frame.date(day), frame.date(day))
  }
}

extension EpisodeMachine.ActiveEpisode {
  /// An episode each of whose days deviates.
  init(silentSince first: Day, through last: Day) {
    self.init(
      activeSince: first, lastDeviating: last, level: AlertLevel(duration: last - first + 1),
      lastNotClean: last, lastKnown: last, deviatingSince: first)
  }
}
