import Synchronization

/// A statement as one database understands it.
public struct RenderedStatement: Sendable {
  /// The SQL, with nothing left open but its parameters.
  public let sql: String
  /// The table that messages name.
  public let table: String
}

/// The named statements for one schema of one database, each rendered when it is first asked for.
public final class StatementLibrary: Sendable {
  private let template: SQLTemplate
  private let dialect: SQLDialect
  private let rendered = Mutex<[String: RenderedStatement]>([:])

  public init(schema: String, dialect: SQLDialect) {
    template = SQLTemplate(schema: schema, dialect: dialect)
    self.dialect = dialect
  }

  /// Returns the statement of a name.
  ///
  /// Ends the process for a name without a block, which `scripts/check-statements` rules out.
  ///
  /// - Complexity: O(1), except when a subject is asked for the first time.
  public func statement<Name: StatementName>(_ name: Name) -> RenderedStatement {
    let key = "\(Name.self).\(name.rawValue)"
    return rendered.withLock { rendered in
      if let known = rendered[key] { return known }
      guard let blocks = try? Self.blocks(of: Name.self, for: dialect) else {
        preconditionFailure("the files of \(Name.self) are not made of named blocks")
      }
      for block in blocks {
        let name = block.name.prefix(1).lowercased() + block.name.dropFirst()
        rendered["\(Name.self).\(name)"] = RenderedStatement(
          sql: template.render(block.text), table: block.table)
      }
      guard let found = rendered[key] else {
        preconditionFailure("there is no statement \(name.blockName)")
      }
      return found
    }
  }

  /// Returns a statement that is put together for one use, such as one that names the columns of an app's
  /// table.
  ///
  /// - Parameters:
  ///   - sql: As `SQLTemplate` takes it.
  ///   - table: The table that messages name.
  public func rendering(_ sql: String, of table: String) -> RenderedStatement {
    RenderedStatement(sql: template.render(sql), table: table)
  }

  /// The blocks of a subject in the files of a dialect.
  ///
  /// - Throws: `StatementFault`.
  public static func blocks<Name: StatementName>(
    of subject: Name.Type, for dialect: SQLDialect
  ) throws -> [StatementBlock] {
    try subject.files(for: dialect).flatMap {
      try StatementBlock.blocks(of: String(decoding: $0, as: UTF8.self))
    }
  }
}
