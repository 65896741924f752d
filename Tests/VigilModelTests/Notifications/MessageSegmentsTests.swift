import Testing
import VigilModel

@Suite("The parts of a text message")
struct MessageSegmentsTests {
  private static func text(_ letter: String, _ count: Int) -> String {
    String(repeating: letter, count: count)
  }

  @Test(
    "a part has 160 characters of GSM alone, and 153 among several",
    arguments: [(0, 1), (1, 1), (160, 1), (161, 2), (306, 2), (307, 3), (459, 3), (460, 4)])
  func plain(count: Int, parts: Int) {
    for letter in ["a", "ü", "ñ", "Ω", "¿", "\n", "@"] {
      #expect(MessageSegments.count(of: Self.text(letter, count)) == parts, "\(letter)")
    }
  }

  @Test(
    "some characters take the room of two, and none is divided",
    arguments: [(80, 1), (81, 2), (152, 2), (153, 3)])
  func twofold(count: Int, parts: Int) {
    for letter in ["€", "[", "~", "\u{C}"] {
      #expect(MessageSegments.count(of: Self.text(letter, count)) == parts, "\(letter)")
    }
  }

  @Test(
    "one other character makes all of it UCS-2: 70 units alone, and 67 among several",
    arguments: [(70, 1), (71, 2), (134, 2), (135, 3)])
  func wide(count: Int, parts: Int) {
    // Of Spanish, á is not in the alphabet of GSM; nor is an accent of its own.
    for letter in ["á", "ł", "ы", "中"] {
      #expect(MessageSegments.count(of: Self.text(letter, count)) == parts, "\(letter)")
      #expect(MessageSegments.count(of: letter + Self.text("a", count - 1)) == parts)
    }
    #expect(MessageSegments.count(of: "e\u{301}" + Self.text("a", 69)) == 2)
  }

  @Test("a character of two units is not divided")
  func pairs() {
    #expect(MessageSegments.count(of: Self.text("😀", 35)) == 1)
    #expect(MessageSegments.count(of: Self.text("😀", 66)) == 2)
    // 67 units would hold half of it.
    #expect(MessageSegments.count(of: Self.text("😀", 67)) == 3)
  }

  @Test("a carriage return before a line feed counts as one of two characters")
  func lines() {
    #expect(MessageSegments.count(of: Self.text("\r\n", 80)) == 1)
    #expect(MessageSegments.count(of: Self.text("\r\n", 81)) == 2)
  }
}
