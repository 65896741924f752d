public import VigilAnalysis
public import VigilDetection

/// The episodes that a profile raises in simulated people in whom nothing changes.
///
/// ```swift
/// import VigilAnalysis
/// let none = FalseEpisodes(metrics: ["steps"], counts: [12], personYears: 100)
/// print(none.rate.estimate, none.rate(ofMetric: 0).estimate)  // 0.12 0.12
/// ```
public struct FalseEpisodes: Hashable, Sendable {
  /// The names of the metrics.
  public let metrics: [String]
  /// By metric.
  public private(set) var counts: [Int]
  /// Calendar years of all people together, above 0.
  public private(set) var personYears: Double

  public init(metrics: [String], counts: [Int], personYears: Double) {
    self.metrics = metrics
    self.counts = counts
    self.personYears = personYears
  }

  /// False episodes per person and calendar year of all metrics.
  public var rate: ExactInterval {
    .poisson(count: counts.reduce(0, +), exposure: personYears)
  }

  /// False episodes per series and calendar year.
  public func rate(ofMetric index: Int) -> ExactInterval {
    .poisson(count: counts[index], exposure: personYears)
  }

  mutating func add(_ other: [Int], personYears years: Double) {
    for index in counts.indices { counts[index] += other[index] }
    personYears += years
  }

  /// The days of a simulated person, as in the report on the quality of detection.
  public static let dayCount = 430

  /// Counts the false episodes of profiles in the same people.
  ///
  /// - Parameters:
  ///   - profiles: Each has all metrics of the simulator's population.
  ///   - simulator: The population and the seed.
  ///   - people: The numbers of the people; memory holds a part of them at a time.
  ///   - shouldStop: Asked again and again; once true, the result is nil.
  ///   - progress: Called with the number of people of each part.
  public static func simulated(
    _ profiles: [Thresholds], simulator: Simulator, people: Range<Int>,
    shouldStop: () -> Bool = { false }, progress: (Int) -> Void = { _ in }
  ) async -> [FalseEpisodes]? {
    let names = simulator.population.metrics.map(\.metric)
    let counters = profiles.map {
      OpeningCounter(
        detector: ProfileDetector($0.version, thresholds: $0, order: names), knots: [1])
    }
    var found = profiles.map { _ in
      FalseEpisodes(metrics: names, counts: names.map { _ in 0 }, personYears: 0)
    }
    for part in people.parts(of: ThresholdCalibration.partSize) {
      if shouldStop() { return nil }
      let corpus = await Corpus(simulator, people: part, dayCount: dayCount)
      for (index, counter) in counters.enumerated() {
        let counts = await counter.count(in: corpus)
        found[index].add(counts.map { $0[0] }, personYears: corpus.personYears)
      }
      progress(part.count)
    }
    return found
  }
}

extension Range<Int> {
  /// The range in parts of at most `size`.
  func parts(of size: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: size).map {
      $0..<Swift.min($0 + size, upperBound)
    }
  }
}
