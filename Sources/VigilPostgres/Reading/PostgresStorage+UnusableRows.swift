import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

/// Rows that nobody can use. Vigil's own tables rule them out; views of other tables do not.
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
      for (id, hasPerson) in try medicationsOfNobody(connection) {
        rows.addRow(
          of: InputTable.medications.name, hasPerson ? .unknownPerson : .noPerson, key: [id])
      }
      return rows
    }
  }

  /// The ids of medications whose person is not in `users`, and whether they name one.
  func medicationsOfNobody(_ connection: Connection) throws -> [(id: String, hasPerson: Bool)] {
    let place = ResultRow.Place(
      database: displayName, table: InputTable.medications.name)
    let isRuledOut = try connection.rows(
      """
      SELECT attnotnull AND EXISTS (
        SELECT FROM pg_constraint
        WHERE conrelid = attrelid AND contype = 'f' AND convalidated
          AND confrelid = \(Connection.relation("'users'"))
            AND conkey = ARRAY[attnum])
      FROM pg_attribute
      WHERE attrelid = \(Connection.relation("'medications'")) AND attname = 'user_id'
      """, place: place
    ) { try $0.bool() }
    // Nothing where there is no such table.
    guard isRuledOut == [false] else { return [] }
    let isDeleted = try MedicationSelect(.medications, on: connection, database: displayName)
      .expression(for: "is_deleted")
    return try connection.rows(
      """
      SELECT id::text, user_id IS NOT NULL FROM {{schema}}.medications
      WHERE coalesce(\(isDeleted), 0) = 0
        AND NOT EXISTS (SELECT FROM {{schema}}.users WHERE users.id = medications.user_id)
      ORDER BY id
      """, place: place
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
          """
          SELECT count(*) FROM (
            SELECT FROM {{schema}}.\(table.name)
            WHERE \(table.dayColumn) BETWEEN $1 AND $2 AND \(table.isInput) LIMIT $3
          ) AS found
          """, parameters,
          place: .init(database: displayName, table: table.name)
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
