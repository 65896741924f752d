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
}
