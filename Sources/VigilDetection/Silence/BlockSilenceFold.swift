public import VigilModel

/// Follows the silence of a block of persons (specification, silence.md).
///
/// ```swift
/// guard let first = Day("2026-01-01") else { return }
/// let days = first...(first + 99)
/// let signs = SignsOfLife(personCount: 1, days: days)
/// for day in first...(first + 89) { signs.addWorn(person: 0, day: day, came: nil) }
/// var result = FoldResult()
/// BlockSilenceFold([.inactivity(InactivitySettings())])
///   .fold(signs: signs, over: FoldWindow(wholeHistory: days), into: &result)
/// let episode = result.episodes[0].episode
/// print(episode.activeSince, episode.openedOn, episode.level)  // 2026-04-01 2026-04-04 day3
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
  ///   - signs: The signs of life of the persons on the loaded days; nil where no silence is followed.
  ///   - overdue: The overdue check-ins of the same persons on the folded days; nil where none are followed.
  ///   - window: The days to evaluate.
  ///   - stored: By series index, the episodes that the database holds and that were active or touched since the
  ///     first loaded day; in order of `activeSince`.
  ///   - brokenFeed: The days with a broken feed.
  ///   - sensitivity: By person; of those without one the profile decides.
  ///   - result: Emptied first.
  /// - Complexity: O(persons * days), and O(`habit_days`) for each silence.
  public func fold(
    signs: SignsOfLife?, overdue: OverdueDays? = nil, over window: FoldWindow,
    stored: [Int: [Episode]] = [:], brokenFeed: Set<Day> = [],
    sensitivity: [Int: PersonalSensitivity] = [:], into result: inout FoldResult
  ) {
    result.removeAll()
    let personCount = signs?.personCount ?? overdue?.personCount ?? 0
    let broken = BrokenFeedDays(brokenFeed, among: window.loaded)
    for person in 0..<personCount {
      for (place, own) in series.enumerated() {
        let index = person * series.count + place
        let sensitivity = sensitivity[person]?[own.metric] ?? .normal
        if sensitivity == .off { continue }
        let stored = stored.isEmpty ? [] : stored[index] ?? []
        switch own {
        case .inactivity(let settings):
          guard let signs else { continue }
          var fold = InactivityFold(
            person: person, signs: signs, broken: broken,
            settings: settings.adjusted(to: sensitivity), window: window, stored: stored,
            seriesIndex: index)
          fold.run(into: &result)
        case .checkInOverdue(let settings):
          guard let overdue else { continue }
          precondition(overdue.days == window.folded)
          var fold = OverdueFold(
            settings, person: person, overdue: overdue, window: window, stored: stored,
            seriesIndex: index)
          fold.run(into: &result)
        }
      }
    }
    result._checkInvariants()
  }
}
