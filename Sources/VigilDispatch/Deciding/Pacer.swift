/// The rate limit of a provider: a bucket that holds the deliveries of one second and refills evenly.
public struct Pacer: Hashable, Sendable {
  /// Deliveries in a second; above 0.
  public let perSecond: Double
  private var tokens: Double
  private var filledAt: ContinuousClock.Instant

  public init(perSecond: Double, at now: ContinuousClock.Instant) {
    self.perSecond = perSecond
    tokens = max(1, perSecond)
    filledAt = now
  }

  /// Takes a place for a delivery; returns the seconds to wait where there is none.
  public mutating func take(at now: ContinuousClock.Instant) -> Double? {
    let passed = max(0, (now - filledAt) / .seconds(1))
    tokens = min(max(1, perSecond), tokens + passed * perSecond)
    filledAt = max(filledAt, now)
    guard tokens >= 1 else { return (1 - tokens) / perSecond }
    tokens -= 1
    return nil
  }
}
