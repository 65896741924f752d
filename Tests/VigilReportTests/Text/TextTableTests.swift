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

  private var wide: TextTable {
    var table = TextTable([
      .init("Alert"), .init("Person"), .init("Days", .right, rank: 1), .init("State", rank: 2),
    ])
    table.rows = [
      [.init("1f2e3d4c"), .init("93edbaab (anna)", short: "anna"), .init("12"), .init("active")],
      [
        .init("5d6c7b8a"), .init("308136f1 (cleopatra)", short: "cleopatra"), .init("3"),
        .init("–"),
      ],
    ]
    return table
  }

  @Test func whereThereIsRoomNothingIsShortened() {
    #expect(wide.render(TextStyle(usesColor: false, width: 44)) == wide.render(.plain))
    #expect(wide.render(.plain).contains("cleopatra)     3  –"))
  }

  @Test func shortTextsComeBeforeFewerColumns() {
    #expect(
      wide.render(TextStyle(usesColor: false, width: 43))
        == """
        Alert     Person     Days  State
        1f2e3d4c  anna         12  active
        5d6c7b8a  cleopatra     3  –

        """)
  }

  @Test func columnsAreLeftOutByRankAndNamed() {
    #expect(
      wide.render(TextStyle(usesColor: false, width: 25))
        == """
        Alert     Person     Days
        1f2e3d4c  anna         12
        5d6c7b8a  cleopatra     3

        Left out (--wide): State.

        """)
    // Columns without a rank stay, however narrow the terminal.
    let narrowest = wide.render(TextStyle(usesColor: false, width: 1))
    #expect(narrowest.hasPrefix("Alert     Person\n"))
    #expect(narrowest.hasSuffix("Left out (--wide): State, Days.\n"))
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
