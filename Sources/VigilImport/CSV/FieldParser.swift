import Foundation
import VigilModel
import VigilStorage

/// The reason why a row cannot be used; holds no value of the row.
struct RowProblem: Error, Hashable {
  var column: String?
  var reason: String
}

/// Turns fields into values of their column's kind, accepting one spelling of each.
struct FieldParser {
  /// The last day that is not in the future.
  let lastDay: Day
  /// 1990-01-01: an earlier date is that of a clock that was not set.
  static let firstObservedDay = Day(ordinal: 7_305)
  private let zones: ZoneCatalog

  init(today: Day, zones: ZoneCatalog) {
    lastDay = today + 1
    self.zones = zones
  }

  /// The value of `field`, `.null` where it is missing; a quoted empty string is an empty text in a
  /// text column and missing in any other.
  func value(
    of field: CSVField, in column: InputTable.Column, of table: InputTable
  ) throws(RowProblem) -> InputValue {
    let bytes = field.bytes
    if bytes.isEmpty {
      if column.isRequired { throw RowProblem(column: column.name, reason: "missing") }
      if let fallback = column.fallback { return fallback }
      return column.kind == .text && field.isQuoted ? .text("") : .null
    }
    do throws(Refusal) {
      switch column.kind {
      case .person: return .uuid(try personID(bytes).id)
      case .id: return .uuid(try personID(bytes).id)
      case .text: return .text(try text(bytes))
      case .word(let words): return .text(try word(bytes, among: words))
      case .day: return .day(try day(bytes))
      case .observedDay:
        let day = try plannedDay(bytes)
        try requireObservable(day)
        return .day(day)
      case .plannedDay: return .day(try plannedDay(bytes))
      case .timestamp: return .timestamp(try timestamp(bytes))
      case .real:
        let number = try real(bytes)
        if table.name == InputTable.wearableDailyMetrics.name {
          try requirePossible(number, of: MetricType(column.name))
        }
        return .real(number)
      case .integer: return .integer(try integer(bytes))
      case .score: return .integer(try score(bytes))
      case .weekday: return .integer(try weekday(bytes))
      case .priority: return .integer(try priority(bytes))
      case .address: return .text(try address(bytes))
      case .language: return .text(try language(bytes))
      case .minutes(let range): return .integer(try minutes(bytes, in: range))
      case .dayCount(let range): return .integer(try dayCount(bytes, in: range))
      case .boolean: return .boolean(try boolean(bytes))
      case .timeOfDay: return .text(try timeOfDay(bytes))
      case .timezone: return .text(try timezone(bytes))
      case .list(let element): return .text(try list(bytes, of: element))
      }
    } catch {
      throw RowProblem(column: column.name, reason: error.reason)
    }
  }

  /// Like `value`, for a column with the id of a person; keeps an id that is no UUID.
  func person(
    of field: CSVField, in column: String
  ) throws(RowProblem) -> PersonID {
    guard !field.bytes.isEmpty else { throw RowProblem(column: column, reason: "missing") }
    do throws(Refusal) {
      return try personID(field.bytes)
    } catch {
      throw RowProblem(column: column, reason: error.reason)
    }
  }
}

/// The reason why a field cannot be used.
struct Refusal: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// A person's id, and the text it was derived from where that was no UUID.
struct PersonID: Hashable {
  var id: UUID
  var externalID: String?
}

extension FieldParser {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// A UUID as it is; the UUIDv5 of any other text.
  func personID(_ bytes: Bytes) throws(Refusal) -> PersonID {
    if let id = UUID(utf8: bytes) { return PersonID(id: id) }
    let text = try text(bytes)
    return PersonID(id: UUID(name: text), externalID: text)
  }

  func personID(_ text: String) throws(Refusal) -> PersonID {
    var text = text
    return try text.withUTF8 { bytes in
      Result<PersonID, Refusal> { () throws(Refusal) in try personID(bytes) }
    }.get()
  }

  func text(_ bytes: Bytes) throws(Refusal) -> String {
    // PostgreSQL has no text with a NUL in it.
    guard !bytes.contains(0) else { throw Refusal("holds a NUL character") }
    return String(decoding: bytes, as: UTF8.self)
  }

  func word(_ bytes: Bytes, among words: [String]) throws(Refusal) -> String {
    for word in words where word.utf8.elementsEqual(bytes) {
      return word
    }
    throw Refusal("not one of \(words.joined(separator: ", "))")
  }

  func day(_ bytes: Bytes) throws(Refusal) -> Day {
    let day = try plannedDay(bytes)
    guard day <= lastDay else { throw Refusal("date in the future") }
    return day
  }

  /// Refuses a day on which nothing can have been observed.
  func requireObservable(_ day: Day) throws(Refusal) {
    guard day <= lastDay else { throw Refusal("date in the future") }
    guard day >= Self.firstObservedDay else {
      throw Refusal("date before \(Self.firstObservedDay)")
    }
  }

  /// Refuses values that no day can have.
  func requirePossible(_ number: Double, of metric: MetricType) throws(Refusal) {
    guard number >= 0 else { throw Refusal("negative") }
    guard number <= 100 || !metric.isShare else { throw Refusal("above 100 %") }
  }

  func plannedDay(_ bytes: Bytes) throws(Refusal) -> Day {
    guard let day = Day(utf8: bytes) else { throw Refusal("not a date (YYYY-MM-DD)") }
    return day
  }

  func timestamp(_ bytes: Bytes) throws(Refusal) -> Timestamp {
    let text = String(decoding: bytes, as: UTF8.self)
    // So R writes it.
    guard let timestamp = Timestamp(text.hasSuffix(" UTC") ? String(text.dropLast(4)) : text) else {
      throw Refusal("not a time (YYYY-MM-DDTHH:MM:SSZ)")
    }
    return timestamp
  }

  /// `true`, `t`, `1` and `false`, `f`, `0`, the spellings that databases write.
  func boolean(_ bytes: Bytes) throws(Refusal) -> Bool {
    switch String(decoding: bytes, as: UTF8.self) {
    case "true", "t", "1": return true
    case "false", "f", "0": return false
    default: throw Refusal("not true or false")
    }
  }

  func weekday(_ bytes: Bytes) throws(Refusal) -> Int64 {
    guard let day = Int64(String(decoding: bytes, as: UTF8.self)), (0...6).contains(day) else {
      throw Refusal("not a weekday from 0 (Sunday) to 6")
    }
    return day
  }

  /// `HH:MM`; seconds, which databases write, must be zero and are dropped.
  func timeOfDay(_ bytes: Bytes) throws(Refusal) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isWhole = parts.count == 2 || (parts.count == 3 && parts[2] == "00")
    guard isWhole, parts.prefix(2).allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(isDigit) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { throw Refusal("not a time of day (HH:MM)") }
    return String(text.prefix(5))
  }

  func timezone(_ bytes: Bytes) throws(Refusal) -> String {
    let text = try text(bytes)
    _ = try zoneRules(of: text)
    return text
  }

  /// The rules of a zone; refuses also after a fault of the system, which ends the import.
  func zoneRules(of name: String) throws(Refusal) -> ZoneRules {
    guard let rules = zones.rules(of: name) else {
      throw Refusal("not an IANA timezone such as Europe/Berlin")
    }
    return rules
  }

  private func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }
}
