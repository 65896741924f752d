import Foundation
import VigilModel
import VigilSQL
import VigilStorage

extension PostgresReader {
  func readMedications(
    of persons: [UUID], doses times: ClosedRange<Timestamp>, into rows: MedicationRows
  ) throws {
    var medications: [UUID] = []
    var owners: Set<UUID> = []
    try forEachRow(of: .medications, by: "user_id", persons) { row in
      var own = row
      medications.append(try own.uuid())
      owners.insert(try own.uuid())
      try rows.addMedication(row)
    }
    guard !medications.isEmpty else { return }
    try forEachRow(of: .timezoneEvents, by: "user_id", owners) { try rows.addEvent($0) }
    try forEachRow(of: .schedules, by: "medication_id", medications) { try rows.addSchedule($0) }
    let schedules = rows.schedules.map(\.id)
    try forEachRow(of: .scheduleAdjustments, by: "schedule_id", schedules) {
      try rows.addAdjustment($0)
    }
    try readVersions(of: schedules, into: rows)
    try readEvaluatedDays(of: owners, into: rows)
    try copyDoses(of: medications, times, into: rows)
  }

  private func forEachRow(
    of table: InputTable, by column: String, _ ids: some Collection<UUID>,
    _ body: (ResultRow) throws -> Void
  ) throws {
    guard !ids.isEmpty else { return }
    let select = try select(of: table)
    _ = try self.rows(
      select.sql(by: column), Parameters { $0.put(ids) }, of: table.name
    ) { row in try body(row) }
  }

  private func select(of table: InputTable) throws -> MedicationSelect {
    if let known = medicationSelects[table.name] { return known }
    let select = try mappingErrors {
      try MedicationSelect(table, on: connection, database: database)
    }
    medicationSelects[table.name] = select
    return select
  }

  private func readVersions(of schedules: [UUID], into rows: MedicationRows) throws {
    let columns = ["schedule_id", "valid_from", "row"]
    _ = try self.rows(
      """
      SELECT \(columns.joined(separator: ", ")) FROM {{schema}}.\(ScheduleVersionRow.table)
      WHERE schedule_id = ANY ($1) ORDER BY schedule_id, valid_from
      """, Parameters { $0.put(schedules) }, of: ScheduleVersionRow.table
    ) { try rows.addVersion($0) }
  }

  private func readEvaluatedDays(of persons: Set<UUID>, into rows: MedicationRows) throws {
    // One step into the index for each person.
    _ = try self.rows(
      """
      SELECT person.id, newest.period_end FROM unnest($1) AS person (id)
      CROSS JOIN LATERAL (
        SELECT period_end FROM {{schema}}.\(DoseAnalyticsRow.table)
        WHERE user_id = person.id AND period_kind = '7_days'
        ORDER BY user_id DESC, period_kind DESC, period_end DESC LIMIT 1
      ) AS newest
      """, Parameters { $0.put(persons) }, of: DoseAnalyticsRow.table
    ) { row in
      let person = try row.uuid()
      rows.addEvaluatedDay(try row.day(), of: person)
    }
  }

  private func copyDoses(
    of medications: [UUID], _ times: ClosedRange<Timestamp>, into rows: MedicationRows
  ) throws {
    let doses = try DoseSelect(select(of: .doseHistory))
    try mappingErrors {
      let way =
        try doseWay ?? doses.cheapestWay(for: medications, times: times, on: connection)
      doseWay = way
      var parser = DoseRowParser(database: database)
      try rows.addDoses { intake in
        try connection.copyOut(doses.copy(way, medications: medications, times: times)) {
          try parser.parse($0, into: &intake)
        }
      }
    }
  }
}
