public import VigilAnalysis
public import VigilModel

/// The output of `vigil thresholds check` about a file without a fault.
public struct ThresholdsReport: Sendable {
  public struct Metric: Sendable {
    public var metricType: MetricType
    public var patternType: PatternType
    public var unit: String
    /// Each rule in words, such as `percent_drop_at_least 0.25`.
    public var rules: [String]
    /// `means`, `evidence` or `dose_evidence`.
    public var detector: String
    /// Nil for a metric under means.
    public var evidence: Evidence?

    public init(
      metricType: MetricType, patternType: PatternType, unit: String, rules: [String],
      detector: String = "means", evidence: Evidence? = nil
    ) {
      self.metricType = metricType
      self.patternType = patternType
      self.unit = unit
      self.rules = rules
      self.detector = detector
      self.evidence = evidence
    }
  }

  /// The settings of a metric that is judged by evidence.
  public struct Evidence: Sendable {
    /// `none`, `sqrt` or `log`.
    public var transform: String
    public var priorSpread: Double
    public var priorAutocorrelation: Double
    /// The evidence that a day needs, by the size of the baseline.
    public var thresholds: [Int: Double]

    public init(
      transform: String, priorSpread: Double, priorAutocorrelation: Double,
      thresholds: [Int: Double]
    ) {
      self.transform = transform
      self.priorSpread = priorSpread
      self.priorAutocorrelation = priorAutocorrelation
      self.thresholds = thresholds
    }
  }

  /// The settings of several metrics together.
  public struct Combined: Sendable {
    public var metricEvidence: Double
    /// The evidence that a window needs, by the number of metrics that take part.
    public var thresholds: [Int: Double]
    public var correlations: [Correlation]

    /// The correlation of two metrics on a day, in their bad directions.
    public struct Correlation: Sendable {
      public var metrics: [MetricType]
      public var correlation: Double

      public init(metrics: [MetricType], correlation: Double) {
        self.metrics = metrics
        self.correlation = correlation
      }
    }

    public init(
      metricEvidence: Double, thresholds: [Int: Double], correlations: [Correlation]
    ) {
      self.metricEvidence = metricEvidence
      self.thresholds = thresholds
      self.correlations = correlations
    }
  }

  /// A series of silence.
  public struct Silence: Sendable {
    public var metricType: MetricType
    /// The fewest silent days with which an alert opens.
    public var openAfterDays: Int
    /// The most silent days with which one opens: of silence the greatest threshold, of check-ins any number of days
    /// up to it.
    public var watchedDays: Int

    public init(metricType: MetricType, openAfterDays: Int, watchedDays: Int) {
      self.metricType = metricType
      self.openAfterDays = openAfterDays
      self.watchedDays = watchedDays
    }
  }

  /// The origin of the thresholds.
  public struct Calibration: Sendable {
    /// False episodes per person and year at most; nil where it is not known.
    public var budget: Double?
    public var openingsPerSeriesYear: Double
    /// Of several metrics together; nil where it is not known.
    public var combinedOpeningsPerPersonYear: Double?
    public var simulatedSeries: Int
    public var seed: Int?
    public var source: String?
    public var digest: String?

    public init(
      budget: Double?, openingsPerSeriesYear: Double,
      combinedOpeningsPerPersonYear: Double? = nil, simulatedSeries: Int, seed: Int?,
      source: String?, digest: String?
    ) {
      self.budget = budget
      self.openingsPerSeriesYear = openingsPerSeriesYear
      self.combinedOpeningsPerPersonYear = combinedOpeningsPerPersonYear
      self.simulatedSeries = simulatedSeries
      self.seed = seed
      self.source = source
      self.digest = digest
    }
  }

  /// The false episodes in simulated people.
  public struct Expectation: Sendable {
    public var total: ExactInterval
    public var metrics: [OfMetric]
    /// Of several metrics together; nil where the file does not follow them.
    ///
    /// Where it is given, `total` counts events.
    public var combined: ExactInterval?
    /// Alerts of dose adherence, no part of `total`; nil where the file does not follow doses.
    public var doses: ExactInterval?
    /// Alerts of silence, no part of `total`; nil where the file does not follow it.
    public var silence: ExactInterval?
    /// Metrics of the file that simulated people lack.
    public var notSimulated: [MetricType]
    public var people: Int
    public var days: Int
    public var seed: Int
    /// The data set that the people are fitted to.
    public var dataset: String

    public struct OfMetric: Sendable {
      public var metricType: MetricType
      public var rate: ExactInterval

      public init(metricType: MetricType, rate: ExactInterval) {
        self.metricType = metricType
        self.rate = rate
      }
    }

    public init(
      total: ExactInterval, metrics: [OfMetric], combined: ExactInterval? = nil,
      doses: ExactInterval? = nil, silence: ExactInterval? = nil, notSimulated: [MetricType],
      people: Int, days: Int, seed: Int, dataset: String
    ) {
      self.total = total
      self.metrics = metrics
      self.combined = combined
      self.doses = doses
      self.silence = silence
      self.notSimulated = notSimulated
      self.people = people
      self.days = days
      self.seed = seed
      self.dataset = dataset
    }
  }

  public var file: String
  public var version: String
  public var digest: String
  public var metrics: [Metric]
  /// Nil where the file does not follow metrics together.
  public var combined: Combined?
  /// The series of silence that are followed.
  public var silences: [Silence] = []
  /// The limits that hold for all persons, without a baseline.
  public var limits: [CriticalLimit] = []
  /// Nil where the file does not say.
  public var calibration: Calibration?
  /// Nil where nothing was simulated.
  public var expectation: Expectation?

  public init(file: String, version: String, digest: String, metrics: [Metric]) {
    self.file = file
    self.version = version
    self.digest = digest
    self.metrics = metrics
  }
}
