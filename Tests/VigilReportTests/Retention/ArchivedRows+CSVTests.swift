import TestSupport
import Testing
import VigilReport
import VigilStorage

/// Rows of an archive, written and read again.
@Suite struct ArchivedRowsCSVTests {
  private static let columns = [
    ArchivedRows.Column(name: "id", type: "TEXT"),
    ArchivedRows.Column(name: "a,\"b\"", type: "REAL"),
  ]

  @Test func nullAndEmptyTextsDiffer() {
    let rows = ArchivedRows(
      table: "users", columns: Self.columns,
      rows: [["1", nil], [nil, ""], ["x\ny", "\""], [nil, nil]])
    #expect(rows.csv == "id,\"a,\"\"b\"\"\"\n1,\n,\"\"\n\"x\ny\",\"\"\"\"\n,\n")
    #expect(
      ArchivedRows(csv: Array(rows.csv.utf8), of: "users", columns: Self.columns) == rows)
  }

  @Test(arguments: 0..<Repetitions.count(fast: 200, long: 20_000))
  func anyRowsComeBack(seed: Int) {
    var random = SeededGenerator(seed: seed + 3)
    let signs: [Character] = ["a", "ü", ",", "\"", "\n", "\r", "\u{1F600}", " ", "0"]
    let count = Int.random(in: 1...4, using: &random)
    let columns = (0..<count).map { ArchivedRows.Column(name: "c\($0)", type: "text") }
    let rows = ArchivedRows(
      table: "t", columns: columns,
      rows: (0..<Int.random(in: 0...5, using: &random)).map { _ in
        columns.map { _ in
          guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
          let length = Int.random(in: 0...6, using: &random)
          return String((0..<length).map { _ in signs.randomElement(using: &random) ?? "a" })
        }
      })
    #expect(ArchivedRows(csv: Array(rows.csv.utf8), of: "t", columns: columns) == rows)
  }

  @Test(arguments: [
    "", "id", "id\n1", "other\n1\n", "id\n1,2\n", "id\n\"1\n", "id\n1\"2\n", "id\n\"1\"2\n",
    "id\n\u{0}\"\n",
  ])
  func otherTextsAreRefused(text: String) {
    let columns = [ArchivedRows.Column(name: "id", type: "text")]
    #expect(ArchivedRows(csv: Array(text.utf8), of: "t", columns: columns) == nil)
  }
}
