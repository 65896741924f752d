/// The lower triangle of a correlation matrix, which makes independent numbers correlated.
package struct Cholesky: Sendable {
  /// Row by row; row i has i + 1 entries.
  package let rows: [[Double]]

  /// A matrix of estimated correlations may be impossible; its entries then shrink, by a twentieth each time,
  /// until it is possible.
  package init(correlation: [[Double]]) {
    var share = 1.0
    while true {
      if let rows = Self.factor(correlation, share: share) {
        self.rows = rows
        return
      }
      share -= 0.05
    }
  }

  private static func factor(_ matrix: [[Double]], share: Double) -> [[Double]]? {
    var rows: [[Double]] = []
    for row in matrix.indices {
      var entries: [Double] = []
      for column in 0...row {
        var rest = row == column ? 1 : matrix[row][column] * share
        for index in 0..<column {
          rest -= entries[index] * (column == row ? entries[index] : rows[column][index])
        }
        if row == column {
          guard rest > 1e-6 else { return nil }
          entries.append(rest.squareRoot())
        } else {
          entries.append(rest / rows[column][column])
        }
      }
      rows.append(entries)
    }
    return rows
  }

  /// Returns the entry of one row of the product with `independent`.
  @inline(__always)
  package func product(row: Int, _ independent: UnsafeBufferPointer<Double>) -> Double {
    rows[row].withUnsafeBufferPointer { entries in
      var sum = 0.0
      for index in 0...row { sum += entries[index] * independent[index] }
      return sum
    }
  }

  /// Returns `x` with `rows * x = values`: numbers with this correlation made independent.
  package func solved(_ values: [Double]) -> [Double] {
    var solution: [Double] = []
    for (row, value) in values.enumerated() {
      var rest = value
      for index in 0..<row { rest -= rows[row][index] * solution[index] }
      solution.append(rest / rows[row][row])
    }
    return solution
  }
}
