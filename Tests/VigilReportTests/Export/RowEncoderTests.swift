import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct RowEncoderTests {
  private struct Row: Sendable {
    var text: String?
    var number: Double?
    var count: Int? = nil
    var isTrue: Bool? = nil
  }

  private let columns: [ExportColumn<Row>] = [
    .text("text", "A text.") { $0.text },
    .number("number", "A number.") { $0.number },
    .integer("count", "A count.") { $0.count },
    .boolean("is_true", "A truth value.") { $0.isTrue },
  ]

  /// Texts from people that break careless readers or writers of CSV.
  private static let awkward = [
    "", " ", "plain", "two words", "a,b", "a;b", "\"quoted\"", "\"", "\"\"", "line\nbreak",
    "carriage\rreturn", "both\r\n", "=1+1", "=HYPERLINK(\"http://x\",\"y\")", "+49 30 1", "-1",
    "-anna",
    "@SUM(A1)", "\ttab", "\rreturn", "\nnew line", "'apostrophe", "''two", "'=1", "＝1", "－1",
    "Zoë", "日本語", "👩‍⚕️", "e\u{301}", " leading", "trailing ", "\\", "\\n", "{\"json\": 1}", "#",
    "null",
    "NaN", "true", "\u{FEFF}mark", "a\u{1F}b", "\u{7F}", "\u{202E}evil",
  ]

  private func csv(_ rows: [Row]) -> String { RowEncoder(columns, as: .csv).text(of: rows) }
  private func lines(_ rows: [Row]) -> String { RowEncoder(columns, as: .jsonl).text(of: rows) }

  @Test func aTableHasAHeaderAndEndsEveryLineAsTheStandardSays() {
    #expect(csv([]) == "text,number,count,is_true\r\n")
    #expect(
      csv([Row(text: "a", number: 1.5, count: 3, isTrue: true), Row()])
        == "text,number,count,is_true\r\na,1.5,3,true\r\n,,,\r\n")
    #expect(lines([]) == "")
    #expect(
      lines([Row(text: "a", number: 1.5, count: 3, isTrue: false), Row()])
        == """
        {"text":"a","number":1.5,"count":3,"is_true":false}
        {"text":null,"number":null,"count":null,"is_true":null}

        """)
  }

  @Test(arguments: [
    ("=1", "\"'=1\""), ("+1", "\"'+1\""), ("-1", "\"'-1\""), ("@x", "\"'@x\""), ("\tx", "\"'\tx\""),
    ("'x", "\"''x\""), ("a=1", "a=1"), ("a,b", "\"a,b\""), ("", "\"\""), ("a\"b", "\"a\"\"b\""),
    ("a\"b,", "\"a\"\"b,\""),
  ])
  func aTextThatASpreadsheetMightComputeStaysAText(text: String, cell: String) {
    #expect(csv([Row(text: text)]) == "text,number,count,is_true\r\n\(cell),,,\r\n")
  }

  @Test func negativeNumbersStayNumbers() {
    #expect(
      csv([Row(number: -0.5, count: -3), Row(number: -1e-7), Row(number: 1e300)])
        == "text,number,count,is_true\r\n,-0.5,-3,\r\n,-1e-07,,\r\n,1e+300,,\r\n")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aNumberThatIsNoneIsMissing(number: Double) {
    #expect(csv([Row(number: number)]).hasSuffix("\r\n,,,\r\n"))
    #expect(lines([Row(number: number)]).contains("\"number\":null"))
  }

  /// A second reader, in another language.
  @Test func pythonReadsBackEveryAwkwardText() throws {
    let rows = Self.awkward.enumerated().map {
      Row(text: $0.element, number: -Double($0.offset) / 3, count: $0.offset)
    }
    let script = """
      import csv, io, json, sys
      data = sys.stdin.buffer.read().decode('utf-8')
      rows = list(csv.reader(io.StringIO(data, newline=''), strict=True))
      json.dump(rows, sys.stdout)
      """
    guard let output = try Self.python(script, input: csv(rows)) else {
      try Test.cancel("there is no python3")
    }
    let found = try JSONDecoder().decode([[String]].self, from: output)
    #expect(found.count == rows.count + 1)
    #expect(found.allSatisfy { $0.count == columns.count })
    for (cells, row) in zip(found.dropFirst(), rows) {
      let text = try #require(row.text)
      let isGuarded = cells[0].hasPrefix("'")
      #expect(
        (isGuarded ? String(cells[0].unicodeScalars.dropFirst()) : cells[0]).utf8.elementsEqual(
          text.utf8))
      #expect(!"=+-@\t\r\n".unicodeScalars.contains(cells[0].unicodeScalars.first ?? "x"))
      #expect(Double(cells[1]) == row.number)
    }
  }

  @Test func everyLineOfJSONReadsBackAndSteersNoTerminal() throws {
    let rows = Self.awkward.map { Row(text: $0, number: -0.1) }
    let text = lines(rows)
    let parts = text.split(separator: "\n")
    #expect(parts.count == rows.count)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.steersTerminals })
    for (line, row) in zip(parts, rows) {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let found = try #require(object["text"] as? String)
      #expect(try found.utf8.elementsEqual(#require(row.text).utf8))
      #expect(object["number"] as? Double == -0.1)
    }
  }

  /// Nil where there is no Python.
  private static func python(_ script: String, input: String) throws -> Data? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    let (source, result) = try Process.startingAlone {
      let (source, result) = (Pipe(), Pipe())
      process.standardInput = source
      process.standardOutput = result
      try process.run()
      return (source, result)
    }
    try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try source.fileHandleForWriting.close()
    let output = try result.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    if process.terminationStatus == 127 { return nil }
    try #require(process.terminationStatus == 0)
    return output
  }
}
