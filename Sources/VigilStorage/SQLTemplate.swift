/// What SQL of this package leaves open, for one schema of one database.
///
/// Statements name tables, views and functions of Vigil as `{{schema}}.name`, because a search path is
/// something that others can put names into. Drivers render each statement where they prepare it.
public struct SQLTemplate: Sendable {
  private let schema: [UInt8]
  private let schemaName: [UInt8]
  private let parameterMark: UInt8

  /// - Parameter schema: The name as it is, such as `public`; statements get it between quotes.
  public init(schema: String, dialect: SQLDialect) {
    self.schema = Self.quoted(schema, by: UInt8(ascii: "\""))
    schemaName = Self.quoted(schema, by: UInt8(ascii: "'"))
    parameterMark = dialect.parameterMark
  }

  /// Returns the statement that a database understands.
  ///
  /// - `{{schema}}` becomes the schema's name as an identifier, such as `"public"`.
  /// - `{{schema_name}}` becomes it as a text, such as `'public'`.
  /// - `$1` becomes what the database calls its first parameter.
  ///
  /// Texts, quoted names and comments stay as they are, so that no value or name is taken for SQL.
  ///
  /// - Complexity: O(*n*) in the bytes of the statement, in one pass.
  public func render(_ sql: String) -> String {
    var sql = sql
    return sql.withUTF8 { source in
      var rendered: [UInt8] = []
      rendered.reserveCapacity(source.count + 16 * schema.count)
      var position = 0
      while position < source.count {
        let byte = source[position]
        let length: Int
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
          length = Self.length(until: byte, in: source, from: position)
        case UInt8(ascii: "-") where Self.isNext("--", in: source, at: position):
          length = Self.length(until: UInt8(ascii: "\n"), in: source, from: position)
        case UInt8(ascii: "{") where Self.isNext("{{schema}}", in: source, at: position):
          rendered += schema
          position += 10
          continue
        case UInt8(ascii: "{") where Self.isNext("{{schema_name}}", in: source, at: position):
          rendered += schemaName
          position += 15
          continue
        case UInt8(ascii: "$") where Self.isDigit(source, at: position + 1):
          rendered.append(parameterMark)
          position += 1
          continue
        default:
          length = 1
        }
        rendered += source[position..<position + length]
        position += length
      }
      return String(decoding: rendered, as: UTF8.self)
    }
  }

  /// Whether a text says itself in which schema its names are.
  public static func namesSchema(_ sql: String) -> Bool { sql.contains("{{schema}}") }

  // MARK: Scanning

  /// How many bytes there are to the next end mark and with it, or to the end of the text.
  private static func length(
    until end: UInt8, in source: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    var position = start + 1
    while position < source.count, source[position] != end { position += 1 }
    return min(position + 1, source.count) - start
  }

  private static func isNext(
    _ text: StaticString, in source: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> Bool {
    position + text.utf8CodeUnitCount <= source.count
      && (0..<text.utf8CodeUnitCount).allSatisfy { source[position + $0] == text.utf8Start[$0] }
  }

  private static func isDigit(_ source: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    position < source.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(source[position])
  }

  private static func quoted(_ name: String, by quote: UInt8) -> [UInt8] {
    // Where a backslash is no letter, a text says so.
    let isEscaped = quote == UInt8(ascii: "'") && name.utf8.contains(UInt8(ascii: "\\"))
    var quoted = isEscaped ? Array(" E".utf8) : []
    quoted.append(quote)
    for byte in name.utf8 {
      if byte == quote || (isEscaped && byte == UInt8(ascii: "\\")) { quoted.append(byte) }
      quoted.append(byte)
    }
    quoted.append(quote)
    return quoted
  }
}

extension SQLDialect {
  /// Stands before the number of a parameter.
  fileprivate var parameterMark: UInt8 {
    switch self {
    case .sqlite: UInt8(ascii: "?")
    case .postgres: UInt8(ascii: "$")
    }
  }
}
