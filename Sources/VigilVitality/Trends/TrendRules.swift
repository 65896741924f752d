import VigilModel

/// Finds the rule that the course of a pillar matches (specification, vitality.md section 2).
struct TrendRules {
  let settings: TrendSettings

  /// The first rule that matches; nil where none does.
  func firstMatch(
    _ course: PillarCourse, _ figures: TrendFigures, slope: SlopeEstimate?
  ) -> TrendRule? {
    if isLowStreak(course, figures) { return .lowStreak }
    if let change = figures.change {
      if reaches(-change, settings.drop, figures) { return .dropVsBaseline }
      if reaches(change, settings.rebound, figures) { return .rebound }
    }
    guard let slope, let rule = settings.slope,
      slope.perDay.magnitude * Double(rule.windowDays - 1)
        >= rule.minPointsOfChange - Tolerance.of(rule.minPointsOfChange)
    else { return nil }
    if slope.upper < 0 { return .decliningTrend }
    return slope.lower > 0 ? .improvingTrend : nil
  }

  private func isLowStreak(_ course: PillarCourse, _ figures: TrendFigures) -> Bool {
    // "Below" needs more than the tolerance, so the tolerance narrows the rule here.
    figures.recent < figures.baseline - Tolerance.of(figures.baseline)
      && course.isAtMost(rank: course.count / settings.lowStreak.lowestPart, figures.recentMaximum)
      && course.hasRun(of: settings.lowStreak.consecutiveDays)
  }

  private func reaches(
    _ change: Double, _ rule: TrendSettings.Change, _ figures: TrendFigures
  ) -> Bool {
    figures.baselineCount >= rule.minBaselinePoints
      && change >= rule.atLeast - Tolerance.of(rule.atLeast)
  }
}
