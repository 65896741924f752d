public import VigilDetection
import VigilModel

/// Sets the thresholds of several metrics together, and then all thresholds of a profile, so that people in whom
/// nothing changes have as few events as a budget allows.
///
/// The thresholds by the number of metrics that take part are looked for one after the other, on people who have as
/// many metrics: each such person has the same rate of episodes. At last all thresholds, those of the metrics too,
/// are raised or lowered together until the events keep the budget.
public struct CombinedCalibration: Sendable {
  /// Episodes of several metrics together, for each event of the budget (specification, evidence-person.md
  /// section 7).
  public static let openingsPerEvent = 0.45

  /// In hundredths.
  static let bounds = 150...900
  private static let offsets = -100...100
  /// Of `people`, the share that is simulated for each number of metrics.
  private static let share = 5
  /// So many times its threshold, no metric has an episode of its own, which saves time.
  private static let never = 1_000.0

  /// The profile with the thresholds of its metrics; those of several together do not count.
  public let profile: Thresholds
  public let simulator: Simulator
  /// The number of simulated people, who are those from 0 up.
  public let people: Int
  /// False events per person-year.
  public let budget: Double

  private let metrics: [String]
  /// The people in the metrics that are followed together.
  private let followed: Population

  /// - Parameter profile: Has all metrics of the population.
  /// - Returns: Nil where the profile does not follow several of these metrics together.
  public init?(profile: Thresholds, simulator: Simulator, people: Int, budget: Double) {
    guard let combined = profile.combined else { return nil }
    metrics = simulator.population.metrics.map(\.metric)
    let known = ProfileDetector.metrics(of: profile, order: metrics)
    guard combined.applies(to: known) else { return nil }
    followed = simulator.population.filled(
      from: simulator.population,
      metrics: metrics.filter { combined.metrics.contains(MetricType($0)) })
    self.profile = profile
    self.simulator = simulator
    self.people = people
    self.budget = budget
  }

  /// The thresholds that were found.
  public struct Outcome: Sendable {
    /// The profile with all its thresholds.
    public var profile: Thresholds
    /// Episodes of several metrics together in a person and year.
    public var openingsPerPersonYear: Double
    /// Episodes of single metrics, in all simulated people.
    public var openingsOfMetrics: Int
    /// The simulated people of each number of metrics.
    public var simulatedPeople: Int
  }

  /// Looks for the thresholds.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked again and again; once true, the result is nil.
  ///   - progress: The share of the work that is done, up to 1.
  public func run(
    shouldStop: () -> Bool = { false }, progress: (Double) -> Void = { _ in }
  ) async -> Outcome? {
    let rounds = Double(numbers.count) * 10 + 16
    var done = 0.0
    func next() -> Bool {
      done += 1
      progress(min(done / rounds, 1))
      return !shouldStop()
    }
    guard let thresholds = await thresholdsByNumber(next) else { return nil }
    let shaped = with(filled(thresholds))
    var corpora: [Corpus] = []
    for part in (0..<people).parts(of: ThresholdCalibration.partSize) {
      corpora.append(await Corpus(simulator, people: part, dayCount: FalseEpisodes.dayCount))
    }
    let years = corpora.reduce(0) { $0 + $1.personYears }
    var matching = CountMatching(
      targets: [Int((ThresholdCalibration.aim * budget * years).rounded())], within: Self.offsets)
    while !matching.isDone {
      let moved = shaped.raised(by: matching.values[0])
      guard let found = await counts(of: moved, metrics: metrics, in: corpora, next) else {
        return nil
      }
      matching.take([found.events])
    }
    let result = shaped.raised(by: matching.values[0])
    guard let found = await counts(of: result, metrics: metrics, in: corpora, next) else {
      return nil
    }
    progress(1)
    return Outcome(
      profile: result, openingsPerPersonYear: Double(found.combined ?? 0) / years,
      openingsOfMetrics: found.counts.reduce(0, +), simulatedPeople: peopleOfNumber)
  }

  private var numbers: ClosedRange<Int> { 2...followed.metrics.count }

  /// Looks for the thresholds by the number of metrics that take part; those of the metrics do not count.
  ///
  /// - Parameter next: Asked before each round; once false, the result is nil.
  public func thresholdsByNumber(_ next: () -> Bool = { true }) async -> [Int: Double]? {
    var thresholds: [Int: Double] = [:]
    for number in numbers {
      guard let found = await threshold(of: number, after: thresholds, next) else { return nil }
      thresholds[number] = found
    }
    return thresholds
  }

  private var peopleOfNumber: Int { max(people / Self.share, 20) }

  /// The least threshold of windows in which `number` metrics take part that keeps the rate.
  private func threshold(
    of number: Int, after lower: [Int: Double], _ next: () -> Bool
  ) async -> Double? {
    var conditions = simulator.conditions
    conditions.metricsPerPerson = number
    let corpus = await Corpus(
      Simulator(population: followed, conditions: conditions, seed: simulator.seed),
      people: 0..<peopleOfNumber, dayCount: FalseEpisodes.dayCount)
    let target = Self.openingsPerEvent * budget * corpus.personYears
    // A threshold does not fall as more metrics take part: more of them find more by chance.
    let least = lower[number - 1].map { Int(($0 * 100).rounded()) } ?? Self.bounds.lowerBound
    var matching = CountMatching(
      targets: [Int(target.rounded())], within: least...Self.bounds.upperBound)
    var alone = profile
    for index in alone.metrics.indices {
      guard let own = alone.metrics[index].evidence?.thresholds else { continue }
      // Their proportions say how much less a short baseline is believed.
      alone.metrics[index].evidence?.thresholds = EvidenceThresholds(
        Dictionary(
          uniqueKeysWithValues: own.knots.map { ($0.poolSize, $0.threshold * Self.never) }))
    }
    while !matching.isDone {
      var thresholds = lower
      // Windows in which more take part do not occur in these people.
      thresholds[number] = Double(matching.values[0]) / 100
      alone.combined?.thresholds = thresholds
      guard
        let found = await counts(
          of: alone, metrics: followed.metrics.map(\.metric), in: [corpus], next)
      else { return nil }
      matching.take([found.combined ?? 0])
    }
    return Double(matching.values[0]) / 100
  }

  private func counts(
    of profile: Thresholds, metrics: [String], in corpora: [Corpus], _ next: () -> Bool
  ) async -> FalseEpisodes? {
    guard next() else { return nil }
    let detector = ProfileEvents(profile.version, thresholds: profile, order: metrics)
    var found: FalseEpisodes?
    for corpus in corpora {
      let counts = await FalseEpisodes(of: detector, in: corpus, metrics: metrics)
      if found == nil { found = counts } else { found?.add(counts) }
    }
    return found
  }

  /// Thresholds of more metrics than can be simulated keep their distance from the last one that can.
  private func filled(_ found: [Int: Double]) -> [Int: Double] {
    let old = profile.combined?.thresholds ?? [:]
    guard let last = found.keys.max(), let lastFound = found[last],
      let lastOld = profile.combined?.threshold(metricsTakingPart: last), lastOld.isFinite
    else { return found }
    return old.filter { $0.key > last }.mapValues {
      ((lastFound + max($0 - lastOld, 0)) * 100).rounded() / 100
    }.merging(found) { $1 }
  }

  private func with(_ thresholds: [Int: Double]) -> Thresholds {
    var profile = profile
    profile.combined?.thresholds = thresholds
    return profile
  }
}

extension Thresholds {
  /// Returns the profile with hundredths added to every threshold of evidence, of one metric and of several.
  fileprivate func raised(by hundredths: Int) -> Thresholds {
    func moved(_ value: Double, _ bounds: ClosedRange<Int>) -> Double {
      let sum = Int((value * 100).rounded()) + hundredths
      return Double(min(max(sum, bounds.lowerBound), bounds.upperBound)) / 100
    }
    var raised = self
    for index in raised.metrics.indices {
      guard let evidence = raised.metrics[index].evidence else { continue }
      raised.metrics[index].evidence?.thresholds = EvidenceThresholds(
        Dictionary(
          uniqueKeysWithValues: evidence.thresholds.knots.map {
            ($0.poolSize, moved($0.threshold, ThresholdCalibration.bounds))
          }))
    }
    if let combined {
      raised.combined?.thresholds = combined.thresholds.mapValues {
        moved($0, CombinedCalibration.bounds)
      }
    }
    return raised
  }
}
