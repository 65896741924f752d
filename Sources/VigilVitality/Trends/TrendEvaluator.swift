public import Foundation
public import VigilModel

/// Finds the trend insights of blocks of persons (specification, vitality.md section 2).
public struct TrendEvaluator: Sendable {
  public let settings: TrendSettings

  public init(settings: TrendSettings) {
    self.settings = settings
  }

  /// Days up to the evaluated one whose scores play a part.
  public var reachDays: Int { max(settings.windowDays, settings.slope?.windowDays ?? 0) }

  /// Evaluates one day.
  ///
  /// Days before `scores` or `adherence` begin count as days without a score.
  ///
  /// - Parameters:
  ///   - users: By person of `scores`.
  ///   - adherence: The daily taking adherence, 0...100, as the only series of the same persons; nil
  ///     where nothing is known of it.
  /// - Returns: One entry a person.
  /// - Complexity: O(persons x days); with slopes also O(days^3) for each pattern of missing days.
  public func evaluate(
    _ scores: ScoreBlock, users: [UUID], adherence: ObservationBlock? = nil, on day: Day
  ) -> [PersonTrends] {
    precondition(users.count == scores.personCount)
    precondition(
      adherence.map { $0.metricCount == 1 && $0.personCount == users.count } ?? true)
    return users.indices.map { person in
      let window = PersonWindow(
        scores, adherence: adherence, person: person, days: (day - (settings.windowDays - 1))...day)
      return trends(of: users[person], window, on: day)
    }
  }

  private func trends(of user: UUID, _ window: PersonWindow, on day: Day) -> PersonTrends {
    var trends = PersonTrends(
      coverage: window.coverage, daysNeeded: max(0, settings.minDays - window.coverage),
      lastScoreDay: window.lastDay.map { window.days.lowerBound + $0 }, insights: [])
    guard trends.daysNeeded == 0 else { return trends }
    for pillar in Pillar.allCases {
      let points = PillarPoints(days: window.values(of: pillar))
      guard let last = points.lastDay, settings.windowDays - 1 - last <= settings.maxAgeDays,
        let figures = TrendFigures(points, settings: settings),
        let rule = TrendRules(settings: settings).firstMatch(points, figures, slope: nil)
      else { continue }
      let today = window.values(of: pillar).last ?? .nan
      let isRecovered =
        rule.severity == .attention
        && today >= settings.recoveredAt - Tolerance.of(settings.recoveredAt)
      trends.insights.append(
        TrendInsight(
          user: user, pillar: pillar, day: day, rule: rule, recent: figures.recent,
          baseline: figures.baseline, change: figures.change, coverage: window.coverage,
          confidence: Double(window.coverage) / Double(settings.windowDays),
          suppressedReason: isRecovered ? .recovered : nil))
    }
    return trends
  }
}
