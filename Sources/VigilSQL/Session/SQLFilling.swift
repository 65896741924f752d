/// The fillings of the marks of one statement, by their names.
///
/// ```swift
/// let fillings: SQLFillings = ["table": .name("exercise_sessions"), "columns": .names(["id"])]
/// ```
public typealias SQLFillings = [String: SQLFilling]

/// Names, or expressions over columns that an app may have made, for the place of a mark.
public struct SQLFilling: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case names([String])
    case sql(String)
  }

  let content: Content

  /// A table, or a column.
  public static func name(_ name: String) -> SQLFilling { names([name]) }

  /// Columns; the statement gets them quoted, with commas between them.
  public static func names(_ names: [String]) -> SQLFilling { SQLFilling(content: .names(names)) }

  public static func expression(_ expression: SQLExpression) -> SQLFilling {
    expressions([expression])
  }

  /// Expressions with commas between them.
  public static func expressions(_ expressions: [SQLExpression]) -> SQLFilling {
    SQLFilling(content: .sql(expressions.map(\.sql).joined(separator: ", ")))
  }

  /// The parameters of rows, such as `($1, $2), ($3, $4)`.
  public static func parameterRows(_ rows: Int, ofColumns columns: Int) -> SQLFilling {
    expressions(
      (0..<rows).map { row in
        .row((1...columns).map { .parameter(row * columns + $0) })
      })
  }

  /// Text that statements share, which may have marks of its own.
  static func part(_ text: String) -> SQLFilling { SQLFilling(content: .sql(text)) }
}

/// A value in a statement, such as a column of an app's table as another type.
public struct SQLExpression: Sendable, Hashable {
  /// As `SQLTemplate` takes it.
  public let sql: String

  /// - Parameter sql: What the statement gets as it is; nothing that anybody else has written.
  public init(unsafeSQL sql: String) { self.sql = sql }

  public static let null = SQLExpression(unsafeSQL: "NULL")

  public static func column(_ name: String) -> SQLExpression {
    SQLExpression(unsafeSQL: name.quotedIdentifier)
  }

  /// - Parameter number: From 1.
  public static func parameter(_ number: Int) -> SQLExpression {
    SQLExpression(unsafeSQL: "$\(number)")
  }

  /// Values as one row.
  static func row(_ values: [SQLExpression]) -> SQLExpression {
    SQLExpression(unsafeSQL: "(\(values.map(\.sql).joined(separator: ", ")))")
  }

  /// The same value as another type.
  ///
  /// - Parameter type: As the database writes it, such as `numeric(6,2)`.
  public func cast(to type: String) -> SQLExpression {
    SQLExpression(unsafeSQL: "CAST(\(sql) AS \(type))")
  }

  /// The first value that is not NULL: this or another.
  public func coalesced(with other: SQLExpression) -> SQLExpression {
    SQLExpression(unsafeSQL: "coalesce(\(sql), \(other.sql))")
  }

  /// NULL where this date is `infinity`, by which PostgreSQL says that there is no end.
  public var unlessInfinite: SQLExpression {
    SQLExpression(unsafeSQL: "NULLIF(\(sql), 'infinity'::date)")
  }

  /// 1 where this is true, 0 where it is false, else NULL.
  public var truth: SQLExpression {
    SQLExpression(unsafeSQL: "CASE WHEN \(sql) THEN 1 WHEN NOT \(sql) THEN 0 END")
  }

  /// Whether one of some columns is above 0 and finite; false without a column.
  public static func isAnyPositive(_ columns: [String]) -> SQLExpression {
    guard !columns.isEmpty else { return SQLExpression(unsafeSQL: "FALSE") }
    // CASE stops at the first hit, which OR does not have to. NaN is the largest number of PostgreSQL.
    let cases = columns.map { column in
      let name = column.quotedIdentifier
      return "WHEN \(name) > 0 AND \(name) <= 1e100 THEN TRUE"
    }
    return SQLExpression(unsafeSQL: "CASE \(cases.joined(separator: " ")) ELSE FALSE END")
  }
}
