import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// Looks for the unusable rows of one input table or view.
struct UnusableRowSearch {
  let table: InputTable
  let days: ClosedRange<Day>
  let connection: Connection
  let database: String

  /// - Throws: `PostgresError`, `StorageError`.
  func run(into rows: inout UnusableRows) throws {
    guard let constraints = try constraints(), !constraints.ruleOutEverything else { return }
    let details = UnusableRows.mostDetails
    let ofDays = Parameters {
      $0.put(days.lowerBound)
      $0.put(days.upperBound)
      $0.put(details)
    }
    if !constraints.havePerson {
      try add(.noPerson, .listRowsWithoutPerson, ofDays, to: &rows)
    }
    guard !constraints.knowPerson || !constraints.haveDate else { return }
    let suspects = try suspects()
    let strangers = suspects.filter(\.isStranger).map(\.id)
    if !strangers.isEmpty {
      let parameters = Parameters {
        $0.put(days.lowerBound)
        $0.put(days.upperBound)
        $0.put(details)
        $0.put(strangers)
      }
      try add(.unknownPerson, .listRowsOfStrangers, parameters, to: &rows)
    }
    let undated = suspects.filter(\.hasBadDate).map(\.id)
    if !undated.isEmpty {
      let parameters = Parameters {
        $0.put(details)
        $0.put(undated)
      }
      try add(.noDate, .listRowsWithoutDate, parameters, to: &rows)
      try add(.impossibleDate, .listRowsOfImpossibleDates, parameters, to: &rows)
    }
  }

  // MARK: Constraints

  /// The promises of the table's constraints; a view has none.
  private struct Constraints {
    var havePerson: Bool
    var knowPerson: Bool
    var haveDate: Bool

    var ruleOutEverything: Bool { havePerson && knowPerson && haveDate }
  }

  /// Nil where there is no such table.
  private func constraints() throws -> Constraints? {
    let parameters = Parameters {
      $0.put(table.name)
      $0.put(table.dayColumn)
      $0.put("\(table.name)_date_is_date")
    }
    return try connection.rows(ReadingStatement.findInputRules, parameters, database: database) {
      try Constraints(havePerson: $0.bool(), knowPerson: $0.bool(), haveDate: $0.bool())
    }.first
  }

  // MARK: Persons

  private struct Suspect {
    var id: UUID
    var isStranger: Bool
    var hasBadDate: Bool
  }

  private func suspects() throws -> [Suspect] {
    try connection.rows(
      ReadingStatement.listSuspects, Parameters(), table.rowFillings, database: database
    ) { try Suspect(id: $0.uuid(), isStranger: $0.bool(), hasBadDate: $0.bool()) }
  }

  // MARK: Rows

  /// Adds the rows that a query lists.
  private func add(
    _ reason: UnusableRow.Reason, _ name: ReadingStatement, _ parameters: Parameters,
    to rows: inout UnusableRows
  ) throws {
    let keyTexts = table.key.map { SQLExpression.column($0).cast(to: "text") }
    let fillings = table.rowFillings.merging(["key_texts": .expressions(keyTexts)]) { $1 }
    let found = try connection.rows(name, parameters, fillings, database: database) { row in
      (count: try row.int(), key: try table.key.map { _ in try row.textIfPresent() ?? "" })
    }
    let keys = found.map { row in
      row.key.map { String($0.unicodeScalars.prefix(Self.longestKeyPart)) }
        .joined(separator: ",")
    }
    rows.add(found.first?.count ?? 0, of: table.name, reason, keys: keys)
  }

  /// Characters of a part of a key that messages show at most.
  private static let longestKeyPart = 200
}
