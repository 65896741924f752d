/// The figures that an alert of silence opened with (specification, silence.md section 3); fixed from then on.
///
/// ```swift
/// guard let day = Day("2026-06-05") else { return }
/// let evidence = SilenceEvidence(openedOn: day, threshold: 4, longestPause: 2)
/// let episode = Episode(
///   activeSince: day - 3, lastEvaluated: day, duration: 4, level: .day3, silence: evidence)
/// print(episode.openedOn, episode.figures.baseline.end)  // 2026-06-05 2026-06-01
/// ```
public struct SilenceEvidence: Hashable, Sendable {
  /// The day on which the silence was long enough.
  public var openedOn: Day
  /// The silent days that it needed.
  public var threshold: Int
  /// The longest pause of the person before it, in days; 0 where there was none.
  public var longestPause: Int

  public init(openedOn: Day, threshold: Int, longestPause: Int) {
    self.openedOn = openedOn
    self.threshold = threshold
    self.longestPause = longestPause
  }
}

extension EpisodeFigures {
  /// The figures of silence: usual are 0 silent days, and the day before the first was the last with a sign of
  /// life.
  public init(silentFor days: Int, from first: Day) {
    self.init(
      baseline: Window(value: 0, start: first - 1, end: first - 1, count: 1),
      recent: Window(value: Double(days), start: first, end: first + (days - 1), count: days),
      deviation: nil)
  }
}
