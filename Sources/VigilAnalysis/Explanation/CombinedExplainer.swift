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
    _ series: [ExplainedSeries], stored: [Episode], on day: Day, from first: Day? = nil,
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
      after: active ?? ended,
      episodes: stored.ended(before: window(from: first, through: day)) + later,
      change: .init(from: before, to: active, ended: ended, on: day), figures: figures,
      opposite: nil)
    if looksForOpposite { explanation.opposite = opposite(of: explanation, series, past) }
    return explanation
  }

  /// The past that a decision starts from.
  struct Past {
    var first: Day
    var stored: [Episode]
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

  func isActive(_ series: [ExplainedSeries], _ past: Past, on day: Day) -> Bool {
    folded(series, past, through: day).episodes.contains(where: \.isActive)
  }
}
