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
  private let subjects = Mutex<[ObjectIdentifier: Subject]>([:])

  /// The statements of one subject, by the names of their blocks.
  private struct Subject {
    var blocks: [String: StatementBlock] = [:]
    var parts: SQLFillings = [:]
    var rendered: [String: RenderedStatement] = [:]
  }

  public init(schema: String, dialect: SQLDialect) {
    template = SQLTemplate(schema: schema, dialect: dialect)
    self.dialect = dialect
  }

  /// Returns the statement of a name.
  ///
  /// Ends the process for a name without a block, which `scripts/check-statements` rules out.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - fillings: The values of the marks that the block leaves open; the statement is then rendered
  ///     anew each time.
  /// - Complexity: O(1) without fillings, except when a subject is asked for the first time.
  public func statement<Name: StatementName>(
    _ name: Name, _ fillings: SQLFillings = [:]
  ) -> RenderedStatement {
    subjects.withLock { subjects in
      let id = ObjectIdentifier(Name.self)
      var subject = subjects[id] ?? self.subject(Name.self)
      defer { subjects[id] = subject }
      if fillings.isEmpty, let known = subject.rendered[name.blockName] { return known }
      guard let block = subject.blocks[name.blockName] else {
        preconditionFailure("there is no statement \(name.blockName)")
      }
      let sql = template.render(block.text, subject.parts.merging(fillings) { _, given in given })
      let statement = RenderedStatement(sql: sql, table: block.table)
      if fillings.isEmpty { subject.rendered[name.blockName] = statement }
      return statement
    }
  }

  private func subject<Name: StatementName>(_ name: Name.Type) -> Subject {
    guard let blocks = try? Self.blocks(of: Name.self, for: dialect) else {
      preconditionFailure("the files of \(Name.self) are not made of named blocks")
    }
    var subject = Subject()
    for block in blocks {
      if block.kind == .part {
        subject.parts[block.name] = .part(block.text)
      } else {
        subject.blocks[block.name] = block
      }
    }
    return subject
  }

  /// Returns the SQL of a file of a driver, such as a migration, for the schema.
  public func script(_ text: String) -> String { template.render(text) }

  /// The blocks of a subject in the files of a dialect.
  ///
  /// - Throws: `StatementFault`.
  public static func blocks<Name: StatementName>(
    of subject: Name.Type, for dialect: SQLDialect
  ) throws -> [StatementBlock] {
    try subject.files.texts(for: dialect).flatMap {
      try StatementBlock.blocks(of: $0)
    }
  }
}
