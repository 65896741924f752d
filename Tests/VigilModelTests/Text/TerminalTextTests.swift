import Testing
import VigilModel

@Suite struct TerminalTextTests {
  @Test(
    arguments: [
      0x00, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x061C, 0x180E,
      0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060,
      0x2066, 0x2067, 0x2068, 0x2069, 0x206F, 0xFEFF, 0xFFF9, 0xE0001, 0xE0041,
    ] as [UInt32])
  func characterThatSteersATerminalIsReplaced(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect("a\(scalar)b".terminalSafe.unicodeScalars.elementsEqual("a\u{FFFD}b".unicodeScalars))
  }

  @Test(arguments: ["", "participant-1", "Ödön", "e\u{301}", "心拍", "👩‍👩‍👧", "می‌خواهم", "שָׁלוֹם", "a b"])
  func writingStaysAsItIs(text: String) {
    #expect(text.terminalSafe.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test func lineBreakOfTwoCharactersIsTwo() {
    #expect("a\r\nb".terminalSafe == "a\u{FFFD}\u{FFFD}b")
  }
}
