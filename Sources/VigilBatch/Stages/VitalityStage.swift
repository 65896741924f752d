import Foundation
import VigilModel
import VigilPipeline
import VigilStorage
import VigilVitality

/// The third stage: brings the scores of a batch together with the stored ones, and evaluates the trends that change.
///
/// Keeps its working memory from batch to batch; used by one thread.
final class VitalityStage {
  /// The rules of `TrendEvaluator`.
  static let rules: Set<TrendRule> = [
    .lowStreak, .dropVsBaseline, .rebound, .decliningTrend, .improvingTrend,
  ]

  private let evaluatedDays: ClosedRange<Day>
  private let reevaluation: TrendReevaluation
  private let stage: ScoreStage
  private var scores: ScoreBlock { stage.scores }

  init(_ scope: RunScope) {
    evaluatedDays = scope.days
    reevaluation = TrendReevaluation(scope)
    stage = ScoreStage(scope.vitality, scoredDays: scope.scoredDays)
  }

  /// - Parameters:
  ///   - persons: The persons of `loaded`, in its order.
  ///   - adherence: Their daily adherence; nil where doses are not followed.
  func evaluate(
    _ loaded: LoadedVitality, of persons: [UUID], adherence: ObservationBlock?
  ) -> VitalityFindings {
    stage.score(loaded.block, birthDates: loaded.birthDates, foreign: loaded.rows)
    var (write, changed) = changes(to: loaded, of: persons)
    var insights = InsightWrite(persons: persons)
    let found = stage.trends(of: persons, adherence: adherence, over: evaluatedDays)
    insights.evaluated(Self.rules, on: evaluatedDays)
    insights.insights += found.flatMap { $0.flatMap(\.insights) }
    write.coverages = found[found.count - 1].enumerated().map { person, trends in
      coverage(trends, of: persons[person], person, adherence).joined(
        with: loaded.coverages[person])
    }
    let firstDays = reevaluation.firstDays(loaded, changed: changed, adherence: adherence)
    addReevaluated(since: firstDays, of: persons, adherence, to: &insights)
    return VitalityFindings(write: write, insights: insights)
  }

  private func coverage(
    _ trends: PersonTrends, of user: UUID, _ person: Int, _ adherence: ObservationBlock?
  ) -> TrendCoverage {
    let day = evaluatedDays.upperBound
    return TrendCoverage(
      user: user, day: day, coverage: trends.coverage, daysNeeded: trends.daysNeeded,
      lastScoreDay: trends.lastScoreDay, firstDay: evaluatedDays.lowerBound,
      digest: reevaluation.digest(of: scores, adherence: adherence, person: person, on: day))
  }

  /// - Parameter firstDays: By person; nil where nothing is evaluated again.
  private func addReevaluated(
    since firstDays: [Day?], of persons: [UUID], _ adherence: ObservationBlock?,
    to insights: inout InsightWrite
  ) {
    let last = evaluatedDays.lowerBound - 1
    let concerned = firstDays.indices.filter { firstDays[$0] != nil }
    for (first, some) in Dictionary(grouping: concerned, by: { firstDays[$0] ?? last }) {
      let found = stage.trends(
        of: persons, adherence: adherence, persons: some, over: first...last)
      insights.evaluated(Self.rules, on: first...last, of: some.map { persons[$0] })
      insights.insights += found.flatMap { $0.flatMap(\.insights) }
    }
  }

  /// The rows to write so that Vigil's stored rows are the computed ones, and by person the first day whose
  /// scores change with them.
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
      for date in reevaluation.firstScoredDay(after: loaded.coverages[person])...days.upperBound {
        let place = stored[person * dayCount + (date - days.lowerBound)]
        let present = place < 0 ? nil : loaded.rows[Int(place)].score
        let computed = stage.row(of: user, person: person, on: date)
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

  /// Whether two rows have the same scores; the settings they come from do not count.
  private static func isSame(_ one: VitalityScore?, _ other: VitalityScore?) -> Bool {
    one?.total == other?.total && one?.sleep == other?.sleep && one?.movement == other?.movement
      && one?.stress == other?.stress
  }
}

/// The scores of a batch and their trends.
struct VitalityFindings {
  var write: VitalityWrite
  /// The trends, and the days on which they were looked for.
  var insights: InsightWrite
}
