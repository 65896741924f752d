import VigilModel
import VigilStorage
import VigilVitality

/// Decides which nights before the evaluated one get their trends evaluated again: missed nights, and nights
/// whose trends late or corrected data no longer support (specification, runs.md section 1).
///
/// Computed scores are compared with the stored rows, day by day. Scores from elsewhere and adherence leave
/// no earlier version behind: a digest of them is kept with the last evaluated day, and where it differs, all
/// nights of the window are evaluated again. Most persons cost the comparison and nothing else.
struct TrendReevaluation {
  private let isFollowed: Bool
  private let evaluatedDay: Day
  private let firstTrendDay: Day
  private let trendContext: Int
  private let scoredDays: ClosedRange<Day>

  init(_ scope: RunScope) {
    isFollowed = scope.kind == .run
    evaluatedDay = scope.days.lowerBound
    firstTrendDay = scope.firstTrendDay
    trendContext = scope.trendContext
    scoredDays = scope.scoredDays
  }

  /// The first day whose computed rows the run keeps current.
  ///
  /// A person's first night writes the days that its trends look at; later nights also correct days before.
  func firstScoredDay(after coverage: TrendCoverage?) -> Day {
    guard isFollowed else { return scoredDays.lowerBound }
    let usual = evaluatedDay - trendContext
    guard let coverage else { return usual }
    return max(scoredDays.lowerBound, min(usual, coverage.firstDay - trendContext))
  }

  /// By person: the first day to evaluate again; nil where the days before the evaluated one stay as they
  /// are.
  ///
  /// - Parameters:
  ///   - changed: By person, the first day whose computed score is another than the stored one.
  ///   - adherence: The daily adherence of the same persons; nil where doses are not followed.
  func firstDays(
    _ loaded: LoadedVitality, changed: [Day?], adherence: ObservationBlock?
  ) -> [Day?] {
    guard isFollowed else { return changed.map { _ in nil } }
    let digests = self.digests(ofStored: loaded, adherence: adherence)
    return loaded.coverages.indices.map { person in
      guard let coverage = loaded.coverages[person] else { return nil }
      let earliest = max(firstTrendDay, coverage.firstDay)
      var first = min(changed[person] ?? evaluatedDay, coverage.day + 1)
      if coverage.day <= evaluatedDay, digests[person] != coverage.digest { first = earliest }
      first = max(first, earliest)
      return first < evaluatedDay ? first : nil
    }
  }

  /// The digest of the scores and the adherence that the trends of a day depend on.
  func digest(
    of scores: ScoreBlock, adherence: ObservationBlock?, person: Int, on day: Day
  ) -> Int {
    var digest = ScoreDigest()
    for day in window(endingOn: day) {
      digest.add(
        day: day, total: scores.total(person: person, day: day),
        sleep: scores.score(of: .sleep, person: person, day: day),
        movement: scores.score(of: .movement, person: person, day: day),
        stress: scores.score(of: .stress, person: person, day: day))
    }
    digest.add(adherence, person: person, over: window(endingOn: day))
    return digest.value
  }

  /// By person: the digest of the last evaluated day as it would be now, if nothing were computed anew.
  private func digests(ofStored loaded: LoadedVitality, adherence: ObservationBlock?) -> [Int] {
    let windows = loaded.coverages.map { window(endingOn: $0?.day ?? evaluatedDay) }
    var digests = windows.map { _ in ScoreDigest() }
    for row in loaded.rows where windows[row.person].contains(row.score.day) {
      let score = row.score
      digests[row.person].add(
        day: score.day, total: score.total, sleep: score.sleep, movement: score.movement,
        stress: score.stress)
    }
    for (person, window) in windows.enumerated() {
      digests[person].add(adherence, person: person, over: window)
    }
    return digests.map(\.value)
  }

  private func window(endingOn day: Day) -> ClosedRange<Day> { (day - trendContext)...day }
}

extension ScoreDigest {
  fileprivate mutating func add(
    _ adherence: ObservationBlock?, person: Int, over days: ClosedRange<Day>
  ) {
    guard let adherence, days.overlaps(adherence.days) else { return }
    let series = adherence.series(person: person, metric: 0)
    for day in days.clamped(to: adherence.days) {
      add(day: day, adherence: series[day - adherence.days.lowerBound])
    }
  }
}
