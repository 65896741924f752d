import Testing

@testable import VigilReport

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func countsHaveThousandsSeparators(value: Int, text: String) {
    #expect(NumberText.count(value) == text)
  }

  @Test(
    arguments: [
      (0.12, "+12 %"), (-0.254, "-25 %"), (0.05, "+5.0 %"), (0.0994, "+9.9 %"), (0.0995, "+10 %"),
      (0.0, "0 %"), (-0.0001, "0 %"), (12.5, "+1250 %"), (.infinity, "–"), (.nan, "–"),
    ] as [(Double, String)])
  func changesCarryTheirSign(fraction: Double, text: String) {
    #expect(NumberText.change(fraction) == text)
  }

  @Test(
    arguments: [
      (62.0, "62"), (62.04, "62"), (62.36, "62.4"), (99.96, "100"), (8421.4, "8,421"),
      (-3.25, "-3.2"),
      (.nan, "–"), (1e300, "–"),
    ] as [(Double, String)])
  func valuesAreAsPreciseAsPeopleReadThem(value: Double, text: String) {
    #expect(NumberText.value(value) == text)
  }

  @Test(
    arguments: [
      (0.0, "0.00 s"), (0.4249, "0.42 s"), (9.999, "10.0 s"), (59.96, "1 min 00 s"),
      (245, "4 min 05 s"), (3599.6, "1 h 00 min"), (7380, "2 h 03 min"), (-1, "0.00 s"),
    ] as [(Double, String)])
  func durationsNameTheirUnits(seconds: Double, text: String) {
    #expect(NumberText.duration(seconds: seconds) == text)
  }

  @Test(
    arguments: [
      (12_345_678.0, "12,300,000 rows/s"), (0.4, "0 rows/s"), (98.7, "99 rows/s"),
      (123, "123 rows/s"), (0, "– rows/s"),
      (.infinity, "– rows/s"),
    ] as [(Double, String)])
  func ratesClaimThreeDigits(perSecond: Double, text: String) {
    #expect(NumberText.rate(perSecond, "rows") == text)
  }
}
