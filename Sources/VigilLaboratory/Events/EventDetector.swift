public import VigilModel

/// A rule that finds the events of persons in blocks.
public protocol EventDetector: Sendable {
  /// The name in reports, such as `v3`.
  var name: String { get }
  /// Returns the events of all persons of a block, by person, and of each by opening.
  ///
  /// - Parameters:
  ///   - block: The observations.
  ///   - people: The true figures of the block's people, for detectors that are given them as a bound.
  func events(in block: ObservationBlock, people: [SimulatedPerson]) -> [DetectedEvent]
}

extension Corpus {
  /// Returns the events of a detector, by block.
  public func events(of detector: some EventDetector) async -> [[DetectedEvent]] {
    let blocks = blocks
    return await concurrentMap(blocks.count) { index in
      detector.events(in: blocks[index].observations, people: blocks[index].people)
    }
  }
}
