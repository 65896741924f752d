public import VigilDetection
public import VigilModel

extension CombinedSettings {
  /// A smaller correlation counts as none: of so few people it may be chance.
  private static let leastCorrelation = 0.1
  /// Correlations are rounded to whole parts of 1 / 20.
  private static let correlationSteps = 20.0

  /// Returns the settings with the correlations of the people of a population (specification, evidence-person.md
  /// section 7): those in the bad directions, to 0.05, and 0 below 0.1.
  ///
  /// Pairs of metrics that are assumed in the population, or missing from it, keep theirs.
  public func fitted(to population: Population) -> CombinedSettings {
    var fitted = self
    for (pair, known) in population.knownCorrelations(of: metrics) {
      let rounded = (known.estimate * Self.correlationSteps).rounded() / Self.correlationSteps
      fitted.correlations[pair] = rounded >= Self.leastCorrelation ? min(rounded, 0.95) : nil
    }
    return fitted
  }
}

extension Population {
  /// Returns the correlations of each two metrics in their bad directions, as far as days of people show them.
  public func knownCorrelations(of metrics: [MetricType]) -> [MetricPair: BadCorrelation] {
    var found: [MetricPair: BadCorrelation] = [:]
    for (index, one) in metrics.enumerated() {
      for other in metrics[(index + 1)...] {
        guard let known = badCorrelation(one.rawValue, other.rawValue), known.interval != nil
        else { continue }
        found[MetricPair(one, other)] = known
      }
    }
    return found
  }
}
