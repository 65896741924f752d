/// Ordinary least squares by Householder reflections, for the C library, which is linked without LAPACK.
///
/// Golub and Van Loan, Matrix Computations, fourth edition, 2013, algorithms 5.1.1 and 5.3.2. A test compares it
/// with `dgels`.
enum HouseholderFit {
  /// Fits as `LeastSquares.fit` does, apart from the signs of the basis of the residuals.
  static func fit(
    design: consuming [Double], rows: Int, columns: Int, rightHandSides: inout [Double]
  ) -> Bool {
    let count = rightHandSides.count / rows
    for column in 0..<columns {
      let start = column * rows + column
      let length = rows - column
      guard let beta = reflect(&design, from: start, count: length) else { return false }
      // The reflection is 1 - v v' / (v1 beta), with -beta as the new diagonal.
      let vector = Array(design[start..<start + length])
      let scale = 1 / (vector[0] * beta)
      for other in column + 1..<max(columns, column + 1) {
        apply(vector, scale, to: &design, at: other * rows + column)
      }
      for side in 0..<count {
        apply(vector, scale, to: &rightHandSides, at: side * rows + column)
      }
      design[start] = -beta
    }
    for side in 0..<count {
      for row in (0..<columns).reversed() {
        var value = rightHandSides[side * rows + row]
        for column in row + 1..<max(columns, row + 1) {
          value -= design[column * rows + row] * rightHandSides[side * rows + column]
        }
        rightHandSides[side * rows + row] = value / design[row * rows + row]
      }
    }
    return true
  }

  /// Turns the end of a column into the vector of its reflection; nil for a column of zeros.
  ///
  /// - Returns: The norm of the end, with the sign of its first element.
  private static func reflect(_ design: inout [Double], from start: Int, count: Int) -> Double? {
    // Scaled, so that no square overflows or vanishes.
    var largest = 0.0
    for index in start..<start + count { largest = max(largest, abs(design[index])) }
    guard largest > 0 else { return nil }
    var sum = 0.0
    for index in start..<start + count {
      let scaled = design[index] / largest
      sum += scaled * scaled
    }
    let norm = largest * sum.squareRoot()
    let beta = design[start] < 0 ? -norm : norm
    design[start] += beta
    return beta
  }

  /// Reflects the elements of `target` from `place` on.
  private static func apply(
    _ vector: [Double], _ scale: Double, to target: inout [Double], at place: Int
  ) {
    var product = 0.0
    for (index, element) in vector.enumerated() { product += element * target[place + index] }
    product *= scale
    for (index, element) in vector.enumerated() { target[place + index] -= product * element }
  }
}
