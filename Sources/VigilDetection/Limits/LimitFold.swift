import VigilModel

/// Follows the values of one metric of one person beyond its limits on one side (specification, limits.md).
struct LimitFold: EpisodeFold {
  var frame: FoldFrame
  /// The limits of the series, with the days whose values count; nil for all days.
  let limits: [DatedLimit]
  let values: UnsafeBufferPointer<Double>

  private var activeSince: Day?
  private var evidence: LimitEvidence?
  /// The highest level of the rules that were met since the alert opened.
  private var metLevel = AlertLevel.day3

  init(
    _ limits: [DatedLimit], values: UnsafeBufferPointer<Double>, window: FoldWindow,
    stored: [Episode], seriesIndex: Int
  ) {
    frame = FoldFrame(.limits, over: window, stored: stored, series: seriesIndex)
    self.limits = limits
    self.values = values
  }

  // MARK: Days

  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)? {
    for index in day...last {
      guard let met = metRules(on: index) else { continue }
      let start = frame.date(met.first)
      activeSince = start
      evidence = LimitEvidence(
        openedOn: frame.date(index), days: met.limit.days, value: values[index],
        limit: met.limit.value, level: met.level)
      metLevel = met.level
      return (index, start)
    }
    return nil
  }

  mutating func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict) {
    let inForce = limitsInForce(on: day)
    guard !inForce.isEmpty else { return (.over, .normal) }
    guard !values[day].isNaN else { return (.unknown, .normal) }
    if isBroken(on: day) {
      if let met = metRules(on: day) { metLevel = max(metLevel, met.level) }
      return (.deviating, .normal)
    }
    let needed = max(LimitRules.fewestCalmValues, inForce.map(\.days).max() ?? 1)
    return (calmValues(endingOn: day) >= needed ? [.normal, .clean] : .normal, .normal)
  }

  var reasonWhenOver: Episode.Resolution.Reason { .limitEnded }

  // MARK: Rules

  private func limitsInForce(on day: Int) -> [CriticalLimit] {
    let date = frame.date(day)
    return limits.lazy.filter { $0.days?.contains(date) ?? true }.map(\.limit)
  }

  private func isBroken(on day: Int) -> Bool {
    guard !values[day].isNaN else { return false }
    return limitsInForce(on: day).contains { $0.isBroken(by: values[day]) }
  }

  /// The rules that a day meets.
  private struct MetRules {
    /// The gravest of them; of those the one that needs the fewest values, and of those the furthest limit.
    var limit: CriticalLimit
    /// The index of the first of its values.
    var first: Int
    var level: AlertLevel { limit.level }
  }

  private func metRules(on day: Int) -> MetRules? {
    guard !values[day].isNaN else { return nil }
    var found: MetRules?
    for dated in limits {
      guard let first = firstOfRun(of: dated, endingOn: day) else { continue }
      let other = MetRules(limit: dated.limit, first: first)
      if found.map({ other.limit.isGraver(than: $0.limit) }) ?? true { found = other }
    }
    return found
  }

  /// The index of the first of as many values in a row beyond a limit as it needs, the last of which is of `day`.
  private func firstOfRun(of dated: DatedLimit, endingOn day: Int) -> Int? {
    var (count, newest, index) = (0, day, day)
    while index >= 0, newest - index <= LimitRules.mostUnknownDays {
      let value = values[index]
      if !value.isNaN {
        guard dated.days?.contains(frame.date(index)) ?? true, dated.limit.isBroken(by: value)
        else { return nil }
        count += 1
        newest = index
        if count == dated.limit.days { return index }
      }
      index -= 1
    }
    return nil
  }

  /// The values in a row within all limits of their days that end with `day`, as far as the alert reaches back.
  private func calmValues(endingOn day: Int) -> Int {
    let first = max(0, activeSince.map { frame.index(of: $0) } ?? 0)
    var (count, index) = (0, day)
    while index >= first, !isBroken(on: index) {
      if !values[index].isNaN { count += 1 }
      index -= 1
    }
    return count
  }

  // MARK: Rows

  func level(of episode: EpisodeMachine.ActiveEpisode) -> AlertLevel {
    max(episode.level, metLevel)
  }

  func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode {
    guard let evidence else { preconditionFailure("an active alert has evidence") }
    var row = Episode(episode, figures: figures(of: episode, evidence), resolution: resolution)
    row.level = level(of: episode)
    row.limit = evidence
    return row
  }

  /// The figures of the last day beyond a limit.
  private func figures(
    of episode: EpisodeMachine.ActiveEpisode, _ evidence: LimitEvidence
  ) -> EpisodeFigures {
    let (day, index) = (episode.lastDeviating, frame.index(of: episode.lastDeviating))
    if index >= 0, !values[index].isNaN {
      let broken = limitsInForce(on: index).filter { $0.isBroken(by: values[index]) }
      if let limit = broken.reduce(nil, { $1.isFurther(than: $0) ? $1 : $0 }) {
        return EpisodeFigures(
          values[index], beyond: limit.value, on: day, since: episode.activeSince)
      }
    }
    return frame.stored.first { $0.activeSince == episode.activeSince }?.figures
      ?? EpisodeFigures(
        evidence.value, beyond: evidence.limit, on: evidence.openedOn, since: episode.activeSince)
  }

  // MARK: Before the fold

  mutating func resume() -> EpisodeMachine.ActiveEpisode? {
    guard let known = frame.stored.active(onEndOf: frame.eve) else { return nil }
    activeSince = known.activeSince
    evidence =
      known.limit
      ?? LimitEvidence(
        openedOn: known.openedOn, days: 1, value: known.figures.recent.value,
        limit: known.figures.baseline.value, level: known.level)
    let first = max(known.openedOn, frame.window.loaded.lowerBound)
    func last(_ matches: (Int) -> Bool) -> Day? {
      guard first <= frame.eve else { return nil }
      return stride(from: frame.index(of: frame.eve), through: frame.index(of: first), by: -1)
        .first(where: matches).map(frame.date)
    }
    // Days after the eve may have moved the stored day and raised the level, and are about to be judged again.
    let isKnown = known.lastDeviating <= frame.eve
    let deviating = isKnown ? known.lastDeviating : last(isBroken) ?? known.openedOn
    let byDuration = AlertLevel(duration: deviating - known.activeSince + 1)
    metLevel = isKnown ? known.level : max(known.limit?.level ?? .day3, levelMet(from: first))
    return EpisodeMachine.ActiveEpisode(
      activeSince: known.activeSince, lastDeviating: deviating, level: byDuration,
      lastNotClean: frame.eve,
      lastKnown: max(deviating, last { !values[$0].isNaN } ?? deviating), deviatingSince: nil)
  }

  /// The highest level of rules that days up to the eve have met.
  private func levelMet(from first: Day) -> AlertLevel {
    guard first <= frame.eve else { return .day3 }
    return (frame.index(of: first)...frame.index(of: frame.eve))
      .compactMap { metRules(on: $0)?.level }.max() ?? .day3
  }

  /// A run of values never reaches back past the end of an alert: what ended it lies between.
  func close(from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason) {}
}

/// A limit with the days whose values count.
struct DatedLimit: Hashable {
  var limit: CriticalLimit
  /// Nil for all days.
  var days: ClosedRange<Day>?
}

extension CriticalLimit {
  /// Whether this one of two rules that a day meets says more about it.
  fileprivate func isGraver(than other: CriticalLimit) -> Bool {
    if level != other.level { return level > other.level }
    if days != other.days { return days < other.days }
    return isFurther(than: other)
  }

  /// Whether a value must be further on the bad side to be beyond this limit.
  fileprivate func isFurther(than other: CriticalLimit?) -> Bool {
    guard let other else { return true }
    return direction == .below ? value < other.value : value > other.value
  }
}
