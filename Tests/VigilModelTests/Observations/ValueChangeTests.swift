import Testing
import VigilModel

@Suite struct ValueChangeTests {
  private func change(
    usual: Double, recent: Double, _ pattern: PatternType = .drop, limit: Double? = nil
  ) throws -> ValueChange {
    let day = try #require(Day("2026-06-30"))
    return ValueChange(
      EpisodeFigures(
        baseline: .init(value: usual, start: day - 24, end: day - 3, count: 21),
        recent: .init(value: recent, start: day - 2, end: day, count: 3)), of: pattern, limit: limit
    )
  }

  @Test func lowerAndHigherFollowFromTheFigures() throws {
    #expect(try change(usual: 400, recent: 300) == .lower)
    #expect(try change(usual: 400, recent: 399.9) == .lower)
    #expect(try change(usual: 400, recent: 400) == .unclear)
    #expect(try change(usual: 400, recent: 500) == .unclear)
    #expect(try change(usual: 60, recent: 66, .rise) == .higher)
    #expect(try change(usual: 60, recent: 60, .rise) == .unclear)
    #expect(try change(usual: 60, recent: 54, .rise) == .unclear)
    // A usual value of 0 has no deviation, and a value above it is higher all the same.
    #expect(try change(usual: 0, recent: 5, .rise) == .higher)
    #expect(try change(usual: -2, recent: -3) == .lower)
  }

  @Test func aLimitIsSaidWhereValuesAreNotLowerThanUsual() throws {
    #expect(try change(usual: 21, recent: 67, limit: 80) == .below(80))
    #expect(try change(usual: 70, recent: 70, limit: 80) == .below(80))
    // Within what counts as usual.
    #expect(try change(usual: 70, recent: 69.8, limit: 80) == .below(80))
    #expect(try change(usual: 0, recent: 0, limit: 80) == .below(80))
    #expect(try change(usual: 90, recent: 60, limit: 80) == .lower)
    #expect(try change(usual: 90, recent: 85, limit: 80) == .lower)
    #expect(try change(usual: 80, recent: 90, limit: 80) == .unclear)
    #expect(try change(usual: 60, recent: 70, .rise, limit: 80) == .higher)
  }

  @Test(arguments: [PatternType.worse, .silence, .medication, .belowLimit, .aboveLimit])
  func othersCompareNoValues(pattern: PatternType) throws {
    #expect(try change(usual: 10, recent: 5, pattern, limit: 80) == .unclear)
  }
}
