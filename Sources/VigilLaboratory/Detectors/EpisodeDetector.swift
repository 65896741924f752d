public import VigilModel

/// A rule that finds episodes in blocks.
public protocol EpisodeDetector: Sendable {
  /// The name in reports, such as `v1`.
  var name: String { get }
  /// Makes an instance with its own working memory; one thread uses one.
  func makeWorker() -> any EpisodeDetectorWorker
}

/// A detector at work.
public protocol EpisodeDetectorWorker: AnyObject {
  /// Returns the episodes of all series of a block, by series, and within a series by opening.
  ///
  /// - Parameters:
  ///   - block: The observations.
  ///   - people: The true figures of the block's people, for detectors that are given them as a bound.
  func episodes(in block: ObservationBlock, people: [SimulatedPerson]) -> [DetectedEpisode]
}
