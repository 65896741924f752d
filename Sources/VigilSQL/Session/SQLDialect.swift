/// The SQL that a database speaks.
public enum SQLDialect: Sendable, CaseIterable {
  case sqlite
  case postgres

  /// The mark before the number of a parameter.
  var parameterMark: UInt8 {
    switch self {
    case .sqlite: UInt8(ascii: "?")
    case .postgres: UInt8(ascii: "$")
    }
  }

  /// Stands between two values that may be NULL.
  var isDifferentFrom: String {
    switch self {
    case .sqlite: "IS NOT"
    case .postgres: "IS DISTINCT FROM"
    }
  }
}
