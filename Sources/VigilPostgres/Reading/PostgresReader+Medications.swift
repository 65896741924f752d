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
      ReadingStatement.listMedicationRows, Parameters { $0.put(ids) },
      select.fillings(by: column)
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
    _ = try self.rows(
      ReadingStatement.listScheduleVersions, Parameters { $0.put(schedules) }
    ) { try rows.addVersion($0) }
  }

  private func readEvaluatedDays(of persons: Set<UUID>, into rows: MedicationRows) throws {
    _ = try self.rows(
      ReadingStatement.listLastEvaluatedDays, Parameters { $0.put(persons) }
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
        let statement = connection.statements.statement(
          way.copying, doses.fillings(medications: medications, times: times))
        try connection.copyOut(statement) { try parser.parse($0, into: &intake) }
      }
    }
  }
}
