import Foundation
import VigilModel
import VigilSQL

/// Values in the text of a statement that takes no parameters.
///
/// They are ids, days and instants in the spelling of their types, which has no quote in it.
extension SQLExpression {
  static func literal(_ ids: [UUID]) -> SQLExpression {
    SQLExpression(unsafeSQL: "'{\(ids.map(\.lowercased).joined(separator: ","))}'")
      .cast(to: "uuid[]")
  }

  static func literal(_ days: [Day]) -> SQLExpression {
    SQLExpression(unsafeSQL: "ARRAY[\(days.map { "'\($0)'" }.joined(separator: ","))]::date[]")
  }

  /// Still without a type.
  static func literal(_ instants: [Timestamp]) -> SQLExpression {
    SQLExpression(unsafeSQL: "ARRAY[\(instants.map { "'\($0)'" }.joined(separator: ","))]")
  }

  static func literal(_ day: Day) -> SQLExpression {
    SQLExpression(unsafeSQL: "'\(day)'").cast(to: "date")
  }

  static func literal(_ instant: Timestamp) -> SQLExpression {
    SQLExpression(unsafeSQL: "'\(instant)'")
  }
}

extension SQLExpression {
  /// An array as the text of a JSON list.
  var jsonText: SQLExpression {
    SQLExpression(unsafeSQL: "array_to_json(\(sql))").cast(to: "text")
  }

  /// A time without a zone as the instant that it is in UTC.
  var inUTC: SQLExpression { SQLExpression(unsafeSQL: "(\(sql) AT TIME ZONE 'UTC')") }
}
