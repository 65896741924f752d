import Testing

@testable import VigilReport

@Suite struct InterpretationTextTests {
  private func text(
    columns: Int = 0, ignored: [String] = [], name: String = "column"
  ) -> InterpretationText {
    InterpretationText(
      file: "daily.csv", form: ["3 rows", "commas", "decimal point", "dates YYYY-MM-DD"],
      columns: (0..<columns).map { ("\(name) \($0)", "steps, count") }, ignored: ignored)
  }

  @Test func alignsMeaningsAndListsWhatIsNotRead() {
    let text = InterpretationText(
      file: "daily.csv", form: ["1 row", "tabs"],
      columns: [("Date", "metric_date"), ("Schritte", "steps, count")], ignored: ["Mood", "Note"])
    #expect(
      text.lines == [
        "daily.csv: 1 row, tabs", "  Date      metric_date", "  Schritte  steps, count",
        "  not read: Mood, Note",
      ])
  }

  @Test(arguments: [0, 1, 5, 18, 19, 300], [0, 1, 30, 400])
  func staysOnAScreen(columns: Int, ignored: Int) {
    for name in ["a", "a rather long name of a column of some device", "歩数の合計は一日あたりの数字です"] {
      let lines = text(
        columns: columns, ignored: (0..<ignored).map { "\(name)\($0)" }, name: name
      ).lines
      #expect(lines.count <= 22)
      for line in lines { #expect(line.displayWidth <= 80, "\(line)") }
      if ignored > 30 { #expect(lines.last?.hasSuffix(" more") == true, "\(lines.last ?? "")") }
      if columns > 18 { #expect(lines.contains("  and \(columns - 17) more columns")) }
    }
  }

  @Test func namesEveryIgnoredColumnOnceWhereTheyFit() {
    let names = (10..<25).map { "column \($0)" }
    let lines = text(ignored: names).lines.dropFirst().joined(separator: " ")
    for name in names { #expect(lines.ranges(of: name).count == 1, "\(name) in \(lines)") }
    #expect(!lines.hasSuffix("more"))
  }

  @Test func keepsTheTerminalSafe() {
    let text = InterpretationText(
      file: "a\u{1B}[2J.csv", form: [], columns: [("x\u{7}", "y")], ignored: ["z\r"])
    for line in text.lines { #expect(!line.unicodeScalars.contains { $0.value < 0x20 }) }
  }
}
