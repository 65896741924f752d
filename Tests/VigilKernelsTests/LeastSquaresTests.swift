import Foundation
import TestSupport
import Testing

@testable import VigilKernels

/// The Statistical Reference Datasets of NIST for linear least squares.
///
/// https://www.itl.nist.gov/div898/strd/lls/lls.shtml
@Suite struct LeastSquaresTests {
  private func near(_ value: Double, _ certified: Double, _ digits: Double) -> Bool {
    (value - certified).magnitude <= certified.magnitude * digits
  }

  /// Norris: calibration of ozone monitors, a line through 36 points.
  @Test func theLineOfNorrisHasItsCertifiedValues() throws {
    let x = [
      0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5,
      666.9, 338.0, 447.5, 11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2,
      999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5,
    ]
    let y = [
      0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1,
      668.8, 339.3, 448.9, 10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0,
      998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2,
    ]
    let rows = x.count
    var sides = y
    for row in 0..<rows { sides += (0..<rows).map { $0 == row ? 1 : 0 } }
    let design = Array(repeating: 1, count: rows) + x
    try #require(
      LeastSquares.fit(design: design, rows: rows, columns: 2, rightHandSides: &sides))
    #expect(near(sides[0], -0.262323073774029, 1e-11))
    #expect(near(sides[1], 1.00211681802045, 1e-13))
    let residual = sides[2..<rows].reduce(0) { $0 + $1 * $1 }
    let deviation = (residual / Double(rows - 2)).squareRoot()
    #expect(near(deviation, 0.884796396144373, 1e-12))
    // The identity's columns give the pseudo-inverse, and so the standard errors.
    for (row, certified) in [(0, 0.232818234301152), (1, 0.429796848199937e-3)] {
      let weights = (1...rows).map { sides[$0 * rows + row] }
      let error = deviation * weights.reduce(0) { $0 + $1 * $1 }.squareRoot()
      #expect(near(error, certified, 1e-11))
    }
  }

  /// Longley: employment from six figures that nearly determine each other.
  @Test func theIllConditionedFitOfLongleyHasItsCertifiedValues() throws {
    let y = [
      60323, 61122, 60171, 61187, 63221, 63639, 64989, 63761, 66019, 67857, 68169, 66513, 68655,
      69564, 69331, 70551.0,
    ]
    let deflator = [
      83.0, 88.5, 88.2, 89.5, 96.2, 98.1, 99.0, 100.0, 101.2, 104.6, 108.4, 110.8, 112.6, 114.2,
      115.7, 116.9,
    ]
    let product = [
      234289, 259426, 258054, 284599, 328975, 346999, 365385, 363112, 397469, 419180, 442769,
      444546, 482704, 502601, 518173, 554894.0,
    ]
    let unemployed = [
      2356, 2325, 3682, 3351, 2099, 1932, 1870, 3578, 2904, 2822, 2936, 4681, 3813, 3931, 4806,
      4007.0,
    ]
    let forces = [
      1590, 1456, 1616, 1650, 3099, 3594, 3547, 3350, 3048, 2857, 2798, 2637, 2552, 2514, 2572,
      2827.0,
    ]
    let population = [
      107608, 108632, 109773, 110929, 112075, 113270, 115094, 116219, 117388, 118734, 120445,
      121950, 123366, 125368, 127852, 130081.0,
    ]
    let years = (1947...1962).map(Double.init)
    let design =
      Array(repeating: 1, count: 16) + deflator + product + unemployed + forces + population + years
    var sides = y
    try #require(
      LeastSquares.fit(design: design, rows: 16, columns: 7, rightHandSides: &sides))
    let certified = [
      -3482258.63459582, 15.0618722713733, -0.358191792925910e-1, -2.02022980381683,
      -1.03322686717359, -0.511041056535807e-1, 1829.15146461355,
    ]
    for (found, certified) in zip(sides, certified) { #expect(near(found, certified, 1e-7)) }
    #expect(near(sides[7...].reduce(0) { $0 + $1 * $1 }, 836424.055505915, 1e-9))
  }

  @Test func aDesignThatDoesNotDetermineTheLineIsRefused() {
    var sides = [1.0, 2, 3]
    #expect(
      !LeastSquares.fit(design: [1, 1, 1, 0, 0, 0], rows: 3, columns: 2, rightHandSides: &sides))
  }

  @Test func manyRightHandSidesGiveWhatEachAloneGives() throws {
    var random = SeededGenerator(seed: 1)
    let design =
      Array(repeating: 1.0, count: 28) + (0..<28).map { Double($0) }
      + (0..<28).map { $0 % 7 == 3 ? 1.0 : 0 }
    let all = (0..<28 * 50).map { _ in Double.random(in: 0...100, using: &random) }
    var together = all
    try #require(
      LeastSquares.fit(design: design, rows: 28, columns: 3, rightHandSides: &together))
    for column in 0..<50 {
      var alone = Array(all[column * 28..<(column + 1) * 28])
      try #require(
        LeastSquares.fit(design: design, rows: 28, columns: 3, rightHandSides: &alone))
      for row in 0..<28 {
        #expect((alone[row] - together[column * 28 + row]).magnitude <= 1e-9)
      }
    }
  }

  /// Table values (NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2), and others
  /// where there is a closed form: one degree of freedom is the Cauchy distribution.
  @Test(arguments: [
    (0.05, 1.0, 12.706), (0.05, 2, 4.303), (0.05, 4, 2.776), (0.05, 10, 2.228), (0.05, 26, 2.056),
    (0.02, 5, 3.365), (0.2, 3, 1.638), (0.01, 30, 2.750), (0.002, 100, 3.174),
  ])
  func quantilesOfStudentsTAreThoseOfTheTables(
    tail: Double, degreesOfFreedom: Double, expected: Double
  ) {
    let found = StudentT.quantile(tail: tail, degreesOfFreedom: degreesOfFreedom)
    #expect((found - expected).magnitude <= 0.0006)
  }

  @Test(arguments: [0.5, 0.1, 0.05, 0.001])
  func quantilesWithAClosedFormAreExact(tail: Double) {
    let cauchy = 1 / tan(tail * .pi / 2)
    #expect(near(StudentT.quantile(tail: tail, degreesOfFreedom: 1), cauchy, 1e-9))
    // Two degrees of freedom: P(|T| > t) = 1 - t / sqrt(2 + t^2).
    let inside = 1 - tail
    let two = inside * (2 / (1 - inside * inside)).squareRoot()
    #expect(near(StudentT.quantile(tail: tail, degreesOfFreedom: 2), two, 1e-9))
  }
}
