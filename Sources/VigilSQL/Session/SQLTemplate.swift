import Foundation

/// The places that SQL of this package leaves open, filled for one schema of one database.
///
/// Statements name tables, views and functions of Vigil as `{{schema}}.name`, because a search path is
/// something that others can put names into. Drivers render each statement where they prepare it.
public struct SQLTemplate: Sendable {
  private let schema: [UInt8]
  private let schemaName: [UInt8]
  private let parameterMark: UInt8

  /// - Parameters:
  ///   - schema: The name as it is, such as `public`; statements get it between quotes.
  ///   - dialect: The database that the statements are for.
  public init(schema: String, dialect: SQLDialect) {
    self.schema = Self.quoted(schema, by: UInt8(ascii: "\""))
    schemaName = Self.quoted(schema, by: UInt8(ascii: "'"))
    parameterMark = dialect.parameterMark
  }

  /// Returns the statement that a database understands.
  ///
  /// - `{{schema}}` becomes the schema's name as an identifier, such as `"public"`.
  /// - `{{schema_name}}` becomes it as a text, such as `'public'`.
  /// - `{{run_columns}}` and the other names of `ColumnList` become the names of columns, and
  ///   `{{excluded.run_columns}}` the same with a qualifier before each.
  /// - `{{channels}}` and the other names of `WordList` become texts with commas between them.
  /// - `{{limit_is_possible}}` and the other names of `TableCheck` become a condition.
  /// - A mark of `fillings` becomes what stands there for it. A list of names takes a qualifier too.
  /// - `$1` becomes what the database calls its first parameter.
  ///
  /// Texts, quoted names and comments stay as they are, so that no value or name is taken for SQL.
  ///
  /// - Complexity: O(*n*) in the bytes of the statement, in one pass.
  public func render(_ sql: String, _ fillings: SQLFillings = [:]) -> String {
    var rendered: [UInt8] = []
    rendered.reserveCapacity(sql.utf8.count + 16 * schema.count)
    append(sql, fillings, to: &rendered)
    return String(decoding: rendered, as: UTF8.self)
  }

  // MARK: Scanning

  private func append(_ sql: String, _ fillings: SQLFillings, to rendered: inout [UInt8]) {
    sql.withCString { source in
      var rest = source
      while true {
        // Most of a statement is neither a name nor a text: the C library finds the next that is.
        let plain = strcspn(rest, "'\"-{$")
        Self.append(plain, of: rest, to: &rendered)
        rest += plain
        if rest.pointee == 0 { break }
        if let mark = Self.mark(at: rest), appendFilling(of: mark, fillings, to: &rendered) {
          rest += mark.utf8.count + 4
        } else if rest[0] == CChar(bitPattern: UInt8(ascii: "$")), isdigit(Int32(rest[1])) != 0 {
          rendered.append(parameterMark)
          rest += 1
        } else {
          let length = Self.untouchedLength(from: rest)
          Self.append(length, of: rest, to: &rendered)
          rest += length
        }
      }
    }
  }

  /// Appends what stands for a mark; false where nothing does.
  private func appendFilling(
    of mark: String, _ fillings: SQLFillings, to rendered: inout [UInt8]
  ) -> Bool {
    switch mark {
    case "schema": rendered += schema
    case "schema_name": rendered += schemaName
    default:
      let words = mark.split(separator: ".", maxSplits: 1)
      let (name, qualifier) = (String(words.last ?? ""), words.count > 1 ? "\(words[0])." : "")
      guard
        let filling = fillings[name] ?? ColumnList(rawValue: name).map({ .names($0.names) })
          ?? WordList(rawValue: name).map({ .part($0.sql) })
          ?? TableCheck(rawValue: name).map({ .part($0.sql) })
      else { return false }
      switch filling.content {
      case .names(let names):
        let list = names.map { qualifier + $0.quotedIdentifier }.joined(separator: ", ")
        rendered += list.utf8
      case .sql(let sql):
        append(sql, fillings, to: &rendered)
      }
    }
    return true
  }

  /// The name between braces that begins here, such as `schema`.
  private static func mark(at start: UnsafePointer<CChar>) -> String? {
    guard strncmp(start, "{{", 2) == 0, let end = strstr(start, "}}") else { return nil }
    let name = UnsafeRawBufferPointer(
      start: start + 2, count: UnsafePointer(end) - start - 2)
    return String(decoding: name, as: UTF8.self)
  }

  /// The number of bytes of a text, a quoted name or a comment that begins here, with its end; 1 where
  /// none does.
  private static func untouchedLength(from start: UnsafePointer<CChar>) -> Int {
    let end: Int32
    switch UInt8(bitPattern: start[0]) {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): end = Int32(start[0])
    case UInt8(ascii: "-") where start[1] == start[0]: end = Int32(UInt8(ascii: "\n"))
    default: return 1
    }
    guard let found = strchr(start + 1, end) else { return strlen(start) }
    return UnsafePointer(found) - start + 1
  }

  private static func append(
    _ count: Int, of text: UnsafePointer<CChar>, to rendered: inout [UInt8]
  ) {
    rendered += UnsafeRawBufferPointer(start: text, count: count)
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

extension String {
  /// This name between double quotes, so that SQL takes it for nothing but a name.
  public var quotedIdentifier: String {
    "\"\(replacing("\"", with: "\"\""))\""
  }
}
