import Testing

@testable import VigilReport

@Suite struct TextTableTests {
  @Test func columnsAlignWhateverTheLettersAre() {
    var table = TextTable([.init("Name"), .init("Count", .right), .init("Note")])
    table.rows = [
      ["Ödön", "7", "a"], ["e\u{301}te\u{301}", "12345", "b"], ["心拍", "1", "c"],
    ]
    #expect(
      table.render(.plain)
        == """
        Name  Count  Note
        Ödön      7  a
        été   12345  b
        心拍      1  c

        """.replacing("été", with: "e\u{301}te\u{301}"))
  }

  @Test func colourSurroundsOnlyTheWord() {
    var table = TextTable([.init("Severity"), .init("Level")])
    table.rows = [[.init("watch", .low), "3"]]
    let colored = table.render(TextStyle(usesColor: true))
    #expect(colored.contains("\u{1B}[36mwatch\u{1B}[0m     3\n"))
    let plain = table.render(.plain)
    #expect(!plain.contains("\u{1B}"))
    #expect(
      colored.replacing("\u{1B}[36m", with: "").replacing("\u{1B}[0m", with: "") == plain)
  }

  @Test func controlCharactersInDataNeverReachTheTerminal() {
    var table = TextTable([.init("Person")])
    table.rows = [[.init("eve\u{1B}[2J\u{7}\nroot")]]
    #expect(table.render(.plain) == "Person\neve\u{FFFD}[2J\u{FFFD}\u{FFFD}root\n")
  }

  @Test func linesEndWithoutSpaces() {
    var table = TextTable([.init("A"), .init("Longer title")])
    table.rows = [["x", ""], ["", "y"]]
    #expect(table.render(.plain).split(separator: "\n").allSatisfy { $0.last != " " })
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("👩‍👩‍👧", 2), ("❤️", 2), ("→", 1),
    ("a\u{200B}b", 2),
  ])
  func widthIsThatOfATerminal(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }
}
