public import VigilAdherence
public import VigilModel

/// A row of `dose_analytics` as it is stored.
public struct StoredDoseAnalytics: Hashable, Sendable {
  public var analytics: DoseAnalytics
  /// The instant as of which its doses were missed or pending.
  public var evaluatedAt: Timestamp

  public init(analytics: DoseAnalytics, evaluatedAt: Timestamp) {
    self.analytics = analytics
    self.evaluatedAt = evaluatedAt
  }
}
