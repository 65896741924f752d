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
  /// False episodes per person and year at most, of all metrics together.
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
  public enum Source: String, Sendable, Encodable {
    /// Priors and simulated people are fitted to the database.
    case database
    /// Too few people: the priors of the base and the simulated people that are built in.
    case base
    /// Too few people, and none built in: everything is that of the base.
    case notSimulated = "not_simulated"
  }

  /// The settings of a metric in one profile.
  public struct Figures: Sendable, Encodable {
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
    expected: ExactInterval, expectedOfBase: ExactInterval, metrics: [Metric]
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
  }

  /// Whether the interval of what is expected reaches down to the budget.
  public var keepsBudget: Bool { expected.lower <= budget }
}
