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
    let days = (day - (reachDays - 1))...day
    let windows = users.indices.map { person in
      PersonWindow(
        scores, adherence: adherence, person: person, days: days,
        coverageDays: settings.windowDays)
    }
    let slopes = self.slopes(of: windows, upTo: day)
    return users.indices.map { person in
      trends(of: users[person], windows[person], on: day) { pillar in
        slopes.isEmpty ? nil : slopes[pillar]?[person]
      }
    }
  }

  /// By pillar, then by person; empty where no rule asks for a slope.
  private func slopes(of windows: [PersonWindow], upTo day: Day) -> [Pillar: [SlopeEstimate?]] {
    guard let slope = settings.slope else { return [:] }
    let estimator = SlopeEstimator(settings: slope)
    var slopes: [Pillar: [SlopeEstimate?]] = [:]
    for pillar in Pillar.allCases {
      slopes[pillar] = estimator.estimates(
        of: windows.flatMap { $0.values(of: pillar).suffix(slope.windowDays) },
        smoothingDays: slope.smoothing(of: pillar), from: day - (slope.windowDays - 1))
    }
    return slopes
  }

  private func trends(
    of user: UUID, _ window: PersonWindow, on day: Day, slope: (Pillar) -> SlopeEstimate?
  ) -> PersonTrends {
    var trends = PersonTrends(
      coverage: window.coverage, daysNeeded: max(0, settings.minDays - window.coverage),
      lastScoreDay: window.lastDay, insights: [])
    guard trends.daysNeeded == 0 else { return trends }
    let rules = TrendRules(settings: settings)
    for pillar in Pillar.allCases {
      let values = window.values(of: pillar).suffix(settings.windowDays)
      let points = PillarPoints(days: values)
      guard let last = points.lastDay, settings.windowDays - 1 - last <= settings.maxAgeDays,
        let figures = TrendFigures(points, settings: settings)
      else { continue }
      let estimate = slope(pillar)
      guard let rule = rules.firstMatch(points, figures, slope: estimate) else { continue }
      let isRecovered =
        rule.severity == .attention
        && values.last ?? .nan >= settings.recoveredAt - Tolerance.of(settings.recoveredAt)
      trends.insights.append(
        TrendInsight(
          user: user, pillar: pillar, day: day, rule: rule, recent: figures.recent,
          baseline: figures.baseline, change: figures.change, coverage: window.coverage,
          confidence: Double(window.coverage) / Double(settings.windowDays), slope: estimate,
          suppressedReason: isRecovered ? .recovered : nil))
    }
    return trends
  }
}
