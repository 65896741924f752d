import Foundation
import VigilStorage

/// A table of persons that the database has.
struct PresentTable {
  var definition: PersonalTable
  /// Whether Vigil made it.
  var isOwn: Bool
}

/// A table or a view of the schema.
struct Relation {
  var name: String
  /// Whether Vigil made it.
  var isOwn: Bool
  /// Whether this login may read it.
  var isReadable: Bool
}

extension SQLSession {
  func relations() throws -> [Relation] {
    try rows(PrivacyStatement.listTables) {
      try Relation(name: $0.text(), isOwn: $0.int() == 1, isReadable: $0.int() == 1)
    }
  }

  func columns(
    of table: String
  ) throws -> [(name: String, type: PersonalRows.ValueType, mayHoldIDs: Bool)] {
    try rows(PrivacyStatement.listTableColumns, table) {
      try (name: $0.text(), type: $0.word(), mayHoldIDs: $0.int() == 1)
    }
  }

  /// The tables of persons that are there and can be read, in the order of their list.
  func personalTables() throws -> [PresentTable] {
    let relations = Dictionary(try relations().map { ($0.name, $0) }) { first, _ in first }
    return PersonalTable.all.compactMap { table in
      guard let relation = relations[table.name], relation.isReadable else { return nil }
      return PresentTable(definition: table, isOwn: relation.isOwn)
    }
  }

  /// The rows of a table about a person; nil where there is none.
  func rows(of person: UUID, in table: PresentTable) throws -> PersonalRows? {
    let definition = table.definition
    let columns = try columns(of: definition.name).map {
      PersonalRows.Column(name: $0.name, type: $0.type)
    }
    var found: [[String?]] = []
    // One statement finds all columns of persons.
    for link in definition.links where link.kind != .cleared {
      if link.kind == .person, link != definition.links.first(where: { $0.kind == .person }) {
        continue
      }
      var fillings = definition.fillings(for: link)
      fillings["values"] = .expressions(columns.map { .text(of: $0.name) })
      let statement = statements.statement(link.kind.listing, fillings)
      found += try rows(statement, [person.sqlValue]) { row in
        let isAbout = try row.int() == 1
        return try columns.map { column in
          let value = try row.textIfPresent()
          return isAbout || definition.columnsOfOthers.contains(column.name) ? value : nil
        }
      }
    }
    let kept = found.filter { $0.contains { $0 != nil } }
    return kept.isEmpty
      ? nil : PersonalRows(table: definition.name, columns: columns, rows: kept)
  }

  /// The number of rows that only this link of a table ties to a person.
  func count(of person: UUID, in table: PersonalTable, by link: PersonalTable.Link) throws -> Int {
    // The first column of persons counts for all of them.
    if link.kind == .person, link != table.links.first(where: { $0.kind == .person }) { return 0 }
    return try count(link.kind.counting, table.fillings(for: link), person)
  }

  /// Removes the rows that a link ties to a person, and returns their number.
  func remove(
    _ person: UUID, from table: PersonalTable, by link: PersonalTable.Link
  ) throws -> Int {
    if link.kind == .person, link != table.links.first(where: { $0.kind == .person }) { return 0 }
    let statement = statements.statement(link.kind.removal, table.fillings(for: link))
    return try execute(statement, [person.sqlValue])
  }

  /// Runs a named query with fillings for one number, and returns it; 0 without a row.
  func count(
    _ name: PrivacyStatement, _ fillings: SQLFillings, _ values: (any SQLConvertible)...
  ) throws -> Int {
    try rows(statements.statement(name, fillings), values.map(\.sqlValue)) { try $0.int() }.first
      ?? 0
  }
}

extension PersonalTable {
  /// The fillings of the statements about one link.
  fileprivate func fillings(for link: Link) -> SQLFillings {
    let persons = links.filter { $0.kind == .person }.map(\.column)
    let subjects = links.filter { $0.kind == .person && $0.isAboutPerson }.map(\.column)
    var fillings: SQLFillings = [
      "table": .name(name), "column": .name(link.column),
      "person_columns": persons.isEmpty ? .expression(.null) : .names(persons),
      "subject_columns": subjects.isEmpty ? .expression(.null) : .names(subjects),
    ]
    if case .parent(let parent) = link.kind { fillings["parent"] = .name(parent) }
    return fillings
  }
}

extension PersonalTable.Kind {
  fileprivate var counting: PrivacyStatement {
    switch self {
    case .person: .countByColumn
    case .cleared: .countCleared
    case .parent: .countByParent
    case .text: .countByText
    case .version: .countVersions
    }
  }

  fileprivate var listing: PrivacyStatement {
    switch self {
    case .person, .cleared: .listByColumn
    case .parent: .listByParent
    case .text: .listByText
    case .version: .listVersions
    }
  }

  fileprivate var removal: PrivacyStatement {
    switch self {
    case .person: .removeByColumn
    case .cleared: .clearColumn
    case .parent: .removeByParent
    case .text: .removeByText
    case .version: .removeVersions
    }
  }
}

extension SQLExpression {
  fileprivate static func text(of column: String) -> SQLExpression {
    SQLExpression(unsafeSQL: "CAST(own.\(column.quotedIdentifier) AS text)")
  }
}
