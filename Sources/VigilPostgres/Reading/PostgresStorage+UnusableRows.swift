import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

/// Unusable rows. Vigil's own tables rule them out; views of other tables do not.
extension PostgresStorage {
  private static let tables = [
    InputTable.wearableDailyMetrics, .exerciseSessions, .vitalityScores,
  ]

  public func unusableRows(in days: ClosedRange<Day>) throws -> UnusableRows {
    try withConnection { connection in
      var rows = UnusableRows()
      for table in Self.tables {
        try UnusableRowSearch(
          table: table, days: days, connection: connection, database: displayName
        ).run(into: &rows)
      }
      for (id, hasPerson) in try medicationsOfUnknownPersons(connection) {
        rows.addRow(
          of: InputTable.medications.name, hasPerson ? .unknownPerson : .noPerson, key: [id])
      }
      return rows
    }
  }

  /// The ids of medications whose person is not in `users`, and whether they name one.
  func medicationsOfUnknownPersons(_ connection: Connection) throws -> [(
    id: String, hasPerson: Bool
  )] {
    let isRuledOut = try connection.rows(
      ReadingStatement.findMedicationOwnerRule, database: displayName
    ) { try $0.bool() }
    // Nothing where there is no such table.
    guard isRuledOut == [false] else { return [] }
    let isDeleted = try MedicationSelect(.medications, on: connection, database: displayName)
      .expression(for: "is_deleted")
    return try connection.rows(
      ReadingStatement.listOwnerlessMedications, Parameters(),
      ["is_deleted": .expression(isDeleted)], database: displayName
    ) { ($0.text(), try $0.bool()) }
  }

  public func countRows(in days: ClosedRange<Day>, upTo limit: Int) throws -> Int {
    try withConnection { connection in
      var count = 0
      for table in Self.tables {
        let parameters = Parameters {
          $0.put(days.lowerBound)
          $0.put(days.upperBound)
          $0.put(max(0, limit - count))
        }
        count += try connection.rows(
          InputStatement.countInputRows, parameters, table.rowFillings, database: displayName
        ) { try $0.int() }.reduce(0, +)
      }
      return count
    }
  }

  public func quarantine(_ rows: [QuarantinedRow], at now: Timestamp) throws {
    guard !rows.isEmpty else { return }
    try transaction(table: QuarantinedRow.table) { connection in
      let session = PostgresSession(connection: connection, database: displayName)
      for row in rows { try session.quarantine(row, at: now) }
    }
  }
}
