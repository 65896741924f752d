public import Foundation
public import VigilModel

/// The value of a parameter.
public enum SQLValue: Sendable, Hashable {
  /// NULL of a type, which a server has to know of parameters that it only compares with NULL.
  case null(SQLType)
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case uuid(UUID)
  case day(Day)
  case timestamp(Timestamp)
  /// A JSON document.
  case json(String)
  case bytes([UInt8])
  /// Ids that a statement compares a column with: an array on PostgreSQL, a JSON array on SQLite.
  case uuids([UUID])
  /// Texts that a statement compares a column with.
  case texts([String])
}

/// The type of a parameter.
public enum SQLType: Sendable, Hashable {
  case text
  case integer
  case real
  case boolean
  case uuid
  case day
  case timestamp
  case uuids
  case texts
}

/// A type whose values can be parameters of a statement.
///
/// ```swift
/// try session.execute(QueueStatement.expireNotifications, now)
/// ```
public protocol SQLConvertible {
  static var sqlType: SQLType { get }
  var sqlValue: SQLValue { get }
}

extension UUID: SQLConvertible {
  public static var sqlType: SQLType { .uuid }
  public var sqlValue: SQLValue { .uuid(self) }
}

extension String: SQLConvertible {
  public static var sqlType: SQLType { .text }
  public var sqlValue: SQLValue { .text(self) }
}

extension Int: SQLConvertible {
  public static var sqlType: SQLType { .integer }
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Double: SQLConvertible {
  public static var sqlType: SQLType { .real }
  public var sqlValue: SQLValue { .real(self) }
}

extension Bool: SQLConvertible {
  public static var sqlType: SQLType { .boolean }
  public var sqlValue: SQLValue { .boolean(self) }
}

extension Day: SQLConvertible {
  public static var sqlType: SQLType { .day }
  public var sqlValue: SQLValue { .day(self) }
}

extension Timestamp: SQLConvertible {
  public static var sqlType: SQLType { .timestamp }
  public var sqlValue: SQLValue { .timestamp(self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  public static var sqlType: SQLType { Wrapped.sqlType }
  public var sqlValue: SQLValue { self?.sqlValue ?? .null(Wrapped.sqlType) }
}

/// A type whose values a statement takes as one list.
public protocol SQLListElement {
  static var sqlListType: SQLType { get }
  static func sqlList(_ elements: [Self]) -> SQLValue
}

extension UUID: SQLListElement {
  public static var sqlListType: SQLType { .uuids }
  public static func sqlList(_ elements: [UUID]) -> SQLValue { .uuids(elements) }
}

extension String: SQLListElement {
  public static var sqlListType: SQLType { .texts }
  public static func sqlList(_ elements: [String]) -> SQLValue { .texts(elements) }
}

extension Array: SQLConvertible where Element: SQLListElement {
  public static var sqlType: SQLType { Element.sqlListType }
  public var sqlValue: SQLValue { Element.sqlList(self) }
}

/// A JSON document as a parameter.
struct JSONParameter: SQLConvertible {
  var text: String

  init(text: String) { self.text = text }

  init(_ value: some Encodable) throws { text = try CanonicalJSON.text(of: value) }

  static var sqlType: SQLType { .text }
  var sqlValue: SQLValue { .json(text) }
}
