public import VigilDetection
public import VigilModel

/// Recomputes the decision about a day of a series, and explains it.
///
/// The states before and after come from the same fold that runs use, so an explanation cannot differ from
/// what a run with the same input does; the figures come from the evaluation of single days, and tests hold
/// the two together.
///
/// ```swift
/// import VigilDetection
/// guard let first = Day("2026-06-01") else { return }
/// let steps = MetricThresholds(
///   metric: MetricType("steps"), unit: "steps", pattern: .drop,
///   rules: [MetricRule(.percentDropAtLeast, 0.25)], plausible: 0...200_000)
/// let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
/// let values: [Double] = Array(repeating: 8_000, count: 27) + [7_000, 7_000, 7_000]
/// let series = ExplainedSeries(firstDay: first, values: values)
/// let explanation = DecisionExplainer(steps, of: thresholds).explain(series, on: first + 29)
/// print(explanation.change)  // none
/// if case .valueAtMost(let value)? = explanation.opposite { print(value.rounded()) }  // 4000.0
/// ```
public final class DecisionExplainer {
  public let metric: MetricThresholds
  public let thresholds: Thresholds
  let fold: BlockFold
  private var result = FoldResult()

  public init(_ metric: MetricThresholds, of thresholds: Thresholds) {
    self.metric = metric
    self.thresholds = thresholds
    fold = BlockFold(thresholds: thresholds, metrics: [metric])
  }

  /// Explains the decision about `day`.
  ///
  /// - Parameters:
  ///   - series: The values up to `day`, from `loadedDays(for:from:)` on where there are data.
  ///   - day: The evaluated day.
  ///   - first: The day to follow episodes from; nil where the stored ones of `series` say what was active before
  ///     `day`.
  ///   - looksForOpposite: Whether `opposite` is wanted, which takes longer than all the rest.
  /// - Complexity: O(days) for each of at most some hundred inputs that are tried for the opposite.
  public func explain(
    _ series: ExplainedSeries, on day: Day, from first: Day? = nil, looksForOpposite: Bool = true
  ) -> Explanation {
    let first = min(first ?? day, day - 1)
    let earlier = episodes(of: series, from: first, through: day - 1)
    let later = episodes(of: series, from: first, through: day)
    let before = earlier.last { $0.isActive }
    let active = later.last { $0.isActive }
    let ended = later.last { $0.resolution?.day == day }
    let value = series[day]
    let past = Past(series: series, first: first, before: before, folded: earlier)
    var explanation = Explanation(
      metric: metric, day: day, value: value.isNaN ? nil : value,
      isSuppressed: metric.isSuppressedOnWorkoutDays && series.workouts.contains(day),
      before: before, after: active ?? ended, episodes: endedBefore(folded: first, series) + later,
      change: .init(from: before, to: active, ended: ended, on: day),
      judgement: judgement(of: series, on: day, past), usualRange: nil, wait: nil, opposite: nil,
      observed: series.observed.filter { $0.day <= day }, wear: series.wear)
    explanation.usualRange = usualRange(of: explanation)
    explanation.usualRangeIsGeneral = usualRangeIsGeneral(explanation)
    if let active { explanation.wait = wait(of: active, in: series, on: day) }
    if looksForOpposite { explanation.opposite = opposite(of: explanation, past) }
    return explanation
  }

  /// The days whose values play a part in explaining `day` with episodes followed from `first` on.
  public func loadedDays(for day: Day, from first: Day? = nil) -> ClosedRange<Day> {
    window(from: min(first ?? day, day - 1), through: day).loaded
  }

  /// The past that a decision starts from.
  struct Past {
    var series: ExplainedSeries
    var first: Day
    var before: Episode?
    /// Episodes of the days before.
    var folded: [Episode]
  }

  // MARK: States

  func window(from first: Day, through last: Day) -> FoldWindow {
    FoldWindow(evaluating: first...last, thresholds: thresholds)
  }

  /// The episodes of a series after the fold of some days.
  func episodes(of series: ExplainedSeries, from first: Day, through last: Day) -> [Episode] {
    let window = window(from: min(first, last), through: last)
    if metric.doses != nil { return episodesOfDoses(series, over: window) }
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: window.loaded)
    let target = block.series(person: 0, metric: 0)
    for index in target.indices { target[index] = series[window.loaded.lowerBound + index] }
    for day in series.workouts { block.addWorkout(person: 0, day: day) }
    for change in series.deviceChanges where change.recognizedOn <= last {
      block.add(change, person: 0, metric: 0)
    }
    fold.fold(
      block, over: window, stored: series.stored.isEmpty ? [:] : [0: series.stored], into: &result)
    return result.episodes.map(\.episode)
  }

  private func episodesOfDoses(_ series: ExplainedSeries, over window: FoldWindow) -> [Episode] {
    let doses = DoseBlock(personCount: 1, days: window.loaded)
    let target = doses.days(ofPerson: 0)
    for index in target.indices {
      target[index] = series.counts(on: window.loaded.lowerBound + index)
    }
    fold.fold(
      ObservationBlock(personCount: 1, metricCount: 0, days: window.loaded), doses: doses,
      unrecorded: UnrecordedDays(broken: series.unrecorded), over: window,
      stored: series.stored.isEmpty ? [:] : [0: series.stored], into: &result)
    return result.episodes.map(\.episode)
  }

  /// Stored episodes that had ended when the days that are followed began.
  func endedBefore(folded first: Day, _ series: ExplainedSeries) -> [Episode] {
    series.stored.ended(before: window(from: first, through: first))
  }

  private func wait(
    of episode: Episode, in series: ExplainedSeries, on day: Day
  ) -> EpisodeCourse.Wait? {
    if let settings = metric.doses {
      return EpisodeCourse(of: episode, in: series.doseSeries, through: day, by: settings)?.wait
    }
    let workouts = (0..<series.values.count).map { index -> UInt8 in
      series.workouts.contains(series.firstDay + index) ? 1 : 0
    }
    return series.values.withUnsafeBufferPointer { values in
      workouts.withUnsafeBufferPointer { workouts in
        EpisodeCourse(
          of: episode, in: values, from: series.firstDay, workouts: workouts, through: day,
          by: metric, of: thresholds)?.wait
      }
    }
  }
}
