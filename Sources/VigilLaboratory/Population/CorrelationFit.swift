import VigilModel

/// Correlations between the traits of people and between the metrics of a day.
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

  /// Returns the correlation of the metrics' innovations on one day: the part of a day that the day before
  /// does not foretell.
  ///
  /// Slow changes of two metrics would otherwise look like a correlation of their days.
  ///
  /// - Parameter fits: By metric, the fits of people.
  static func correlation(between fits: [[SeriesFit]]) -> [[Double]] {
    let innovations = fits.map { $0.map { (person: $0.person, days: Self.innovations(of: $0)) } }
    return innovations.indices.map { row in
      innovations.indices.map { column in
        if row == column { return 1 }
        let others = Dictionary(
          uniqueKeysWithValues: innovations[column].map { fit in
            (fit.person, Dictionary(uniqueKeysWithValues: fit.days.map { ($0.day, $0.value) }))
          })
        var (left, right): ([Double], [Double]) = ([], [])
        for (person, days) in innovations[row] {
          guard let others = others[person] else { continue }
          for (day, value) in days {
            guard let other = others[day] else { continue }
            left.append(value)
            right.append(other)
          }
        }
        guard left.count >= 100 else { return 0 }
        return (correlation(left, right) * 100).rounded() / 100
      }
    }
  }

  static func innovations(of fit: SeriesFit) -> [(day: Day, value: Double)] {
    let a = fit.autocorrelation ?? 0
    return zip(fit.residuals, fit.residuals.dropFirst()).compactMap { earlier, later in
      guard later.day - earlier.day == 1 else { return nil }
      let clipped = min(max(later.value - a * earlier.value, -3), 3)
      return (later.day, clipped / (1 - a * a).squareRoot())
    }
  }
}
