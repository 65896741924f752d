public import VigilAnalysis
public import VigilModel

/// The output of `vigil calibrate`.
public struct CalibrationReport: Sendable {
  /// The file that was written.
  public var file: String
  public var version: String
  public var digest: String
  /// The profile that everything else was taken from.
  public var base: String
  public var database: String
  public var days: ClosedRange<Day>
  /// Persons with at least one value.
  public var people: Int
  /// False episodes per person and year at most, of all metrics; false events where the profile follows metrics
  /// together.
  public var budget: Double
  public var openingsPerSeriesYear: Double
  /// Simulated people: as many for the thresholds as for the check.
  public var simulatedPeople: Int
  public var simulatedDays: Int
  public var seed: Int
  /// In the people of the check, with the new file.
  public var expected: ExactInterval
  /// In the same people, with the base.
  public var expectedOfBase: ExactInterval
  public var metrics: [Metric]
  /// Nil where the profile does not follow metrics together.
  public var together: Together?
  /// Nil where the profile does not follow silence.
  public var pauses: Pauses?
  /// Nil where the profile does not weigh missed doses.
  public var doses: Doses?

  /// The settings of several metrics together.
  public struct Together: Sendable {
    /// False episodes of several metrics together, per person and year.
    public var expected: ExactInterval
    /// The evidence that a window needs, by the number of metrics that take part.
    public var thresholds: [Int: Double]
    public var thresholdsBefore: [Int: Double]
    /// Of each two metrics, those that are 0 now and before left out.
    public var correlations: [Correlation]

    public init(
      expected: ExactInterval, thresholds: [Int: Double], thresholdsBefore: [Int: Double],
      correlations: [Correlation]
    ) {
      self.expected = expected
      self.thresholds = thresholds
      self.thresholdsBefore = thresholdsBefore
      self.correlations = correlations
    }
  }

  /// The correlation of two metrics on a day, in their bad directions.
  public struct Correlation: Sendable {
    public var metrics: [MetricType]
    /// In the people of the database, with its 95 % interval; nil where too few people have both.
    public var found: ExactInterval?
    /// In the new file.
    public var now: Double
    public var before: Double

    public init(metrics: [MetricType], found: ExactInterval?, now: Double, before: Double) {
      self.metrics = metrics
      self.found = found
      self.now = now
      self.before = before
    }
  }

  /// One metric that is judged by evidence.
  public struct Metric: Sendable {
    public var metricType: MetricType
    /// Persons with enough values.
    public var people: Int
    public var source: Source
    public var now: Figures
    public var before: Figures
    /// False episodes per person and year; nil where the metric was not simulated.
    public var expected: ExactInterval?

    public init(
      metricType: MetricType, people: Int, source: Source, now: Figures, before: Figures,
      expected: ExactInterval?
    ) {
      self.metricType = metricType
      self.people = people
      self.source = source
      self.now = now
      self.before = before
      self.expected = expected
    }
  }

  /// The origin of a metric's figures.
  public enum Source: String, Sendable {
    /// Priors and simulated people are fitted to the database.
    case database
    /// Too few people: the priors of the base and the simulated people that are built in.
    case base
    /// Too few people, and none built in: everything is that of the base.
    case notSimulated = "not_simulated"
  }

  /// The settings of a metric in one profile.
  public struct Figures: Sendable {
    public var priorSpread: Double
    public var priorAutocorrelation: Double
    /// By the size of the baseline.
    public var thresholds: [String: Double]

    public init(priorSpread: Double, priorAutocorrelation: Double, thresholds: [Int: Double]) {
      self.priorSpread = priorSpread
      self.priorAutocorrelation = priorAutocorrelation
      self.thresholds = Dictionary(
        uniqueKeysWithValues: thresholds.map { (String($0.key), $0.value) })
    }

    /// The threshold of the largest size up to `size`; of smaller ones that of the first.
    func threshold(_ size: Int) -> Double {
      let knots = thresholds.compactMap { key, value in Int(key).map { ($0, value) } }
        .sorted { $0.0 < $1.0 }
      return (knots.last { $0.0 <= size } ?? knots.first)?.1 ?? .nan
    }
  }

  /// The fewest values of a person, and the fewest people of a metric, that are fitted.
  public var fewest: (values: Int, people: Int)

  public init(
    file: String, version: String, digest: String, base: String, database: String,
    days: ClosedRange<Day>, people: Int, fewest: (values: Int, people: Int), budget: Double,
    openingsPerSeriesYear: Double, simulatedPeople: Int, simulatedDays: Int, seed: Int,
    expected: ExactInterval, expectedOfBase: ExactInterval, metrics: [Metric],
    together: Together? = nil
  ) {
    self.file = file
    self.version = version
    self.digest = digest
    self.base = base
    self.database = database
    self.days = days
    self.people = people
    self.fewest = fewest
    self.budget = budget
    self.openingsPerSeriesYear = openingsPerSeriesYear
    self.simulatedPeople = simulatedPeople
    self.simulatedDays = simulatedDays
    self.seed = seed
    self.expected = expected
    self.expectedOfBase = expectedOfBase
    self.metrics = metrics
    self.together = together
  }

  /// Whether the interval of what is expected reaches down to the budget.
  public var keepsBudget: Bool { expected.lower <= budget }
}
