public import VigilModel

extension Thresholds {
  /// By metric, the absolute limit below which its values deviate, whatever is usual.
  ///
  /// A metric that evidence follows has none: its values need to be lower than usual, too.
  public var limits: [MetricType: Double] {
    metrics.reduce(into: [:]) { $0[$1.metric] = $1.limit }
  }
}

extension MetricThresholds {
  /// The absolute limit below which values deviate, whatever is usual; nil for none.
  public var limit: Double? {
    guard detector == .means else { return nil }
    return rules.filter { $0.kind == .absoluteDropBelow }.map(\.threshold).max()
  }
}
