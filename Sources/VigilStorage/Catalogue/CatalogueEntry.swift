/// One thing that a schema consists of, as its database describes it.
public struct CatalogueEntry: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case table
    case column
    case constraint
    case index
    case policy
    case trigger
    case function
  }

  public var kind: Kind
  /// The table that it belongs to; empty for a function.
  public var table: String
  public var name: String
  /// The same text for the same entry, independent of the name of the schema.
  public var definition: String

  public init(_ kind: Kind, of table: String = "", named name: String, _ definition: String) {
    self.kind = kind
    self.table = table
    self.name = name
    self.definition = definition
  }

  /// The identity of an entry, equal in two schemas.
  struct Key: Hashable {
    var kind: Kind
    var table: String
    var name: String
  }

  var key: Key { Key(kind: kind, table: table, name: name) }
}

// MARK: As lines

extension CatalogueEntry: LosslessStringConvertible {
  /// One line with tabs in between, from which `init` makes the same entry again.
  public var description: String {
    [kind.rawValue, table, name, definition.replacing("\n", with: " ")].joined(separator: "\t")
  }

  public init?(_ line: String) {
    let fields = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
      .map(String.init)
    guard fields.count == 4, let kind = Kind(rawValue: fields[0]) else { return nil }
    self.init(kind, of: fields[1], named: fields[2], fields[3])
  }
}
