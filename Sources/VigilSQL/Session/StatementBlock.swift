/// One named block of a `.sql` file.
public struct StatementBlock: Hashable, Sendable {
  public var name: String
  public var kind: Kind
  /// The statement with its open places, without comments and blank lines at its ends.
  public var text: String

  /// The result of a statement.
  public enum Kind: String, Sendable {
    /// The number of rows that it changed.
    case exec
    /// Rows.
    case many
    /// Bytes that go in or come out; such a statement takes no parameters.
    case copy
    /// None: text that statements of the same subject share, by a mark of its name.
    case part
  }

  /// The table that messages name: the first of the schema that the text names, or else of the server's
  /// own; empty where it names none.
  public var table: String {
    for place in ["{{schema}}.", "pg_catalog."] {
      guard let start = text.firstRange(of: place)?.upperBound else { continue }
      return String(text[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return ""
  }

  /// Returns the blocks of a file, in its order.
  ///
  /// A line `-- name: ExpireNotifications :exec` begins a block; what stands before the first one says what
  /// the file is about. Comments that directly precede such a line belong to the block that it begins.
  ///
  /// - Throws: `StatementFault` for a file that is not made of such blocks.
  public static func blocks(of file: String) throws -> [StatementBlock] {
    var blocks: [StatementBlock] = []
    var lines: [Substring] = []
    var heading: (name: String, kind: Kind)?
    func close() throws {
      guard let heading else { return }
      // Comments at the end are the next block's.
      let end = lines.lastIndex { !$0.isEmpty && !$0.hasPrefix("--") }
      let text = lines[..<(end.map { $0 + 1 } ?? 0)].joined(separator: "\n")
      guard !text.isEmpty else { throw StatementFault("\(heading.name) has no statement") }
      blocks.append(StatementBlock(name: heading.name, kind: heading.kind, text: text))
    }
    for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("-- name:") else {
        lines.append(line)
        continue
      }
      try close()
      let words = line.dropFirst("-- name:".count).split(separator: " ")
      guard words.count == 2, words[1].first == ":",
        let kind = Kind(rawValue: String(words[1].dropFirst()))
      else { throw StatementFault("not a name and a kind (:exec, :many, :copy or :part): \(line)") }
      heading = (String(words[0]), kind)
      lines = []
    }
    try close()
    return blocks
  }
}

/// A fault in a file of statements.
public struct StatementFault: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
