import VigilModel
import VigilVitality

/// Computes scores and finds trends as a backfill over the same days does that begins with an empty database.
///
/// Keeps its working memory from block to block.
final class ScoreAnalysis {
  private let settings: VitalitySettings
  private let days: ClosedRange<Day>
  /// The evaluated days, and those before them that trends look at.
  private let scoredDays: ClosedRange<Day>
  /// The days whose values are needed.
  private let loadedDays: ClosedRange<Day>
  private let scorer: VitalityScorer
  private let trends: TrendEvaluator
  private let block: ObservationBlock
  private let scores: ScoreBlock

  init(_ settings: VitalitySettings, over days: ClosedRange<Day>) {
    self.settings = settings
    self.days = days
    scorer = VitalityScorer(settings: settings.scores)
    trends = TrendEvaluator(settings: settings.trends)
    scoredDays = (days.lowerBound - (trends.reachDays - 1))...days.upperBound
    loadedDays = (scoredDays.lowerBound - (settings.scores.reachDays - 1))...days.upperBound
    block = .forVitality(personCount: 0, days: loadedDays)
    scores = ScoreBlock(personCount: 0, days: scoredDays)
  }

  /// - Parameters:
  ///   - persons: The persons of a block.
  ///   - columns: The metrics of their values.
  ///   - input: Birth dates, and scores of other programs.
  ///   - adherence: The daily adherence of the persons; nil where doses are not followed.
  ///   - table: Gets the scores, by person.
  /// - Returns: By person, the trends.
  func evaluate(
    _ persons: [PersonRows], columns: [MetricType], _ input: ScoreInput,
    adherence: ObservationBlock?, into table: inout ScoreTable
  ) -> [[TrendInsight]] {
    block.reset(personCount: persons.count, days: loadedDays)
    scores.reset(personCount: persons.count, days: scoredDays)
    let places = columns.map { VitalityMetric.columns.firstIndex(of: $0) }
    var values = [Double](repeating: .nan, count: VitalityMetric.columns.count)
    for (index, person) in persons.enumerated() {
      for row in person.days.indices {
        for (column, place) in places.prefix(person.width).enumerated() {
          if let place { values[place] = person.values[row * person.width + column] }
        }
        values.withUnsafeBufferPointer {
          block.keepLargest(person: index, day: Day(ordinal: person.days[row]), values: $0)
        }
        // A later person may have fewer columns.
        for place in values.indices { values[place] = .nan }
      }
      for score in input.others[person.id] ?? [] { scores.takeForeign(score, person: index) }
    }
    scorer.score(block, birthDates: persons.map { input.birthDates[$0.id] }, into: scores)
    for (index, person) in persons.enumerated() {
      for day in scoredDays {
        let row = scores.computedRow(person: index, day: day, user: person.id, settings: settings)
        if let row { table.append(row, of: person) }
      }
    }
    let found = trends.evaluate(
      scores, users: persons.map(\.id), adherence: adherence, over: days)
    return persons.indices.map { index in found.flatMap { $0[index].insights } }
  }
}
