import Foundation
import Testing
import VigilModel

@testable import VigilImport

@Suite struct CSVReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Every row as `line: fields joined by |`, a quoted field in brackets, or `line! problem`.
  private func rows(_ data: Data, bufferSize: Int = 1 << 20) throws -> [String] {
    let reader = try CSVReader(
      path: try folder.write(data, to: "t.csv"), bufferSize: bufferSize)
    var rows = [reader.header.joined(separator: "|")]
    try reader.forEachRow { row in
      if let problem = row.problem {
        rows.append("\(row.line)! \(problem)")
      } else {
        let fields = (0..<row.count).map { row[$0].isQuoted ? "[\(row[$0].text)]" : row[$0].text }
        rows.append("\(row.line): \(fields.joined(separator: "|"))")
      }
    }
    return rows
  }

  private func rows(_ text: String, bufferSize: Int = 1 << 20) throws -> [String] {
    try rows(Data(text.utf8), bufferSize: bufferSize)
  }

  @Test func readsQuotedCommasDoubledQuotesAndLineBreaks() throws {
    let text = "a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\nlines\",\"\"\n,\"\"\"\"\nlast,1"
    #expect(
      try rows(text) == [
        "a|b", "2: [x,y]|[say \"hi\"]", "3: [two\nlines]|[]", "5: |[\"]", "6: last|1",
      ])
  }

  @Test(arguments: ["\n", "\r\n"], [true, false])
  func acceptsBothLineEndsAndAMissingLastOne(lineEnd: String, endsWithLineEnd: Bool) throws {
    let text = ["a,b", "1,", "\"2\",\"3\""].joined(separator: lineEnd)
    #expect(try rows(text + (endsWithLineEnd ? lineEnd : "")) == ["a|b", "2: 1|", "3: [2]|[3]"])
  }

  @Test func dropsAByteOrderMarkAndSkipsBlankLinesButCountsThem() throws {
    #expect(try rows("\u{FEFF}a,b\n\n1,2\r\n\r\n3,4\n\n") == ["a|b", "3: 1|2", "5: 3|4"])
  }

  @Test func aMissingFieldIsNoEmptyText() throws {
    let reader = try CSVReader(path: try folder.write("a,b\n,\"\"\n", to: "t.csv"))
    try reader.forEachRow { row in
      #expect(row[0].isMissing)
      #expect(!row[1].isMissing)
    }
  }

  @Test func namesTheLineOfARowWithAnotherNumberOfFields() throws {
    #expect(
      try rows("a,b\n1,2\n3\n4,5,6\n7,8\n") == [
        "a|b", "2: 1|2", "3! 1 field where the header has 2",
        "4! 3 fields where the header has 2", "5: 7|8",
      ])
  }

  @Test func aQuoteLeftOpenCostsOneLine() throws {
    #expect(
      try rows("a,b\n1,\"2\n3,4\n5,6\n") == [
        "a|b", "2! a quote is opened and never closed", "3: 3|4", "4: 5|6",
      ])
    #expect(try rows("a,b\n1,2\n3,\"tru").last == "3! a quote is opened and never closed")
    #expect(
      try rows("a,b\n1,\"2\n\"x\",4\n5,6\n") == [
        "a|b", "2! text after a closing quote", "3: [x]|4", "4: 5|6",
      ])
  }

  @Test func refusesQuotesInTheWrongPlace() throws {
    #expect(
      try rows("a,b\n1,x\"y\"\n\"x\"y,1\n2,3\n") == [
        "a|b", "2! a quote inside an unquoted field", "3! text after a closing quote", "4: 2|3",
      ])
  }

  @Test func refusesRowsThatAreNotUTF8AndGoesOn() throws {
    let data = Data("a,b\n1,".utf8) + Data([0xC3, 0x28]) + Data("\n2,\u{E9}\n".utf8)
    #expect(try rows(data) == ["a|b", "2! not UTF-8; save the file as CSV UTF-8", "3: 2|\u{E9}"])
  }

  @Test func refusesARowLongerThanTheBuffer() throws {
    let long = String(repeating: "x", count: 300)
    #expect(
      try rows("a,b\n1,\(long)\n2,\"\(long)\n3,4\n", bufferSize: 64) == [
        "a|b", "2! longer than 64 bytes (a quote left open?)",
        "3! longer than 64 bytes (a quote left open?)", "4: 3|4",
      ])
  }

  @Test func saysWhenThereIsNoHeader() throws {
    let error = try #require(throws: ImportError.self) { try rows("") }
    #expect(error.code == .badData)
    #expect(error.message.contains("t.csv is empty"))
  }

  /// The fields of a row must not depend on the places at which the file is cut into chunks.
  @Test(arguments: 40...90) func readsTheSameWithEverySizeOfBuffer(bufferSize: Int) throws {
    var generator = SplitMix64(seed: 7)
    let pieces = ["", "1", "-2.5", "\"a,b\"", "\"\"\"\"", "\"x\r\ny\"", "é", "\"\"", "long text"]
    var text = "a,b,c\r\n"
    for _ in 0..<200 {
      let fields = (0..<3).map { _ in generator.element(pieces) }
      text += fields.joined(separator: ",") + generator.element(["\n", "\r\n"])
    }
    let whole = try rows(text)
    #expect(whole.count == 201)
    #expect(try rows(text, bufferSize: bufferSize) == whole)
  }

  /// Gives one byte at a time, and counts how often it is asked.
  private final class Dripping: ByteSource {
    let path = "t.csv"
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      guard position < bytes.count, let target = buffer.baseAddress else { return 0 }
      target.storeBytes(of: bytes[position], as: UInt8.self)
      position += 1
      return 1
    }

    func rewind() throws { position = 0 }
  }

  @Test func aSourceOfSingleBytesIsReadLikeAnyOther() throws {
    // A row that is scanned anew for each of its bytes takes some minutes.
    let long = String(repeating: "x", count: 900_000)
    let reader = try CSVReader(Dripping("a,b\n1,\(long)\n2,3\n"), delimiter: nil)
    var rows: [String] = []
    try reader.forEachRow { rows.append("\($0.line): \($0[0].text), \($0[1].text.utf8.count)") }
    #expect(rows == ["2: 1, 900000", "3: 2, 1"])
  }
}
