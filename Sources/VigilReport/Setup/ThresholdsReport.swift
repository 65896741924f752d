public import VigilModel

/// The output of `vigil thresholds check` about a file without a fault.
public struct ThresholdsReport: Sendable, Encodable {
  public struct Metric: Sendable, Encodable {
    public var metricType: MetricType
    public var patternType: PatternType
    public var unit: String
    /// Each rule in words, such as `percent_drop_at_least 0.25`.
    public var rules: [String]

    public init(metricType: MetricType, patternType: PatternType, unit: String, rules: [String]) {
      self.metricType = metricType
      self.patternType = patternType
      self.unit = unit
      self.rules = rules
    }
  }

  public var file: String
  public var version: String
  public var digest: String
  public var metrics: [Metric]

  public init(file: String, version: String, digest: String, metrics: [Metric]) {
    self.file = file
    self.version = version
    self.digest = digest
    self.metrics = metrics
  }
}

extension ThresholdsReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Metric"), .init("Direction"), .init("Unit"), .init("Deviates when"),
    ])
    table.rows = metrics.map {
      [
        .init($0.metricType.words), .init($0.patternType == .drop ? "drop" : "rise"),
        .init($0.unit), .init($0.rules.joined(separator: " or ")),
      ]
    }
    return "\(file.terminalSafe) is valid: version \(version.terminalSafe), SHA-256 \(digest)\n\n"
      + table.render(style)
  }
}
