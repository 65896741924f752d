import Foundation
import GRDB
public import VigilModel
import VigilSQL
public import VigilStorage

/// Unusable rows.
///
/// A CHECK constraint guards dates against every writer that does not switch it off. SQLite checks
/// the foreign key only where a connection asks for that, and most tools do not.
extension SQLiteStorage {
  private static let tables = [
    InputTable.wearableDailyMetrics, .exerciseSessions, .vitalityScores,
  ]

  public func unusableRows(in days: ClosedRange<Day>) throws -> UnusableRows {
    try read { db in
      var rows = UnusableRows()
      for table in Self.tables {
        let strangers = try strangers(in: table, db)
        guard !strangers.isEmpty else { continue }
        try add(rowsOf: strangers, in: table, on: days, to: &rows, db)
      }
      try addMedicationsOfUnknownPersons(to: &rows, db)
      return rows
    }
  }

  private func addMedicationsOfUnknownPersons(to rows: inout UnusableRows, _ db: Database) throws {
    try RawStatement(ReadingStatement.listOwnerlessMedications, on: db).forEachRow { row in
      rows.addRow(of: InputTable.medications.name, .unknownPerson, key: [row.text(0)])
    }
  }

  /// The values of `user_id` that `users` does not have; they may be any text.
  private func strangers(in table: InputTable, _ db: Database) throws -> [String] {
    var strangers: [String] = []
    try RawStatement(ReadingStatement.listStrangers, table.rowFillings, on: db).forEachRow {
      strangers.append($0.text(0))
    }
    return strangers
  }

  private func add(
    rowsOf strangers: [String], in table: InputTable, on days: ClosedRange<Day>,
    to rows: inout UnusableRows, _ db: Database
  ) throws {
    let fillings = table.rowFillings.merging(["key": .names(table.key)]) { $1 }
    let query = try RawStatement(ReadingStatement.listRowsOfStranger, fillings, on: db)
    query.bind(days.lowerBound, at: 2)
    query.bind(days.upperBound, at: 3)
    for stranger in strangers {
      query.bind(stranger, at: 1)
      try query.forEachRow { row in
        rows.addRow(
          of: table.name, .unknownPerson, key: table.key.indices.map { row.text($0) })
      }
    }
  }

  public func countRows(in days: ClosedRange<Day>, upTo limit: Int) throws -> Int {
    try read { db in
      var count = 0
      for table in Self.tables {
        let query = try RawStatement(InputStatement.countInputRows, table.rowFillings, on: db)
        query.put(days.lowerBound)
        query.put(days.upperBound)
        query.put(max(0, limit - count))
        try query.forEachRow { count += $0.int(0) }
      }
      return count
    }
  }

  public func quarantine(_ rows: [QuarantinedRow], at now: Timestamp) throws {
    guard !rows.isEmpty else { return }
    try write(table: QuarantinedRow.table) { db in
      let insert = try RawStatement(InputStatement.quarantineRow, on: db)
      for row in rows {
        QuarantineRow.put(row, at: now, into: insert)
        try insert.run()
      }
    }
  }
}
