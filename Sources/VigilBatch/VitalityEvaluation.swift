import Foundation
import VigilModel
import VigilStorage
import VigilVitality

/// Takes the metrics and scores of loaded batches to rows of scores and to trend insights; used by one
/// thread.
final class VitalityEvaluation {
  /// The rules of `TrendEvaluator`.
  static let rules: Set<TrendRule> = [
    .lowStreak, .dropVsBaseline, .rebound, .decliningTrend, .improvingTrend,
  ]

  private let settings: VitalitySettings
  private let evaluatedDays: ClosedRange<Day>
  private let earlier: EarlierTrends
  private let scorer: VitalityScorer
  private let trends: TrendEvaluator
  private let scores: ScoreBlock
  private let adherence: ObservationBlock

  init(_ settings: BatchSettings) {
    self.settings = settings.vitality
    evaluatedDays = settings.days
    earlier = EarlierTrends(settings)
    scorer = VitalityScorer(settings: settings.vitality.scores)
    trends = TrendEvaluator(settings: settings.vitality.trends)
    scores = ScoreBlock(personCount: 0, days: settings.scoredDays)
    adherence = ObservationBlock(personCount: 0, metricCount: 1, days: settings.scoredDays)
  }

  /// Evaluates a batch whose `vitality` is loaded.
  ///
  /// - Parameters:
  ///   - doses: The same batch after the evaluation of its doses; nil where nobody has any.
  ///   - insights: Gets the trends.
  func evaluate(
    _ batch: LoadedBatch, _ loaded: LoadedVitality, doses: DoseEvaluation?,
    addingTo insights: inout InsightWrite
  ) -> VitalityWrite {
    let persons = batch.persons
    scores.reset(personCount: persons.count, days: scores.days)
    for row in loaded.rows where row.score.isForeign {
      scores.takeForeign(row.score, person: row.person)
    }
    scorer.score(loaded.block, birthDates: loaded.birthDates, into: scores)
    if let doses {
      adherence.reset(personCount: persons.count, days: adherence.days)
      doses.fill(adherence, metric: 0)
    }
    let adherence = doses == nil ? nil : self.adherence
    var (write, changed) = changes(to: loaded, of: persons)
    let found = trends.evaluate(scores, users: persons, adherence: adherence, over: evaluatedDays)
    insights.evaluated(Self.rules, on: evaluatedDays)
    insights.insights += found.flatMap { $0.flatMap(\.insights) }
    write.coverages = found[found.count - 1].enumerated().map { person, trends in
      coverage(trends, of: persons[person], person, adherence).joined(
        with: loaded.coverages[person])
    }
    let firstDays = earlier.firstDays(loaded, changed: changed, adherence: adherence)
    addEarlierTrends(since: firstDays, of: persons, adherence, to: &insights)
    return write
  }

  private func coverage(
    _ trends: PersonTrends, of user: UUID, _ person: Int, _ adherence: ObservationBlock?
  ) -> TrendCoverage {
    let day = evaluatedDays.upperBound
    return TrendCoverage(
      user: user, day: day, coverage: trends.coverage, daysNeeded: trends.daysNeeded,
      lastScoreDay: trends.lastScoreDay, firstDay: evaluatedDays.lowerBound,
      digest: earlier.digest(of: scores, adherence: adherence, person: person, on: day))
  }

  /// - Parameter firstDays: By person; nil where nothing is evaluated again.
  private func addEarlierTrends(
    since firstDays: [Day?], of persons: [UUID], _ adherence: ObservationBlock?,
    to insights: inout InsightWrite
  ) {
    let last = evaluatedDays.lowerBound - 1
    let concerned = firstDays.indices.filter { firstDays[$0] != nil }
    for (first, some) in Dictionary(grouping: concerned, by: { firstDays[$0] ?? last }) {
      let found = trends.evaluate(
        scores, users: persons, adherence: adherence, of: some, over: first...last)
      insights.evaluated(Self.rules, on: first...last, of: some.map { persons[$0] })
      insights.insights += found.flatMap { $0.flatMap(\.insights) }
    }
  }

  /// What has to be written so that the stored rows of Vigil's are those that were computed, and by
  /// person the first day whose scores change with it.
  private func changes(
    to loaded: LoadedVitality, of persons: [UUID]
  ) -> (write: VitalityWrite, firstDays: [Day?]) {
    var write = VitalityWrite()
    var firstDays = [Day?](repeating: nil, count: persons.count)
    let days = scores.days
    let dayCount = scores.dayCount
    var stored = [Int32](repeating: -1, count: persons.count * dayCount)
    for (index, row) in loaded.rows.enumerated() where !row.score.isForeign {
      stored[row.person * dayCount + (row.score.day - days.lowerBound)] = Int32(index)
    }
    for (person, user) in persons.enumerated() {
      for date in earlier.firstScoredDay(after: loaded.coverages[person])...days.upperBound {
        let place = stored[person * dayCount + (date - days.lowerBound)]
        let present = place < 0 ? nil : loaded.rows[Int(place)].score
        let computed = scores.computedRow(person: person, day: date, user: user, settings: settings)
        guard computed != present else { continue }
        if let computed {
          write.scores.append(computed)
        } else {
          write.outdatedScores.append(.init(user: user, day: date))
        }
        if firstDays[person] == nil, !Self.isSame(computed, present) { firstDays[person] = date }
      }
    }
    return (write, firstDays)
  }

  /// Whether two rows have the same scores, whatever settings they come from.
  private static func isSame(_ one: VitalityScore?, _ other: VitalityScore?) -> Bool {
    one?.total == other?.total && one?.sleep == other?.sleep && one?.movement == other?.movement
      && one?.stress == other?.stress
  }
}
