public import VigilDetection

/// Sets the thresholds of a profile so that people in whom nothing changes have as few episodes as a budget
/// allows.
///
/// All metrics, at all sizes of the baseline, get the same rate of openings per year of days that can be
/// judged. From a budget of episodes this rate follows with the share of days with a value. The thresholds are
/// looked for with the detector itself, on one corpus of simulated people: first for each size of the baseline,
/// then made not to rise with it, then raised or lowered together until the metric as a whole has its rate.
public struct ThresholdCalibration: Sendable {
  /// The sizes of the baseline that may get a threshold of their own.
  public static let poolSizes = [10, 14, 20, 28, 40, 60, 90, 120]
  /// The budgets, in episodes per person-year, that thresholds can be set for: a smaller one needs more
  /// simulated years than fit into memory, and above the largest, episodes run into each other.
  public static let budgets = 0.05...20.0
  /// The share of the budget that is aimed at.
  ///
  /// The rest is for what chance does in a corpus, so that other people keep the budget too.
  public static let aim = 0.9

  /// In hundredths; below the least, a usual day would do.
  static let bounds = 200...1200
  /// Fewer openings than this do not set a threshold: neighbouring sizes then share one.
  static let fewestOpenings = 5.0
  static let partSize = 400

  /// The profile with the priors in force; its thresholds do not count.
  public let profile: Thresholds
  public let simulator: Simulator
  /// The number of simulated people, who are those from 0 up.
  public let people: Int
  public let rate: Rate

  /// The false episodes that there may be.
  public enum Rate: Hashable, Sendable {
    /// Of all metrics of a person together, in a year; `aim` of it is aimed at.
    case episodesPerPersonYear(Double)
    /// Of each series, in a year of days that can be judged.
    case openingsPerSeriesYear(Double)
  }

  /// - Precondition: `profile` has all metrics of the population, under evidence; `people` is above 0.
  public init(profile: Thresholds, simulator: Simulator, people: Int, rate: Rate) {
    self.profile = profile
    self.simulator = simulator
    self.people = people
    self.rate = rate
  }

  /// The thresholds that were found.
  public struct Outcome: Sendable {
    /// By metric of the population.
    public var thresholds: [EvidenceThresholds]
    /// Episodes that open in a year of days that can be judged, of each series.
    public var openingsPerSeriesYear: Double
    /// Years of days that can be judged, of all simulated series together.
    public var judgedYears: Double
  }

  /// The sizes of the baseline that get a threshold.
  var knots: [Int] {
    let settings = profile.evidence
    return [settings.minBaselineDays]
      + Self.poolSizes.filter {
        $0 > settings.minBaselineDays && $0 <= settings.baselineDays
      }
  }

  /// Looks for the thresholds.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked again and again; once true, the result is nil.
  ///   - progress: The share of the work that is done, up to 1.
  public func run(
    shouldStop: () -> Bool = { false }, progress: (Double) -> Void = { _ in }
  ) async -> Outcome? {
    var corpora: [Corpus] = []
    for part in (0..<people).parts(of: Self.partSize) {
      if shouldStop() { return nil }
      corpora.append(await Corpus(simulator, people: part, dayCount: FalseEpisodes.dayCount))
      progress(0.4 * Double(part.upperBound) / Double(people))
    }
    var search = ThresholdSearch(self, corpora: corpora)
    await search.measureExposure()
    return await search.run(shouldStop: shouldStop) { progress(0.4 + 0.6 * $0) }
  }
}
