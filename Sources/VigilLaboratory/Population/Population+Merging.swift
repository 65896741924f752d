extension Population {
  /// Returns the population of `names`, each metric from here or, where it is missing, from `other`.
  ///
  /// Metrics that neither has are left out. Two metrics have the correlation of the population that has both;
  /// where none does, they are independent.
  public func filled(from other: Population, metrics names: [String]) -> Population {
    let found = names.filter { index(of: $0) != nil || other.index(of: $0) != nil }
    func pair(_ a: String, _ b: String, in population: Population) -> Double? {
      guard let row = population.index(of: a), let column = population.index(of: b) else {
        return nil
      }
      return population.correlation[row][column]
    }
    return Population(
      provenance: provenance,
      metrics: found.compactMap { name in
        index(of: name).map { metrics[$0] } ?? other.index(of: name).map { other.metrics[$0] }
      },
      correlation: found.map { row in
        found.map { column in
          row == column ? 1 : pair(row, column, in: self) ?? pair(row, column, in: other) ?? 0
        }
      },
      correlationIntervals: (correlationIntervals
        + other.correlationIntervals.filter { $0.metrics.contains { index(of: $0) == nil } })
        .filter { $0.metrics.allSatisfy(found.contains) })
  }
}
