public import Foundation
public import VigilModel
public import VigilStorage

/// Gives the values of a row, column after column.
public protocol RowReader {
  /// Whether the next column is NULL.
  var isNextNull: Bool { get }
  /// Passes over the next column.
  mutating func skip()

  /// Each of these throws `StorageError` with `.corrupt` for what is no such value.
  mutating func uuid() throws -> UUID
  mutating func text() throws -> String
  mutating func int() throws -> Int
  mutating func bool() throws -> Bool
  mutating func double() throws -> Double
  mutating func day() throws -> Day
  mutating func timestamp() throws -> Timestamp
  /// A JSON document.
  mutating func json() throws -> String
  mutating func bytes() throws -> [UInt8]

  /// Returns the error to throw about the column read last; names it, but not its value.
  func refusal(expected: String) -> StorageError
}

extension RowReader {
  public mutating func uuidIfPresent() throws -> UUID? { try ifPresent { try $0.uuid() } }

  public mutating func textIfPresent() throws -> String? { try ifPresent { try $0.text() } }

  public mutating func doubleIfPresent() throws -> Double? { try ifPresent { try $0.double() } }

  public mutating func intIfPresent() throws -> Int? { try ifPresent { try $0.int() } }

  public mutating func dayIfPresent() throws -> Day? { try ifPresent { try $0.day() } }

  public mutating func timestampIfPresent() throws -> Timestamp? {
    try ifPresent { try $0.timestamp() }
  }

  /// A truth value that was selected as 0 or 1.
  public mutating func flagIfPresent() throws -> Bool? { try intIfPresent().map { $0 != 0 } }

  public mutating func word<Word: RawRepresentable<String>>() throws -> Word {
    guard let word = Word(rawValue: try text()) else {
      throw refusal(expected: "a word that this version knows")
    }
    return word
  }

  public mutating func wordIfPresent<Word: RawRepresentable<String>>() throws -> Word? {
    try ifPresent { try $0.word() }
  }

  /// A number of things, so small that many of them can be added up.
  public mutating func count() throws -> Int {
    let count = try int()
    guard RowBounds.counts.contains(count) else {
      throw refusal(expected: "a number from 0 to \(RowBounds.counts.upperBound)")
    }
    return count
  }

  public mutating func countIfPresent() throws -> Int? { try ifPresent { try $0.count() } }

  /// A number of days that a calendar has.
  public mutating func dayCount() throws -> Int {
    let count = try int()
    guard RowBounds.dayCounts.contains(count) else {
      throw refusal(expected: "a number from 0 to \(RowBounds.dayCounts.upperBound)")
    }
    return count
  }

  public mutating func dayCountIfPresent() throws -> Int? { try ifPresent { try $0.dayCount() } }

  /// A finite number.
  public mutating func finite() throws -> Double {
    let value = try double()
    guard value.isFinite else { throw refusal(expected: "a finite number") }
    return value
  }

  public mutating func finiteIfPresent() throws -> Double? { try ifPresent { try $0.finite() } }

  public mutating func level() throws -> AlertLevel {
    guard let level = AlertLevel(rawValue: try int()) else {
      throw refusal(expected: "an alert level")
    }
    return level
  }

  public mutating func levelIfPresent() throws -> AlertLevel? { try ifPresent { try $0.level() } }

  /// The value of a JSON document that Vigil wrote.
  public mutating func decoded<Value: Decodable>() throws -> Value {
    let text = try json()
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
      throw refusal(expected: "what this version writes there")
    }
    return value
  }

  private mutating func ifPresent<Value>(_ read: (inout Self) throws -> Value) throws -> Value? {
    guard !isNextNull else {
      skip()
      return nil
    }
    return try read(&self)
  }
}

extension StorageError {
  /// Returns the error that a reader throws about a value that its column should not hold.
  ///
  /// - Parameters:
  ///   - column: The column that holds the value.
  ///   - table: The table of the column.
  ///   - database: As messages name it.
  ///   - expected: The form that a value should have, such as `a UUID`.
  public static func unreadable(
    _ column: String, of table: String, in database: String, expected: String
  ) -> StorageError {
    StorageError(
      .corrupt, "\(database): a row of \(table) has a \(column) that is not \(expected)",
      remedy: "correct the row; Vigil itself writes no such value")
  }
}
