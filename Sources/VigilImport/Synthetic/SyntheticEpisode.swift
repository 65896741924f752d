import VigilModel

/// A change in one metric of one person that an engine should find; a row of `labels.csv`.
struct SyntheticEpisode: Hashable {
  var metric: SyntheticMetric
  /// The changed days, counted from the first day of the data.
  var days: ClosedRange<Int>
  /// The factor of the metric, minus 1.
  var change: Double
  /// The level that an alert reaches if the baseline does not follow the change.
  var intendedLevel: AlertLevel

  /// The days on which nothing else may happen to the person, so that the episode stays visible.
  var quietDays: ClosedRange<Int> { days.lowerBound - 8...days.upperBound + 4 }

  /// The episodes of one person, in order and well apart; one person in four has none.
  static func plan(
    person: Int, dayCount: Int, generator: inout SeededGenerator
  ) -> [SyntheticEpisode] {
    guard person % 4 != 3 else { return [] }
    var episodes: [SyntheticEpisode] = []
    // Three of four persons have episodes; counting only them spreads the levels evenly.
    var turn = person / 4 * 3 + person % 4
    var start = generator.integer(32...48)
    while true {
      let level = AlertLevel.allCases[turn % 4]
      let metric = generator.element(SyntheticMetric.allCases)
      let length = generator.integer(lengths(for: level))
      let change = generator.uniform(metric.changes)
      guard start + length + 6 <= dayCount else { return episodes }
      episodes.append(
        SyntheticEpisode(
          metric: metric, days: start...start + length - 1,
          // Two decimals, so that the label states exactly the change that was made.
          change: (change * 100).rounded() / 100, intendedLevel: level))
      start += length + generator.integer(26...70)
      turn += 1
    }
  }

  /// Changed days that make an alert end within the level: the alert counts from up to two days
  /// before the first of them and outlasts the last by up to two.
  private static func lengths(for level: AlertLevel) -> ClosedRange<Int> {
    switch level {
    case .day3: 3...3
    case .day7: 7...9
    case .day14: 14...16
    case .day21: 22...30
    }
  }
}
