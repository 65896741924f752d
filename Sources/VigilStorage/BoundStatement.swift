/// An SQL statement that every database understands, with its parameters.
public struct BoundStatement: Sendable {
  /// Parameters are `$1`, `$2` and so on; not all need to be mentioned.
  public let sql: String
  public let values: [InputValue]
  /// The table that messages name.
  public let table: String
  /// What a query selects, as messages name it.
  public let columns: [String]

  init(_ sql: String, _ values: [InputValue], table: String, columns: [String] = []) {
    self.sql = sql
    self.values = values
    self.table = table
    self.columns = columns
  }
}

/// Where the databases do not write the same thing in the same way.
public enum SQLDialect: Sendable {
  case sqlite
  case postgres

  /// Stands between two values that may be NULL.
  var isDifferentFrom: String {
    switch self {
    case .sqlite: "IS NOT"
    case .postgres: "IS DISTINCT FROM"
    }
  }

  /// The instants of `expression`, some hours later.
  func adding(hours: Int, to expression: String) -> String {
    switch self {
    // Instants are text with six digits after the second, more than date functions keep.
    case .sqlite:
      "strftime('%Y-%m-%dT%H:%M:%S', \(expression), '+\(hours) hours') || substr(\(expression), 20)"
    case .postgres: "\(expression) + INTERVAL '\(hours) hours'"
    }
  }

  /// The days of `expression`, some days later; `count` is an integer of the same row.
  func adding(days count: String, to expression: String) -> String {
    switch self {
    case .sqlite: "date(\(expression), \(count) || ' days')"
    case .postgres: "\(expression) + \(count)"
    }
  }

  /// A parameter that holds a JSON document as text.
  func json(_ parameter: String) -> String {
    switch self {
    case .sqlite: parameter
    case .postgres: "CAST(\(parameter) AS jsonb)"
    }
  }

  /// A query for the ids that a parameter holds as a JSON array; their column is `id`.
  func ids(listedIn parameter: String) -> String {
    switch self {
    case .sqlite: "SELECT value AS id FROM json_each(\(parameter))"
    case .postgres:
      "SELECT CAST(value AS uuid) AS id"
        + " FROM jsonb_array_elements_text(\(json(parameter))) AS listed (value)"
    }
  }

  /// An aggregate of texts, which come in ascending order.
  func list(of expression: String) -> String {
    switch self {
    case .sqlite: "json_group_array(\(expression))"
    case .postgres: "array_agg(\(expression) ORDER BY \(expression))"
    }
  }
}
