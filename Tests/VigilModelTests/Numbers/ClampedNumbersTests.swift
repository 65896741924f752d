import Testing
import VigilModel

@Suite struct ClampedNumbersTests {
  @Test(arguments: [
    (0.0, 0), (-0.0, 0), (1.9, 1), (-1.9, -1), (.leastNonzeroMagnitude, 0), (3.4e38, Int.max),
    (-3.4e38, Int.min),
    (.infinity, Int.max), (-.infinity, Int.min), (.nan, 0),
    (9_007_199_254_740_992, 9_007_199_254_740_992), (9_223_372_036_854_775_808, Int.max),
    (-9_223_372_036_854_775_808, Int.min),
  ])
  func numbersBecomeTheNearestInteger(number: Double, integer: Int) {
    #expect(Int(clamping: number) == integer)
  }

  @Test func smallTypesHaveTheirOwnEnds() {
    #expect(
      UInt8(clamping: -1.0) == 0 && UInt8(clamping: 255.9) == 255 && UInt8(clamping: 256.0) == 255)
    #expect(Int32(clamping: 2_147_483_648.0) == .max)
  }

  @Test func sumsAndProductsStayWithin() {
    #expect(Int.max.addingClamped(1) == .max && Int.min.addingClamped(-1) == .min)
    #expect(Int.min.subtractingClamped(1) == .min && Int.max.subtractingClamped(-1) == .max)
    #expect(0.subtractingClamped(Int.min) == .max)
    #expect(Int.max.multipliedClamped(by: 2) == .max && Int.max.multipliedClamped(by: -2) == .min)
    #expect(Int.min.multipliedClamped(by: -1) == .max && 6.multipliedClamped(by: -7) == -42)
  }

  @Test func daysAndInstantsEndWithTheirTypes() {
    #expect(Day(ordinal: .max) + 1 == Day(ordinal: .max))
    #expect(Day(ordinal: .min) - .max == Day(ordinal: .min))
    #expect(Day(ordinal: 0) - .min == Day(ordinal: .max))
    #expect(Timestamp(microseconds: .max).adding(seconds: 1).microseconds == .max)
    #expect(Timestamp(microseconds: 0).adding(seconds: .min).microseconds == .min)
  }
}
