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
  private let scorer: VitalityScorer
  private let trends: TrendEvaluator
  private let scores: ScoreBlock
  private let adherence: ObservationBlock

  init(_ settings: BatchSettings) {
    self.settings = settings.vitality
    evaluatedDays = settings.days
    scorer = VitalityScorer(settings: settings.vitality.scores)
    trends = TrendEvaluator(settings: settings.vitality.trends)
    scores = ScoreBlock(personCount: 0, days: settings.scoredDays)
    adherence = ObservationBlock(personCount: 0, metricCount: 1, days: settings.scoredDays)
  }

  /// Evaluates a batch whose `vitality` is loaded.
  ///
  /// - Parameter doses: The same batch after the evaluation of its doses; nil where nobody has any.
  func evaluate(
    _ batch: LoadedBatch, _ loaded: LoadedVitality, doses: DoseEvaluation?
  ) -> (write: VitalityWrite, insights: [TrendInsight]) {
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
    var write = changes(to: loaded.rows, of: persons)
    let found = trends.evaluate(
      scores, users: persons, adherence: doses == nil ? nil : adherence, over: evaluatedDays)
    write.coverages = zip(persons, found[found.count - 1]).map { user, trends in
      TrendCoverage(
        user: user, day: evaluatedDays.upperBound, coverage: trends.coverage,
        daysNeeded: trends.daysNeeded, lastScoreDay: trends.lastScoreDay)
    }
    return (write, found.flatMap { $0.flatMap(\.insights) })
  }

  /// What has to be written so that the stored rows of Vigil's are those that were computed.
  private func changes(
    to rows: [LoadedVitality.Row], of persons: [UUID]
  ) -> VitalityWrite {
    var write = VitalityWrite()
    let days = scores.days
    let dayCount = scores.dayCount
    var stored = [Int32](repeating: -1, count: persons.count * dayCount)
    for (index, row) in rows.enumerated() where !row.score.isForeign {
      stored[row.person * dayCount + (row.score.day - days.lowerBound)] = Int32(index)
    }
    for (person, user) in persons.enumerated() {
      for day in 0..<dayCount {
        let place = stored[person * dayCount + day]
        let present = place < 0 ? nil : rows[Int(place)].score
        let date = days.lowerBound + day
        let computed = scores.computedRow(person: person, day: date, user: user, settings: settings)
        if let computed {
          if computed != present { write.scores.append(computed) }
        } else if present != nil {
          write.outdatedScores.append(.init(user: user, day: date))
        }
      }
    }
    return write
  }
}
