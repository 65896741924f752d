public import VigilModel
public import VigilVitality

/// The last stage: computes the scores of a block of persons, and finds their trends.
///
/// Keeps its working memory from block to block; one thread uses one instance.
public final class ScoreStage {
  private let settings: VitalitySettings
  private let scorer: VitalityScorer
  private let evaluator: TrendEvaluator
  /// The scores of the last block.
  public let scores: ScoreBlock

  /// - Parameters:
  ///   - settings: The settings of scores and trends.
  ///   - scoredDays: The days that have scores.
  public init(_ settings: VitalitySettings, scoredDays: ClosedRange<Day>) {
    self.settings = settings
    scorer = VitalityScorer(settings: settings.scores)
    evaluator = TrendEvaluator(settings: settings.trends)
    scores = ScoreBlock(personCount: 0, days: scoredDays)
  }

  /// Scores the persons of a block.
  ///
  /// - Parameters:
  ///   - block: The metrics of scores.
  ///   - birthDates: By person.
  ///   - rows: With the place of their person; only scores from elsewhere are used.
  public func score(
    _ block: ObservationBlock, birthDates: [Day?],
    foreign rows: some Sequence<(person: Int, score: VitalityScore)>
  ) {
    scores.reset(personCount: block.personCount, days: scores.days)
    for row in rows where row.score.isForeign {
      scores.takeForeign(row.score, person: row.person)
    }
    scorer.score(block, birthDates: birthDates, into: scores)
  }

  /// The computed row of a person; nil where there is none.
  public func row(of user: UUID, person: Int, on day: Day) -> VitalityScore? {
    scores.computedRow(person: person, day: day, user: user, settings: settings)
  }

  /// The trends of the scored persons.
  ///
  /// - Parameters:
  ///   - users: By person.
  ///   - adherence: Their daily adherence; nil where doses are not followed.
  ///   - persons: The persons to evaluate, by index; nil for all.
  ///   - days: The days to evaluate.
  /// - Returns: One array a day, with one entry for each evaluated person.
  public func trends(
    of users: [UUID], adherence: ObservationBlock?, persons: [Int]? = nil,
    over days: ClosedRange<Day>
  ) -> [[PersonTrends]] {
    evaluator.evaluate(scores, users: users, adherence: adherence, of: persons, over: days)
  }
}

extension VitalitySettings {
  /// The number of days before an evaluated one that its trends look at.
  public var trendContext: Int { TrendEvaluator(settings: trends).reachDays - 1 }

  /// The days that need scores for trends of some days.
  public func scoredDays(forTrendsOf days: ClosedRange<Day>) -> ClosedRange<Day> {
    (days.lowerBound - trendContext)...days.upperBound
  }

  /// The days whose metrics the scores of some days are computed from.
  public func loadedDays(forScoresOf days: ClosedRange<Day>) -> ClosedRange<Day> {
    (days.lowerBound - (scores.reachDays - 1))...days.upperBound
  }
}
