import Testing

@testable import VigilReport

@Suite struct TextStyleTests {
  private func fitted(_ text: String, _ width: Int?, color: Bool = false) -> String {
    TextStyle(usesColor: color, width: width).fitted(text)
  }

  @Test func shortLinesAndOtherPlacesStayAsTheyAre() {
    let text = "Setting  Meaning\n\na b  c\n"
    #expect(fitted(text, 80) == text)
    #expect(fitted(text, nil) == text)
    let long = String(repeating: "word ", count: 40)
    #expect(fitted(long, nil) == long)
  }

  @Test func aSentenceGoesOnBelowItself() {
    #expect(fitted("one two three four", 9) == "one two\n  three\n  four")
  }

  @Test func aTextGoesOnBelowTheBeginningOfItsColumn() {
    let line = "name  value  " + "this is a meaning of some words"
    #expect(
      fitted(line, 40) == "name  value  this is a meaning of some\n             words")
    let odd = "         " + "this is a text of words that go on"
    #expect(fitted(odd, 36) == "         this is a text of words\n         that go on")
  }

  @Test func aColumnThatWouldBeTooNarrowGoesOnAtTheLeft() {
    let line = String(repeating: "x", count: 30) + "  " + "one two three"
    #expect(fitted(line, 40) == String(repeating: "x", count: 30) + "  one two\n  three")
  }

  @Test func noWordIsBroken() {
    let digest = String(repeating: "0", count: 64)
    #expect(
      fitted("Thresholds        SHA-256 \(digest)", 80)
        == "Thresholds        SHA-256\n" + String(repeating: " ", count: 16) + digest)
    let longer = String(repeating: "0", count: 100)
    #expect(fitted("key  of \(longer)", 80) == "key  of\n\(longer)")
  }

  @Test func coloursTakeNoRoom() {
    let red = TextStyle(usesColor: true).apply(.high, to: "abc")
    #expect(fitted("\(red) def", 7, color: true) == "\(red) def")
    #expect(fitted("\(red) defg", 7, color: true) == "\(red)\n  defg")
  }

  @Test func datesCountBack() throws {
    let ago = DaysAgo(try Samples.day("2026-06-20"))
    #expect(try ago.text(Samples.day("2026-06-20")) == "that day")
    #expect(try ago.text(Samples.day("2026-06-19")) == "1 d ago")
    #expect(try ago.text(Samples.day("2026-05-20")) == "31 d ago")
    #expect(try ago.text(Samples.day("2026-06-21")) == "2026-06-21")
  }
}
