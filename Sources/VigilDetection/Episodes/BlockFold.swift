import VigilKernels
public import VigilModel

/// Detection over a block of persons: evaluates every day of every series and follows the episodes.
///
/// ```swift
/// guard let first = Day("2026-05-20") else { return }
/// let steps = MetricThresholds(
///   metric: MetricType("steps"), unit: "steps", pattern: .drop,
///   rules: [MetricRule(.percentDropAtLeast, 0.3)])
/// let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
/// let days = first...(first + 41)
/// let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
/// for index in 0..<42 {
///   block.series(person: 0, metric: 0)[index] = index < 35 ? 8_000 : 4_000
/// }
/// let fold = BlockFold(thresholds: thresholds, metrics: thresholds.metrics)
/// var result = FoldResult()
/// fold.fold(block, over: FoldWindow(wholeHistory: days), into: &result)
/// let episode = result.episodes[0].episode
/// print(episode.activeSince, episode.duration, episode.level)  // 2026-06-23 8 day7
/// print(result.notifications.map(\.level.rawValue))  // [3, 7]
/// ```
///
/// Keeps its working memory from block to block; one thread uses one instance.
///
/// - Complexity: O(series * days) for a call.
public final class BlockFold {
  public let thresholds: Thresholds
  public let metrics: [MetricThresholds]

  private let settings: EvaluationSettings
  private let contexts: [SeriesFold.Context]
  private let judges: [MetricJudge]
  private var evaluator: SeriesEvaluator?

  /// - Parameters:
  ///   - thresholds: The profile.
  ///   - metrics: One for each metric of the blocks, in their order; then the one of daily adherence,
  ///     where folds get it.
  public init(thresholds: Thresholds, metrics: [MetricThresholds]) {
    self.thresholds = thresholds
    self.metrics = metrics
    settings = EvaluationSettings(thresholds)
    contexts = metrics.map { SeriesFold.Context($0, of: thresholds) }
    judges = contexts.map(\.judge)
    BLASLibrary.useOneThread()
  }

  /// Folds every series of `block` over `window`.
  ///
  /// The index of a series is `person * metrics.count + metric`.
  ///
  /// - Parameters:
  ///   - block: The observations.
  ///   - adherence: The daily taking adherence, 0...100, as the only series of the same persons, on days that
  ///     include those of `block`; it is the last metric. Nil where it is none of the metrics.
  ///   - window: The days to evaluate.
  ///   - stored: By series index, the episodes that the database holds and that were active or
  ///     touched since the first loaded day; in order of `activeSince`. From retracted ones the
  ///     fold takes only the notified level.
  ///   - result: Emptied first.
  /// - Precondition: `block.days` is `window.loaded`; the block, with `adherence`, has `metrics.count` metrics.
  public func fold(
    _ block: ObservationBlock, adherence: ObservationBlock? = nil, over window: FoldWindow,
    stored: [Int: [StoredEpisode]] = [:], into result: inout FoldResult
  ) {
    precondition(block.days == window.loaded)
    let input = DetectionInput(block, adherence: adherence)
    precondition(input.metricCount == metrics.count)
    block._checkInvariants()
    adherence?._checkInvariants()
    result.removeAll()
    let evaluator = seriesEvaluator(dayCount: block.dayCount)
    var first = 0
    while first < input.seriesCount {
      let tile = first..<min(first + evaluator.tileCapacity, input.seriesCount)
      evaluator.evaluateTile(tile, of: input, judges: judges)
      for series in tile {
        let metric = series % input.metricCount
        let evaluated = evaluator.evaluated(
          slot: series - first,
          values: input.values(person: series / input.metricCount, metric: metric))
        let known = stored.isEmpty ? [] : stored[series] ?? []
        if evaluated.isEmpty && known.isEmpty { continue }
        if !evaluated.isEmpty {
          result.seriesWithData += 1
        } else if !isSilentSince(window.loaded.lowerBound, known) {
          result.unjudgedSeries.insert(series)
          continue
        }
        var fold = SeriesFold(
          series: series, evaluated: evaluated,
          window: window, context: contexts[metric], stored: known)
        fold.run(into: &result)
      }
      first = tile.upperBound
    }
    result._checkInvariants()
  }

  /// Whether the newest of the stored episodes is active and has had no deviating day since before
  /// `day`, so that the absence of data since then matters to it.
  private func isSilentSince(_ day: Day, _ stored: [StoredEpisode]) -> Bool {
    guard let newest = stored.last(where: { !$0.isRetracted })?.episode else { return false }
    return newest.isActive && newest.lastDeviating < day
  }

  private func seriesEvaluator(dayCount: Int) -> SeriesEvaluator {
    if let evaluator, evaluator.dayCount == dayCount { return evaluator }
    let evaluator = SeriesEvaluator(settings: settings, dayCount: dayCount)
    evaluator.suppressed = metrics.map(\.isSuppressedOnWorkoutDays)
    self.evaluator = evaluator
    return evaluator
  }
}
