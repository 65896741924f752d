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
  /// Episodes of several metrics together; nil where the profile does not follow them.
  public private(set) var combined: Int?
  /// All episodes; where the profile follows metrics together, the events that they form.
  public private(set) var events: Int
  /// Calendar years of all people together, above 0.
  public private(set) var personYears: Double

  /// - Parameters:
  ///   - metrics: The names of the metrics.
  ///   - counts: By metric.
  ///   - combined: Episodes of several metrics together; nil where the profile does not follow them.
  ///   - events: Nil where each episode is an event.
  ///   - personYears: Above 0.
  public init(
    metrics: [String], counts: [Int], combined: Int? = nil, events: Int? = nil, personYears: Double
  ) {
    self.metrics = metrics
    self.counts = counts
    self.combined = combined
    self.events = events ?? counts.reduce(0, +)
    self.personYears = personYears
  }

  /// False events per person and calendar year; episodes, where the profile has no events.
  public var rate: ExactInterval { rate() }

  /// Returns false events per person and calendar year; episodes, where the profile has no events.
  public func rate(confidence: Double = 0.95) -> ExactInterval {
    .poisson(count: events, exposure: personYears, confidence: confidence)
  }

  /// False episodes per series and calendar year.
  public func rate(ofMetric index: Int) -> ExactInterval {
    .poisson(count: counts[index], exposure: personYears)
  }

  /// False episodes of several metrics together per person and calendar year; nil where they are not followed.
  public var combinedRate: ExactInterval? {
    combined.map { .poisson(count: $0, exposure: personYears) }
  }

  mutating func add(_ other: FalseEpisodes) {
    for index in counts.indices { counts[index] += other.counts[index] }
    combined = combined.map { $0 + (other.combined ?? 0) }
    events += other.events
    personYears += other.personYears
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
    let detectors = profiles.map { ProfileEvents($0.version, thresholds: $0, order: names) }
    var found: [FalseEpisodes] = []
    for part in people.parts(of: ThresholdCalibration.partSize) {
      if shouldStop() { return nil }
      let corpus = await Corpus(simulator, people: part, dayCount: dayCount)
      for (index, detector) in detectors.enumerated() {
        let counts = await FalseEpisodes(of: detector, in: corpus, metrics: names)
        if index < found.count { found[index].add(counts) } else { found.append(counts) }
      }
      progress(part.count)
    }
    return found
  }

  init(of detector: ProfileEvents, in corpus: Corpus, metrics names: [String]) async {
    let events = await corpus.events(of: detector).joined()
    var counts = names.map { _ in 0 }
    var (alerts, combined) = (0, 0)
    for alert in events.lazy.flatMap(\.alerts) {
      alerts += 1
      if alert.metrics.count == 1, let metric = alert.metrics.first {
        counts[metric] += 1
      } else {
        combined += 1
      }
    }
    let isTogether = detector.thresholds.combined != nil
    self.init(
      metrics: names, counts: counts, combined: isTogether ? combined : nil,
      events: isTogether ? events.count : alerts, personYears: corpus.personYears)
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
