/// Correlations between the traits of people.
enum CorrelationFit {
  /// Returns the values that a normal sample of this size would have at the ranks of `sample`.
  static func normalScores(_ sample: [Double]) -> [Double] {
    let order = sample.indices.sorted { (sample[$0], $0) < (sample[$1], $1) }
    var scores = [Double](repeating: 0, count: sample.count)
    for (rank, index) in order.enumerated() {
      scores[index] = Normal.quantile((Double(rank) + 0.5) / Double(sample.count))
    }
    return scores
  }

  /// Returns Pearson's correlation; 0 where one of the two does not vary.
  static func correlation(_ left: [Double], _ right: [Double]) -> Double {
    let count = Double(left.count)
    guard count > 0 else { return 0 }
    let (meanLeft, meanRight) = (left.reduce(0, +) / count, right.reduce(0, +) / count)
    var (products, squaresLeft, squaresRight) = (0.0, 0.0, 0.0)
    for (a, b) in zip(left, right) {
      products += (a - meanLeft) * (b - meanRight)
      squaresLeft += (a - meanLeft) * (a - meanLeft)
      squaresRight += (b - meanRight) * (b - meanRight)
    }
    let scale = (squaresLeft * squaresRight).squareRoot()
    return scale > 0 ? products / scale : 0
  }
}
