import VigilKernels
public import VigilModel

/// Slopes of many series with confidence intervals that allow for autocorrelation.
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let values: [Double] = (0..<28).map { index in
///   let noise = index.isMultiple(of: 2) ? 1.0 : -1.0
///   return 90 - 0.5 * Double(index) + noise
/// }
/// let estimator = SlopeEstimator(settings: SlopeSettings())
/// if let slope = estimator.estimates(of: values, smoothingDays: 1, from: first)[0] {
///   print((slope.perDay * 100).rounded() / 100)  // -0.51
///   print(slope.upper < 0)  // true
/// }
/// ```
///
/// The line, and a level for each weekday where they are to be removed, are fitted by ordinary least
/// squares. Scores of neighbouring days are means over nearly the same days, of values that are
/// correlated from day to day themselves, so the usual standard error is several times too small, and
/// 28 such scores say too little of their correlation to estimate it. The interval therefore takes the
/// correlation from the settings: values that are AR(1) with `autocorrelation`, averaged over
/// `smoothingDays`, which gives a covariance `s^2 V` of known shape.
///
/// With `w` the row of the pseudo-inverse that gives the slope, and `Q` an orthonormal basis of what
/// the design leaves over, the slope has variance `s^2 w'Vw`, and the residual sum of squares has mean
/// `s^2 tr(A)` and variance `2 s^4 tr(A^2)`, `A = Q'VQ`. So `s^2` is estimated without bias by
/// `RSS / tr(A)`, which has about `tr(A)^2 / tr(A^2)` degrees of freedom: Satterthwaite, An approximate
/// distribution of estimates of variance components, Biometrics Bulletin 2 (1946) 110-114,
/// https://doi.org/10.2307/3002019. That correlated residuals lower the degrees of freedom of t tests
/// in this way: Box, Annals of Mathematical Statistics 25 (1954) 290-302,
/// https://doi.org/10.1214/aoms/1177728786.
///
/// Series that are less correlated than that get wider intervals than they need, more correlated ones
/// too narrow ones; `benchmarks/HISTORY.md` says how often a trend is then seen where there is none.
public struct SlopeEstimator: Sendable {
  public let settings: SlopeSettings

  public init(settings: SlopeSettings) {
    self.settings = settings
  }

  /// Estimates the slope of every series.
  ///
  /// Series with a value on the same days share one factorisation.
  ///
  /// - Parameters:
  ///   - values: `settings.windowDays x series`, column-major; NaN where there is no value.
  ///   - smoothingDays: Days over which the values are means; 1 for daily ones.
  ///   - firstDay: The day of the first row.
  /// - Returns: One entry a series, nil with fewer than `settings.minPoints` values.
  /// - Complexity: O(series x days) and O(days^3) for each set of days.
  public func estimates(
    of values: [Double], smoothingDays: Int, from firstDay: Day
  ) -> [SlopeEstimate?] {
    let dayCount = settings.windowDays
    precondition(values.count.isMultiple(of: dayCount))
    let count = values.count / dayCount
    var groups: [UInt64: [Int]] = [:]
    for series in 0..<count {
      var presence: UInt64 = 0
      for day in 0..<dayCount {
        let value = values[series * dayCount + day]
        if value == value { presence |= 1 << UInt64(day) }
      }
      guard presence.nonzeroBitCount >= settings.minPoints else { continue }
      groups[presence, default: []].append(series)
    }
    var estimates = [SlopeEstimate?](repeating: nil, count: count)
    for (presence, series) in groups {
      let days = (0..<dayCount).filter { presence & (1 << UInt64($0)) != 0 }
      let design = TrendDesign(
        days: days, weekdays: settings.removesWeekdayEffect ? firstDay.weekday : nil)
      fit(series, of: values, on: design, smoothingDays: smoothingDays, into: &estimates)
    }
    return estimates
  }

  private func fit(
    _ series: [Int], of values: [Double], on design: TrendDesign, smoothingDays: Int,
    into estimates: inout [SlopeEstimate?]
  ) {
    let rows = design.days.count
    // The identity gives the weights of the slope and the basis of the residuals. Fitted along with it,
    // the last digits of a series would depend on how many others are evaluated with it.
    var fit = (0..<rows * rows).map { $0.isMultiple(of: rows + 1) ? 1.0 : 0 }
    guard
      LeastSquares.fit(
        design: design.matrix, rows: rows, columns: design.columns, rightHandSides: &fit)
    else { return }
    let spread = SlopeSpread(
      identityFit: fit, design: design,
      covariance: SmoothedCovariance(
        autocorrelation: settings.autocorrelation, smoothingDays: smoothingDays))
    let quantile = StudentT.quantile(
      tail: 1 - settings.confidence, degreesOfFreedom: spread.degreesOfFreedom)
    var side = [Double](repeating: 0, count: rows)
    for column in series {
      for row in 0..<rows { side[row] = 0 }
      for (place, day) in design.days.enumerated() {
        let value = values[column * settings.windowDays + day]
        for row in 0..<rows { side[row] += fit[place * rows + row] * value }
      }
      let slope = side[TrendDesign.slopeColumn]
      let residual = side[design.columns...].reduce(0) { $0 + $1 * $1 }
      let reach = quantile * (residual * spread.variancePerResidual).squareRoot()
      estimates[column] = SlopeEstimate(
        perDay: slope, lower: slope - reach, upper: slope + reach)
    }
  }
}

/// The columns of the regression: a level, the day, and a level more for each weekday but one.
struct TrendDesign {
  static let slopeColumn = 1

  /// Indices of the days that have a value, ascending.
  let days: [Int]
  let columns: Int
  /// `days x columns`, column-major.
  let matrix: [Double]

  /// - Parameter weekdays: The weekday of day 0, where each weekday has a level of its own.
  init(days: [Int], weekdays: Int?) {
    self.days = days
    let middle = Double(days.reduce(0, +)) / Double(days.count)
    var matrix = [Double](repeating: 1, count: days.count) + days.map { Double($0) - middle }
    var columns = 2
    if let weekdays {
      let byDay = days.map { ($0 + weekdays) % 7 }
      // A weekday without a value has no level; the first one's is the common level.
      for weekday in Set(byDay).sorted().dropFirst() {
        matrix += byDay.map { $0 == weekday ? 1 : 0 }
        columns += 1
      }
    }
    self.matrix = matrix
    self.columns = columns
  }
}

/// Covariances of an AR(1) series of variance 1 after a moving mean.
struct SmoothedCovariance {
  let autocorrelation: Double
  let smoothingDays: Int

  /// The covariance of days that are up to `count - 1` days apart.
  func byLag(count: Int) -> [Double] {
    (0..<count).map { lag in
      var sum = 0.0
      for left in 0..<smoothingDays {
        for right in 0..<smoothingDays {
          sum += power((lag + left - right).magnitude)
        }
      }
      return sum / Double(smoothingDays * smoothingDays)
    }
  }

  private func power(_ exponent: UInt) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * autocorrelation }
  }
}

/// The variance of a slope and its degrees of freedom, from the days of a regression.
struct SlopeSpread {
  /// Variance of the slope as a multiple of the residual sum of squares.
  let variancePerResidual: Double
  let degreesOfFreedom: Double

  /// - Parameter identityFit: The identity matrix after `LeastSquares.fit`.
  init(identityFit fit: [Double], design: TrendDesign, covariance: SmoothedCovariance) {
    let rows = design.days.count
    let byLag = covariance.byLag(count: (design.days.last ?? 0) + 1)
    /// Row `index` of the fit times the covariance.
    func spread(_ index: Int) -> [Double] {
      (0..<rows).map { row in
        var sum = 0.0
        for other in 0..<rows {
          let lag = (design.days[row] - design.days[other]).magnitude
          sum += fit[other * rows + index] * byLag[Int(lag)]
        }
        return sum
      }
    }
    func product(_ left: [Double], _ index: Int) -> Double {
      (0..<rows).reduce(0) { $0 + left[$1] * fit[$1 * rows + index] }
    }
    let variance = product(spread(TrendDesign.slopeColumn), TrendDesign.slopeColumn)
    var trace = 0.0
    var squares = 0.0
    for row in design.columns..<rows {
      let left = spread(row)
      for other in design.columns..<rows {
        let element = product(left, other)
        squares += element * element
        if other == row { trace += element }
      }
    }
    variancePerResidual = variance / trace
    degreesOfFreedom = max(1, trace * trace / squares)
  }
}
