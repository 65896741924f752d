import Foundation
import VigilModel

/// One column of an exported table: its name, its type, and how a row gives its value.
///
/// The migrations of PostgreSQL say in a comment what a column of the database means; `docs/tables.md` and `docs/export.md`
/// repeat it. A column that only exports have says it here.
public struct ExportColumn<Row>: Sendable {
  public let name: String
  public let type: ExportType
  /// The unit of the values, in words; nil where they have none.
  public let unit: String?
  /// One sentence or more; nil where the comment on a column of the database says it.
  public let meaning: String?
  let value: @Sendable (Row) -> ExportValue

  private init(
    _ name: String, _ type: ExportType, unit: String?, _ meaning: String?,
    _ value: @escaping @Sendable (Row) -> ExportValue?
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.meaning = meaning
    self.value = { value($0) ?? .missing }
  }

  static func text(
    _ name: String, _ meaning: String? = nil, _ value: @escaping @Sendable (Row) -> String?
  ) -> Self {
    Self(name, .text, unit: nil, meaning) { value($0).map(ExportValue.text) }
  }

  static func uuid(
    _ name: String, _ meaning: String? = nil, _ value: @escaping @Sendable (Row) -> UUID?
  ) -> Self {
    Self(name, .uuid, unit: nil, meaning) { value($0).map { .plain($0.lowercased) } }
  }

  static func date(
    _ name: String, _ meaning: String? = nil, _ value: @escaping @Sendable (Row) -> Day?
  ) -> Self {
    Self(name, .date, unit: nil, meaning) { value($0).map { .plain($0.description) } }
  }

  static func instant(
    _ name: String, _ meaning: String? = nil, _ value: @escaping @Sendable (Row) -> Timestamp?
  ) -> Self {
    Self(name, .instant, unit: nil, meaning) { value($0).map { .plain($0.description) } }
  }

  static func boolean(
    _ name: String, _ meaning: String? = nil, _ value: @escaping @Sendable (Row) -> Bool?
  ) -> Self {
    Self(name, .boolean, unit: nil, meaning) { value($0).map(ExportValue.boolean) }
  }

  static func integer(
    _ name: String, unit: String? = nil, _ meaning: String? = nil,
    _ value: @escaping @Sendable (Row) -> Int?
  ) -> Self {
    Self(name, .integer, unit: unit, meaning) { value($0).map(ExportValue.integer) }
  }

  /// A number that is not finite is missing: JSON has none, and no table of Vigil.
  static func number(
    _ name: String, unit: String? = nil, _ meaning: String? = nil,
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Self {
    Self(name, .number, unit: unit, meaning) { row in
      value(row).flatMap { $0.isFinite ? .number($0) : nil }
    }
  }
}

/// The type of an exported column.
public enum ExportType: String, Sendable, CaseIterable {
  case text
  case uuid
  /// `YYYY-MM-DD`.
  case date
  /// `YYYY-MM-DDTHH:MM:SS.ffffffZ`.
  case instant
  /// `true` or `false`.
  case boolean
  case integer
  /// In decimal, with the fewest digits that give the same double.
  case number
}

/// The value of a column in a row.
enum ExportValue: Sendable, Hashable {
  case missing
  /// Any text, which may come from people.
  case text(String)
  /// A text of Vigil's own form, such as an id or a date, without quotes or controls.
  case plain(String)
  case boolean(Bool)
  case integer(Int)
  /// A finite number.
  case number(Double)
}

extension ExportValue: JSONRepresentable {
  var json: JSONValue {
    switch self {
    case .missing: .null
    case .text(let text), .plain(let text): text.json
    case .boolean(let flag): flag.json
    case .integer(let number): number.json
    case .number(let number): number.json
    }
  }

  /// The text of a number or truth value, which needs no quotes; nil for others.
  var literal: String? {
    switch self {
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): number.description
    case .number(let number): number.description
    case .missing, .text, .plain: nil
    }
  }
}

extension Array {
  /// A row as the fields of JSON, one for each column.
  ///
  /// - Parameter left: Names of columns that are left out.
  func fields<Row>(
    of row: Row, without left: Set<String> = []
  ) -> JSONFields where Element == ExportColumn<Row> {
    var fields: JSONFields = [:]
    for column in self where !left.contains(column.name) { fields[column.name] = column.value(row) }
    return fields
  }
}
