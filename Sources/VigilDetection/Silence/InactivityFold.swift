import VigilModel

/// Follows the silence of one person (specification, silence.md section 3).
struct InactivityFold {
  let person: Int
  let signs: SignsOfLife
  let broken: BrokenFeedDays
  /// Adjusted to the person's sensitivity.
  let settings: InactivitySettings
  let window: FoldWindow
  /// The alerts of the person that the database holds, in order of `activeSince`.
  let stored: [Episode]
  /// Index of the series in the result.
  let seriesIndex: Int

  private var active: Active?
  /// The levels of the active alert.
  private var levels = FollowedLevels()
  /// The last day on which an alert ended.
  private var lastEnd: Day?
  /// The habit before the silence that began last, which is looked up for several days.
  private var habit: (start: Day, value: SilenceHabit?)?

  private struct Active {
    let since: Day
    let evidence: SilenceEvidence
    var level: AlertLevel
  }

  init(
    person: Int, signs: SignsOfLife, broken: BrokenFeedDays, settings: InactivitySettings,
    window: FoldWindow, stored: [Episode], seriesIndex: Int
  ) {
    self.person = person
    self.signs = signs
    self.broken = broken
    self.settings = settings
    self.window = window
    self.stored = stored
    self.seriesIndex = seriesIndex
  }

  mutating func run(into result: inout FoldResult) {
    resume()
    var start = signs.lastSign(ofPerson: person, before: window.folded.lowerBound).map { $0 + 1 }
    for day in window.folded {
      if signs.contains(person: person, day: day) {
        start = day + 1
        if active != nil { end(.recovered, on: day, into: &result) }
      } else if let active {
        if day - active.since + 1 >= settings.leftAfterDays {
          end(.left, on: day, into: &result)
        } else {
          rise(on: day)
        }
      } else if let start {
        open(on: day, silentSince: start)
      }
      if let active { note(active, on: day, into: &result) }
    }
    if let active { emit(active, until: window.folded.upperBound, resolution: nil, into: &result) }
  }

  /// Goes on with the alert that was active before the first folded day.
  private mutating func resume() {
    let eve = window.folded.lowerBound - 1
    lastEnd = stored.ended(by: eve).map(\.resolution.day).max()
    guard let episode = stored.active(onEndOf: eve) else { return }
    let evidence =
      episode.silence
      ?? SilenceEvidence(openedOn: episode.openedOn, threshold: settings.minDays, longestPause: 0)
    active = Active(since: episode.activeSince, evidence: evidence, level: .day3)
    rise(on: eve)
  }

  private mutating func rise(on day: Day) {
    guard let active, let delay = settings.remindAfterDays,
      day - active.evidence.openedOn >= delay
    else { return }
    self.active?.level = .day7
  }

  private mutating func open(on day: Day, silentSince start: Day) {
    let silent = broken.sound(from: start, to: day)
    guard silent >= settings.minDays, day - start + 1 < settings.leftAfterDays,
      !broken.contains(day), lastEnd.map({ $0 < start }) ?? true,
      let habit = habit(before: start)
    else { return }
    let threshold = habit.threshold(settings)
    guard silent >= threshold else { return }
    active = Active(
      since: start,
      evidence: SilenceEvidence(
        openedOn: day, threshold: threshold, longestPause: habit.longestPause), level: .day3)
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

  private mutating func note(_ active: Active, on day: Day, into result: inout FoldResult) {
    guard day >= window.notifying.lowerBound else { return }
    levels.reach(
      active.level, on: day, duration: day - active.since + 1, figures: nil, into: &result)
  }

  private mutating func end(
    _ reason: Episode.Resolution.Reason, on day: Day, into result: inout FoldResult
  ) {
    guard let active else { return }
    emit(active, until: day - 1, resolution: .init(day: day, reason: reason), into: &result)
    lastEnd = day
    self.active = nil
  }

  private mutating func emit(
    _ active: Active, until last: Day, resolution: Episode.Resolution?,
    into result: inout FoldResult
  ) {
    let days = last - active.since + 1
    let episode = Episode(
      activeSince: active.since, lastEvaluated: resolution?.day ?? last, duration: days,
      level: active.level, silence: active.evidence, resolution: resolution)
    levels.add(episode, ofSeries: seriesIndex, to: &result)
    levels = FollowedLevels()
  }
}
