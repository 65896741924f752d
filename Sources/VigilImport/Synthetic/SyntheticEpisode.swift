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
    person: Int, _ traits: SyntheticPopulation.Traits, dayCount: Int,
    generator: inout SplitMix64
  ) -> [SyntheticEpisode] {
    guard person % 4 != 3 else { return [] }
    var episodes: [SyntheticEpisode] = []
    // Three of four persons have episodes; counting only them spreads the levels evenly.
    var turn = person / 4 * 3 + person % 4
    var start = generator.integer(32...48)
    while true {
      let level = AlertLevel.allCases[turn % 4]
      let wanted = generator.integer(0...SyntheticMetric.allCases.count - 1)
      let length = generator.integer(lengths(for: level))
      let share = generator.uniform()
      guard start + length + 6 <= dayCount else { return episodes }
      if let (metric, change) = change(from: wanted, share, traits, for: level) {
        episodes.append(
          SyntheticEpisode(
            metric: metric, days: start...start + length - 1, change: change,
            intendedLevel: level))
      }
      start += length + generator.integer(26...70)
      turn += 1
    }
  }

  /// Chooses the metric and the change of an episode: the wanted metric, or the next in which the change stands
  /// out from the person's days and leaves something to measure; nil where there is none.
  ///
  /// - Parameter share: The place of the change among those that are possible, from 0 to 1.
  private static func change(
    from wanted: Int, _ share: Double, _ traits: SyntheticPopulation.Traits, for level: AlertLevel
  ) -> (SyntheticMetric, Double)? {
    let metrics = SyntheticMetric.allCases
    for metric in metrics[wanted...] + metrics[..<wanted] {
      let least = metric.leastChanges
      let documented = least.lowerBound + (least.upperBound - least.lowerBound) * share
      let own = traits.change(of: metric, spreads: leastSpreads(for: level) + 0.5 * share)
      let change = metric.pattern == .rise ? max(documented, own) : min(documented, own)
      // Two decimals, so that the label states exactly the change that was made.
      if change > -0.9 { return (metric, (change * 100).rounded() / 100) }
    }
    return nil
  }

  /// The change of an episode, in spreads of the person's days: the shorter, the more of them it takes to be seen.
  private static func leastSpreads(for level: AlertLevel) -> Double {
    switch level {
    case .day3: 3
    case .day7: 2.2
    case .day14: 1.7
    case .day21: 1.4
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
