public import VigilModel

/// Follows the silence of a block of persons (specification, silence.md).
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let days = first...(first + 9)
/// let signs = SignsOfLife(personCount: 1, days: days)
/// for day in first...(first + 4) { signs.add(person: 0, day: day) }
/// let silent = SilentDays(personCount: 1, days: days)
/// silent.fill(from: signs)
/// let series = SilenceSeries(.inactivity, .inactivity)
/// var result = FoldResult()
/// BlockSilenceFold([series]).fold([silent], over: FoldWindow(wholeHistory: days), into: &result)
/// let episode = result.episodes[0].episode
/// print(episode.activeSince, episode.duration, episode.level)  // 2026-06-06 5 day3
/// ```
public struct BlockSilenceFold: Sendable {
  public let series: [SilenceSeries]

  /// - Parameter series: Those of each person, in the order of their indices.
  public init(_ series: [SilenceSeries]) {
    self.series = series
  }

  /// Folds every series over `window`.
  ///
  /// The index of a series is `person * series.count`, and its place among `series`.
  ///
  /// - Parameters:
  ///   - silent: For each of `series` the silent days of the same persons.
  ///   - window: The days to evaluate.
  ///   - stored: By series index, the episodes that the database holds and that were active or touched since the
  ///     first loaded day; in order of `activeSince`.
  ///   - suspended: Days on which no episode of `inactivity` opens, as the feed is broken.
  ///   - isOff: Whether a person is not to be followed by one of `series`.
  ///   - result: Emptied first.
  /// - Precondition: The days of `silent` are the folded ones.
  /// - Complexity: O(persons * days).
  public func fold(
    _ silent: [SilentDays], over window: FoldWindow, stored: [Int: [StoredEpisode]] = [:],
    suspending suspended: Set<Day> = [],
    isOff: (_ person: Int, _ series: SilenceSeries) -> Bool = { _, _ in false },
    into result: inout FoldResult
  ) {
    precondition(silent.count == series.count)
    precondition(silent.allSatisfy { $0.days == window.folded })
    result.removeAll()
    for person in 0..<(silent.first?.personCount ?? 0) {
      for (place, own) in series.enumerated() where !isOff(person, own) {
        let index = person * series.count + place
        var fold = SilenceFold(
          own.settings, window: window, stored: stored.isEmpty ? [] : stored[index] ?? [],
          seriesIndex: index, suspended: own.metric == .inactivity ? suspended : [])
        fold.run(start: { silent[place].start(person: person, day: $0) }, into: &result)
      }
    }
    result._checkInvariants()
  }
}
