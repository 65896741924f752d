/// False episodes per person and year in simulated people in whom nothing changes, with the 95 % interval.
public struct FalseEpisodeRate: Sendable, Hashable, Encodable {
  public var estimate: Double
  public var lower: Double
  public var upper: Double

  public init(estimate: Double, lower: Double, upper: Double) {
    self.estimate = estimate
    self.lower = lower
    self.upper = upper
  }

  /// `0.86 [0.81, 0.90]`.
  var text: String {
    "\(NumberText.decimals(estimate)) [\(NumberText.decimals(lower)), \(NumberText.decimals(upper))]"
  }
}
