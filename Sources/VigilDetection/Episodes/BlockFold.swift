import VigilKernels
public import VigilModel

/// Detection over a block of persons: evaluates every day of every series and follows the episodes.
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

  /// - Parameter metrics: One for each metric of the blocks, in their order.
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
  /// - Parameters:
  ///   - stored: By series index, the episodes that the database holds and that were active or
  ///     touched since the first loaded day; in order of `activeSince`. Of retracted ones the fold
  ///     believes nothing but what was told of them.
  ///   - result: Emptied first.
  /// - Precondition: `block.days` is `window.loaded`, and the block has `metrics.count` metrics.
  public func fold(
    _ block: ObservationBlock, over window: FoldWindow, stored: [Int: [StoredEpisode]] = [:],
    into result: inout FoldResult
  ) {
    precondition(block.days == window.loaded && block.metricCount == metrics.count)
    result.removeAll()
    let evaluator = seriesEvaluator(dayCount: block.dayCount)
    var first = 0
    while first < block.seriesCount {
      let tile = first..<min(first + evaluator.tileCapacity, block.seriesCount)
      evaluator.evaluateTile(tile, of: block, judges: judges)
      for series in tile {
        let metric = series % block.metricCount
        let evaluated = evaluator.evaluated(
          slot: series - first,
          values: UnsafeBufferPointer(
            block.series(person: series / block.metricCount, metric: metric)))
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
  }

  /// Whether the newest of the stored episodes is active and has rested since before `day`, so that the
  /// absence of data since then says something about it.
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
