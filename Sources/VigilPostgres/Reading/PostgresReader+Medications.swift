import Foundation
import VigilAdherence
import VigilModel
import VigilSQL
import VigilStorage

extension PostgresReader {
  func readMedications(of persons: [UUID], into sink: some MedicationRowSink) throws -> [UUID] {
    var medications: [UUID] = []
    var owners: Set<UUID> = []
    try forEachRow(of: .medications, by: "user_id", persons) { row in
      let medication = try UncheckedMedication.decode(&row)
      medications.append(medication.id)
      owners.insert(medication.user)
      sink.add(medication)
    }
    guard !medications.isEmpty else { return [] }
    try forEachRow(of: .timezoneEvents, by: "user_id", owners) {
      sink.add(try UncheckedTimezoneEvent.decode(&$0))
    }
    var schedules: [UUID] = []
    try forEachRow(of: .schedules, by: "medication_id", medications) { row in
      let schedule = try UncheckedSchedule.decode(&row)
      if sink.add(schedule) { schedules.append(schedule.id) }
    }
    try forEachRow(of: .scheduleAdjustments, by: "schedule_id", schedules) {
      sink.add(try UncheckedAdjustment.decode(&$0))
    }
    try readVersions(of: schedules, into: sink)
    try readEvaluatedDays(of: owners, into: sink)
    return medications
  }

  private func forEachRow(
    of table: InputTable, by column: String, _ ids: some Collection<UUID>,
    _ body: (inout ResultRow) throws -> Void
  ) throws {
    guard !ids.isEmpty else { return }
    let select = try select(of: table)
    _ = try self.rows(
      ReadingStatement.listMedicationRows, Parameters { $0.put(ids) },
      select.fillings(by: column)
    ) { row in try body(&row) }
  }

  private func select(of table: InputTable) throws -> MedicationSelect {
    if let known = medicationSelects[table.name] { return known }
    let select = try mappingErrors {
      try MedicationSelect(table, on: connection, database: database)
    }
    medicationSelects[table.name] = select
    return select
  }

  private func readVersions(of schedules: [UUID], into sink: some MedicationRowSink) throws {
    _ = try self.rows(
      ReadingStatement.listScheduleVersions, Parameters { $0.put(schedules) }
    ) { try ScheduleVersionRow.send(&$0, to: sink) }
  }

  private func readEvaluatedDays(of persons: Set<UUID>, into sink: some MedicationRowSink) throws {
    _ = try self.rows(
      ReadingStatement.listLastEvaluatedDays, Parameters { $0.put(persons) }
    ) { row in
      let person = try row.uuid()
      sink.addEvaluatedDay(try row.day(), of: person)
    }
  }

  func readDoses(
    of medications: [UUID], from firsts: [Timestamp], through last: Timestamp,
    into sink: inout some DoseRowSink
  ) throws {
    guard !medications.isEmpty else { return }
    let doses = try DoseSelect(select(of: .doseHistory))
    try mappingErrors {
      let way =
        try doseWay
        ?? doses.cheapestWay(for: medications, from: firsts, through: last, on: connection)
      doseWay = way
      var parser = DoseRowParser(database: database)
      let statement = connection.statements.statement(
        way.copying, doses.fillings(medications: medications, from: firsts, through: last))
      try connection.copyOut(statement) { try parser.parse($0, into: &sink) }
    }
  }
}
