public import VigilDetection
public import VigilModel

/// Recomputes the decision about a day of a person's metrics together, and explains it.
///
/// States and figures come from the same fold that runs use, so that an explanation cannot differ from what a run
/// with the same input does.
///
/// - Complexity: O(days) for each of at most some hundred inputs that are tried for the opposite.
public final class CombinedExplainer {
  public let metrics: [MetricThresholds]
  public let thresholds: Thresholds
  private let fold: BlockFold
  private var result = FoldResult()

  /// - Parameters:
  ///   - metrics: The wearable metrics of the profile that have data.
  ///   - thresholds: The profile.
  /// - Returns: Nil where the profile does not follow these metrics together.
  public init?(_ metrics: [MetricThresholds], of thresholds: Thresholds) {
    guard thresholds.combined?.applies(to: metrics) == true else { return nil }
    self.metrics = metrics
    self.thresholds = thresholds
    fold = BlockFold(thresholds: thresholds, metrics: metrics)
    fold.explainsLastDay = true
  }

  /// Explains the decision about `day`.
  ///
  /// - Parameters:
  ///   - series: For each of `metrics` its values up to `day`.
  ///   - stored: The episodes of the metrics together that the database holds, in order of `activeSince`.
  ///   - day: The evaluated day.
  ///   - first: The day to follow episodes from; nil where `stored` says what was active before `day`.
  ///   - looksForOpposite: Whether `opposite` is wanted, which takes longer than all the rest.
  public func explain(
    _ series: [ExplainedSeries], stored: [StoredEpisode], on day: Day, from first: Day? = nil,
    looksForOpposite: Bool = true
  ) -> CombinedExplanation {
    precondition(series.count == metrics.count)
    let first = min(first ?? day, day - 1)
    let past = Past(first: first, stored: stored)
    let before = folded(series, past, through: day - 1).episodes.last { $0.isActive }
    let (later, figures) = folded(series, past, through: day)
    let active = later.last { $0.isActive }
    let ended = later.last { $0.resolution?.day == day }
    var explanation = CombinedExplanation(
      day: day,
      values: Dictionary(
        zip(metrics.map(\.metric), series.map { $0[day] }).filter { !$0.1.isNaN },
        uniquingKeysWith: { $1 }),
      isWorkoutDay: series.contains { $0.workouts.contains(day) }, before: before,
      after: active ?? ended, episodes: later,
      change: .init(from: before, to: active, ended: ended, on: day), figures: figures,
      opposite: nil)
    if looksForOpposite { explanation.opposite = opposite(of: explanation, series, past) }
    return explanation
  }

  private struct Past {
    var first: Day
    var stored: [StoredEpisode]
  }

  // MARK: Folding

  private func window(from first: Day, through last: Day) -> FoldWindow {
    FoldWindow(evaluating: min(first, last)...last, thresholds: thresholds)
  }

  private func folded(
    _ series: [ExplainedSeries], _ past: Past, through last: Day
  ) -> (episodes: [Episode], figures: CombinedDay.Figures?) {
    let window = window(from: past.first, through: last)
    let block = ObservationBlock(
      personCount: 1, metricCount: metrics.count, days: window.loaded)
    for (metric, own) in series.enumerated() {
      let target = block.series(person: 0, metric: metric)
      for index in target.indices { target[index] = own[window.loaded.lowerBound + index] }
      for day in own.workouts { block.addWorkout(person: 0, day: day) }
      for change in own.deviceChanges where change.recognizedOn <= last {
        block.add(change, person: 0, metric: metric)
      }
    }
    let together = fold.seriesPerPerson - 1
    fold.fold(
      block, over: window, stored: past.stored.isEmpty ? [:] : [together: past.stored],
      into: &result)
    return (
      result.episodes.filter { $0.series == together }.map(\.episode),
      result.combinedDays[together]?.figures
    )
  }

  private func isActive(_ series: [ExplainedSeries], _ past: Past, on day: Day) -> Bool {
    folded(series, past, through: day).episodes.contains(where: \.isActive)
  }

  // MARK: The opposite

  /// Days that are added at most.
  private static let mostDays = 60

  private func opposite(
    of explanation: CombinedExplanation, _ series: [ExplainedSeries], _ past: Past
  ) -> CombinedExplanation.Opposite? {
    if explanation.isActive {
      let anchors = explanation.after?.combined?.contributions ?? []
      return days(after: explanation.day, series, past, untilActive: false) { metric, day in
        guard let own = anchors.first(where: { $0.metric == metric.metric }) else { return nil }
        return metric.evidence?.usualValue(of: day, in: own.anchor)
      }.map(CombinedExplanation.Opposite.usualDays)
    }
    if explanation.isWorkoutDay {
      var rested = series
      for index in rested.indices { rested[index].workouts.remove(explanation.day) }
      if isActive(rested, past, on: explanation.day) { return .noWorkout }
    }
    let newest = zip(metrics.map(\.metric), series).map { metric, own -> (MetricType, Double?) in
      let values = own.newestValues(3, upTo: explanation.day)
      return (metric, values.count == 3 ? values.reduce(0, +) / 3 : nil)
    }
    let means = Dictionary(newest, uniquingKeysWith: { $1 })
    return days(after: explanation.day, series, past, untilActive: true) { metric, _ in
      means[metric.metric] ?? nil
    }.map(CombinedExplanation.Opposite.daysLikeRecent)
  }

  /// The fewest days after `day`, filled by `value`, until an episode is active, or none is.
  private func days(
    after day: Day, _ series: [ExplainedSeries], _ past: Past, untilActive isWanted: Bool,
    value: (MetricThresholds, Day) -> Double?
  ) -> Int? {
    var series = series
    for count in 1...Self.mostDays {
      var hasValue = false
      for (index, metric) in metrics.enumerated() {
        guard let value = value(metric, day + count) else { continue }
        series[index][day + count] = value
        hasValue = true
      }
      guard hasValue else { return nil }
      if isActive(series, past, on: day + count) == isWanted { return count }
    }
    return nil
  }
}
