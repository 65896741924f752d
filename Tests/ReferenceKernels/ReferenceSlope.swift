/// Slow twin of a slope and its variance: normal equations by elimination, and the matrices of the
/// residuals and of the smoothed covariance spelled out.
public struct ReferenceSlope {
  public var slope: Double
  /// Of the slope.
  public var variance: Double
  public var degreesOfFreedom: Double

  /// - Parameters:
  ///   - series: One value a day, NaN where there is none.
  ///   - weekdays: The weekday of day 0, where each weekday has a level of its own.
  public init(_ series: [Double], weekdays: Int?, autocorrelation: Double, smoothingDays: Int) {
    let days = series.indices.filter { !series[$0].isNaN }
    let present = Set(days.map { ($0 + (weekdays ?? 0)) % 7 }).sorted()
    let design = days.map { day -> [Double] in
      let levels = weekdays.map { first in
        present.dropFirst().map { (day + first) % 7 == $0 ? 1.0 : 0.0 }
      }
      return [1, Double(day)] + (levels ?? [])
    }
    let transposed = Self.transpose(design)
    let pseudoInverse = Self.solve(Self.multiply(transposed, design), transposed)
    let projection = Self.multiply(design, pseudoInverse)
    let residualMaker = days.indices.map { row in
      days.indices.map { (row == $0 ? 1.0 : 0.0) - projection[row][$0] }
    }
    // A day's value is a mean over the days before it, and those are AR(1).
    let covariance = days.map { left in
      days.map { right in
        var sum = 0.0
        for i in 0..<smoothingDays {
          for j in 0..<smoothingDays {
            var power = 1.0
            for _ in 0..<abs((left - i) - (right - j)) { power *= autocorrelation }
            sum += power
          }
        }
        return sum / Double(smoothingDays * smoothingDays)
      }
    }
    let values = days.map { [series[$0]] }
    slope = Self.multiply(pseudoInverse, values)[1][0]
    let residuals = Self.multiply(residualMaker, values)
    let squares = residuals.reduce(0) { $0 + $1[0] * $1[0] }
    let spread = Self.multiply(Self.multiply(residualMaker, covariance), residualMaker)
    let trace = spread.indices.reduce(0) { $0 + spread[$1][$1] }
    let traceOfSquare = spread.joined().reduce(0) { $0 + $1 * $1 }
    let weights = [pseudoInverse[1]]
    let ofSlope = Self.multiply(Self.multiply(weights, covariance), Self.transpose(weights))[0][0]
    variance = ofSlope * squares / trace
    degreesOfFreedom = max(1, trace * trace / traceOfSquare)
  }

  private static func transpose(_ matrix: [[Double]]) -> [[Double]] {
    (matrix.first ?? []).indices.map { column in matrix.map { $0[column] } }
  }

  private static func multiply(_ left: [[Double]], _ right: [[Double]]) -> [[Double]] {
    let columns = transpose(right)
    return left.map { row in
      columns.map { column in zip(row, column).reduce(0) { $0 + $1.0 * $1.1 } }
    }
  }

  /// Gauss-Jordan with the largest pivot of each column.
  private static func solve(_ matrix: [[Double]], _ sides: [[Double]]) -> [[Double]] {
    var rows = zip(matrix, sides).map { $0 + $1 }
    for column in matrix.indices {
      let candidates = column..<rows.count
      guard let pivot = candidates.max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) })
      else { continue }
      rows.swapAt(column, pivot)
      let scale = rows[column][column]
      rows[column] = rows[column].map { $0 / scale }
      for other in rows.indices where other != column {
        let factor = rows[other][column]
        rows[other] = zip(rows[other], rows[column]).map { $0 - factor * $1 }
      }
    }
    return rows.map { Array($0[matrix.count...]) }
  }
}
