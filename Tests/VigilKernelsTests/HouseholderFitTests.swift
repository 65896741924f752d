import TestSupport
import Testing

@testable import VigilKernels

/// The C library's fit beside that of LAPACK, which the engine uses.
@Suite struct HouseholderFitTests {
  @Test func randomFitsAreThoseOfLAPACK() throws {
    for seed in 1...Repetitions.count(fast: 50, long: 2_000) {
      var random = SeededGenerator(seed: seed)
      let columns = Int.random(in: 1...4, using: &random)
      let rows = columns + Int.random(in: 1...40, using: &random)
      func numbers(_ count: Int) -> [Double] {
        (0..<count).map { _ in Double.random(in: -10...10, using: &random) }
      }
      let design = numbers(rows * columns)
      let sides = numbers(rows * 3)
      var (ours, theirs) = (sides, sides)
      try #require(
        HouseholderFit.fit(design: design, rows: rows, columns: columns, rightHandSides: &ours))
      try #require(
        LeastSquares.fit(design: design, rows: rows, columns: columns, rightHandSides: &theirs))
      for side in 0..<3 {
        for row in 0..<columns {
          let (a, b) = (ours[side * rows + row], theirs[side * rows + row])
          #expect((a - b).magnitude <= 1e-8 * max(1, b.magnitude), "seed \(seed)")
        }
        func residual(_ sides: [Double]) -> Double {
          sides[side * rows + columns..<(side + 1) * rows].reduce(0) { $0 + $1 * $1 }
        }
        #expect(
          (residual(ours) - residual(theirs)).magnitude <= 1e-9 * max(1, residual(theirs)),
          "seed \(seed)")
      }
    }
  }

  @Test func aColumnOfZerosHasNoFit() {
    var sides = [1.0, 2, 3]
    #expect(
      !HouseholderFit.fit(
        design: [1, 1, 1, 0, 0, 0], rows: 3, columns: 2, rightHandSides: &sides))
  }
}
