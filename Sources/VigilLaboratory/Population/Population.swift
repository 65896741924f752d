/// The description of a population that simulated people are drawn from.
///
/// It consists of aggregates only. `PopulationFit` makes it from the series of real people.
public struct Population: Hashable, Sendable, Codable {
  public var provenance: Provenance
  public var metrics: [MetricPopulation]
  /// The correlation of the metrics' residuals on one day, row by row; 1 on the diagonal.
  public var correlation: [[Double]]
  /// Intervals of correlations; none where they are assumed, or rest on too few days.
  public var correlationIntervals: [CorrelationInterval]

  public init(
    provenance: Provenance, metrics: [MetricPopulation], correlation: [[Double]],
    correlationIntervals: [CorrelationInterval] = []
  ) {
    self.provenance = provenance
    self.metrics = metrics
    self.correlation = correlation
    self.correlationIntervals = correlationIntervals
  }

  /// - Parameters:
  ///   - metrics: Those that were fitted.
  ///   - innovations: The sums of these and other metrics.
  ///   - indexes: The place of each of `metrics` among those of `innovations`.
  init(
    provenance: Provenance, metrics: [MetricPopulation], innovations: InnovationSums,
    of indexes: [Int]
  ) {
    var intervals: [CorrelationInterval] = []
    for row in indexes.indices {
      for column in indexes.indices[(row + 1)...] {
        guard let found = innovations.interval(indexes[row], indexes[column]) else { continue }
        intervals.append(
          CorrelationInterval(
            metrics: [metrics[row].metric, metrics[column].metric], lower: found.lowerBound,
            upper: found.upperBound))
      }
    }
    self.init(
      provenance: provenance, metrics: metrics,
      correlation: indexes.map { row in indexes.map { innovations.correlation(row, $0) } },
      correlationIntervals: intervals)
  }

  /// The 95 % interval of a correlation, by a bootstrap over people.
  public struct CorrelationInterval: Hashable, Sendable, Codable {
    /// The names of the two metrics, in the order of the population.
    public var metrics: [String]
    public var lower: Double
    public var upper: Double

    public init(metrics: [String], lower: Double, upper: Double) {
      self.metrics = metrics
      self.lower = lower
      self.upper = upper
    }
  }

  /// The correlation of two metrics in their bad directions, such as that of fewer steps and a higher heart rate.
  public struct BadCorrelation: Hashable, Sendable {
    public var estimate: Double
    /// Nil where the estimate is assumed.
    public var interval: ClosedRange<Double>?
  }

  /// Returns the correlation of two metrics in their bad directions; nil where one of them is missing.
  public func badCorrelation(_ one: String, _ other: String) -> BadCorrelation? {
    guard let row = index(of: one), let column = index(of: other) else { return nil }
    let direction = metrics[row].badDirection * metrics[column].badDirection
    let known = correlationIntervals.first { Set($0.metrics) == [one, other] }
    // The sum with 0 keeps a bound of 0 from being shown as -0.
    let ends = known.map { [$0.lower * direction + 0, $0.upper * direction + 0].sorted() }
    return BadCorrelation(
      estimate: correlation[row][column] * direction, interval: ends.map { $0[0]...$0[1] })
  }

  /// The origin of the figures.
  public struct Provenance: Hashable, Sendable, Codable {
    /// The name of the data set, with its reference.
    public var dataset: String
    /// All people with data, whether or not they had enough for a metric.
    public var people: Int
    /// The day of the fit.
    public var date: String
    /// The command that made the file.
    public var command: String

    public init(dataset: String, people: Int, date: String, command: String) {
      self.dataset = dataset
      self.people = people
      self.date = date
      self.command = command
    }
  }

  /// The index of a metric in `metrics`; nil where the population has none of this name.
  public func index(of metric: String) -> Int? {
    metrics.firstIndex { $0.metric == metric }
  }
}
