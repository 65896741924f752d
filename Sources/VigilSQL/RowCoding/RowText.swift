import Foundation
import VigilModel
import VigilStorage

/// A row as one text, so that a column can hold what another table held: a JSON array of texts, null for NULL.
///
/// Codecs of rows write it and read it like any other row.
enum RowText {
  /// Returns the text of the columns that `put` fills.
  static func text(_ put: (Writer) -> Void) throws -> String {
    let writer = Writer()
    put(writer)
    return String(decoding: try JSONEncoder().encode(writer.values), as: UTF8.self)
  }

  final class Writer: RowWriter {
    fileprivate var values: [String?] = []

    func put(_ id: UUID?) { values.append(id?.lowercased) }
    func put(_ text: String?) { values.append(text) }
    func put(_ integer: Int?) { values.append(integer.map { String($0) }) }
    func put(_ real: Double?) { values.append(real.map { String($0) }) }
    func put(_ day: Day?) { values.append(day?.description) }
    func put(_ timestamp: Timestamp?) { values.append(timestamp?.description) }
    func put(_ truth: Bool?) { values.append(truth.map { $0 ? "true" : "false" }) }
    func put(json: String) { values.append(json) }
    func put(_ bytes: [UInt8]) { values.append(Data(bytes).base64EncodedString()) }
  }

  struct Reader: RowReader {
    private let values: [String?]
    private var position = 0
    private let column: String
    private let table: String

    /// - Throws: `StorageError` with `.corrupt` where the text is no row.
    init(_ text: String, column: String, of table: String) throws {
      self.column = column
      self.table = table
      guard let values = try? JSONDecoder().decode([String?].self, from: Data(text.utf8)) else {
        throw StorageError.unreadable(
          column, of: table, in: "the database", expected: "what this version writes there")
      }
      self.values = values
    }

    var isNextNull: Bool { position >= values.count || values[position] == nil }

    mutating func skip() { position += 1 }

    mutating func uuid() throws -> UUID { try next("a UUID") { UUID(uuidString: $0) } }
    mutating func text() throws -> String { try next("text") { $0 } }
    mutating func int() throws -> Int { try next("an integer") { Int($0) } }
    mutating func bool() throws -> Bool { try next("a truth value") { Bool($0) } }
    mutating func double() throws -> Double { try next("a number") { Double($0) } }
    mutating func day() throws -> Day { try next("a date") { Day($0) } }
    mutating func timestamp() throws -> Timestamp { try next("an instant") { Timestamp($0) } }
    mutating func json() throws -> String { try text() }
    mutating func bytes() throws -> [UInt8] {
      try next("bytes") { Data(base64Encoded: $0).map(Array.init) }
    }

    func refusal(expected: String) -> StorageError {
      .unreadable(column, of: table, in: "the database", expected: expected)
    }

    private mutating func next<Value>(
      _ expected: String, _ read: (String) -> Value?
    ) throws -> Value {
      defer { position += 1 }
      guard position < values.count, let text = values[position], let value = read(text) else {
        throw refusal(expected: expected)
      }
      return value
    }
  }
}
