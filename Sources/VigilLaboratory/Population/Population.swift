/// The description of a population that simulated people are drawn from.
///
/// It consists of aggregates only. `PopulationFit` makes it from the series of real people.
public struct Population: Hashable, Sendable, Codable {
  public var provenance: Provenance
  public var metrics: [MetricPopulation]
  /// The correlation of the metrics' residuals on one day, row by row; 1 on the diagonal.
  public var correlation: [[Double]]

  public init(
    provenance: Provenance, metrics: [MetricPopulation], correlation: [[Double]]
  ) {
    self.provenance = provenance
    self.metrics = metrics
    self.correlation = correlation
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
