public import VigilDetection
import VigilModel

/// A thresholds profile, run through the same code as a backfill, metric by metric.
///
/// `ProfileEvents` has the metrics that a profile follows together.
public struct ProfileDetector: EpisodeDetector {
  public let name: String
  public private(set) var thresholds: Thresholds
  public package(set) var metrics: [MetricThresholds]

  /// - Parameters:
  ///   - name: The name in reports.
  ///   - thresholds: The profile.
  ///   - order: The metrics of the blocks, in their order.
  /// - Precondition: The profile has each of them.
  public init(_ name: String, thresholds: Thresholds, order: [String]) {
    self.name = name
    self.thresholds = thresholds
    self.thresholds.combined = nil
    metrics = Self.metrics(of: thresholds, order: order)
  }

  static func metrics(of thresholds: Thresholds, order: [String]) -> [MetricThresholds] {
    order.map { metric in
      guard let known = thresholds.metrics.first(where: { $0.metric.rawValue == metric }) else {
        preconditionFailure("profile \(thresholds.version) has no metric \(metric)")
      }
      return known
    }
  }

  public func makeWorker() -> any EpisodeDetectorWorker { Worker(self) }

  private final class Worker: EpisodeDetectorWorker {
    private let fold: BlockFold
    private var result = FoldResult()

    init(_ detector: ProfileDetector) {
      fold = BlockFold(thresholds: detector.thresholds, metrics: detector.metrics)
    }

    func episodes(
      in block: ObservationBlock, people: [SimulatedPerson]
    ) -> [DetectedEpisode] {
      fold.fold(block, over: FoldWindow(wholeHistory: block.days), into: &result)
      return result.detectedEpisodes(since: block.days.lowerBound)
    }
  }
}

extension FoldResult {
  /// The episodes, with days counted from `first`.
  func detectedEpisodes(since first: Day) -> [DetectedEpisode] {
    // The third day is the first on which a profile of means can deviate.
    var found = episodes.map { folded in
      DetectedEpisode(
        series: folded.series, opened: folded.episode.activeSince + 2 - first,
        resolved: folded.episode.resolution.map { $0.day - first },
        level: folded.episode.level.rawValue, notifications: 0)
    }
    for notification in newLevels {
      let index = notification.episode
      // The first notification is that of the opening, unless an inherited level made it needless.
      if found[index].notifications == 0, episodes[index].earlierLevel == nil {
        found[index].opened = notification.day - first
      }
      found[index].notifications += 1
      found[index].level = max(found[index].level, notification.level.rawValue)
    }
    return found
  }
}
