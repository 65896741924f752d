import Foundation
import GRDB
import VigilAdherence
import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteReader {
  func readMedications(of persons: [UUID], into sink: some MedicationRowSink) throws -> [UUID] {
    try read { db in
      var found: [UUID] = []
      let medications = try MedicationQuery(.medications, by: "user_id", on: db, file: file)
      let schedules = try MedicationQuery(.schedules, by: "medication_id", on: db, file: file)
      let events = try MedicationQuery(.timezoneEvents, by: "user_id", on: db, file: file)
      let adjustments = try MedicationQuery(
        .scheduleAdjustments, by: "schedule_id", on: db, file: file)
      let versions = try MedicationQuery(
        RawStatement(ReadingStatement.listScheduleVersions, on: db), of: ScheduleVersionRow.table,
        file: file)
      let evaluated = try RawStatement(ReadingStatement.findLastEvaluatedDay, on: db)
      for person in persons {
        var ids: [UUID] = []
        try medications.forEachRow(of: person) { row in
          let medication = try UncheckedMedication.decode(&row)
          ids.append(medication.id)
          sink.add(medication)
        }
        guard !ids.isEmpty else { continue }
        try events.forEachRow(of: person) { sink.add(try UncheckedTimezoneEvent.decode(&$0)) }
        evaluated.bind(person, at: 1)
        try evaluated.forEachRow { row in
          guard !row.isNull(0) else { return }
          var row = RowDecoder(row, of: DoseAnalyticsRow.table, in: file)
          sink.addEvaluatedDay(try row.day(), of: person)
        }
        for id in ids {
          var used: [UUID] = []
          try schedules.forEachRow(of: id) { row in
            let schedule = try UncheckedSchedule.decode(&row)
            if sink.add(schedule) { used.append(schedule.id) }
          }
          for schedule in used {
            try adjustments.forEachRow(of: schedule) {
              sink.add(try UncheckedAdjustment.decode(&$0))
            }
            try versions.forEachRow(of: schedule) { try ScheduleVersionRow.send(&$0, to: sink) }
          }
        }
        found += ids
      }
      return found
    }
  }

  func readDoses(
    of medications: [UUID], from firsts: [Timestamp], through last: Timestamp,
    into sink: inout some DoseRowSink
  ) throws {
    try read { db in
      let doses = try DoseQuery(on: db)
      for (medication, first) in zip(medications, firsts) where first <= last {
        try doses.read(of: medication, first...last, into: &sink)
      }
    }
  }
}

/// The rows of one table that belong to one id.
private struct MedicationQuery {
  private let statement: RawStatement
  private let table: String
  private let file: DatabaseFile

  init(_ table: InputTable, by column: String, on db: Database, file: DatabaseFile) throws {
    let columns = table.columnsOfRuns.map(\.name)
    let fillings: SQLFillings = [
      "columns": .names(columns), "table": .name(table.name), "key": .name(column),
    ]
    try self.init(
      RawStatement(ReadingStatement.listMedicationRows, fillings, on: db), of: table.name,
      file: file)
  }

  /// - Parameter statement: Its parameter is the id.
  init(_ statement: RawStatement, of table: String, file: DatabaseFile) {
    self.statement = statement
    self.table = table
    self.file = file
  }

  func forEachRow(of id: UUID, _ body: (inout RowDecoder) throws -> Void) throws {
    statement.bind(id, at: 1)
    try statement.forEachRow { row in
      var decoder = RowDecoder(row, of: table, in: file)
      try body(&decoder)
    }
  }
}

/// The doses of one medication.
struct DoseQuery {
  private let statement: RawStatement

  init(on db: Database) throws {
    statement = try RawStatement(ReadingStatement.listDoses, Self.fillings, on: db)
  }

  static var fillings: SQLFillings {
    ["dose_columns": .names(InputTable.doseHistory.columnsOfRuns.map(\.name))]
  }

  func read(
    of medication: UUID, _ times: ClosedRange<Timestamp>, into sink: inout some DoseRowSink
  ) throws {
    statement.bind(medication, at: 1)
    DoseSearch(times: times).bind(to: statement, from: 2)
    try statement.forEachRow { row in
      // A constraint of the table sees to the form of ids.
      guard let id = UUID(utf8: row.utf8(0)) else { return }
      sink.add(
        UncheckedDose(
          id: id, medication: medication, schedule: UUID(utf8: row.utf8(2)),
          status: UnsafeRawBufferPointer(row.utf8(3)),
          scheduledTime: Timestamp(utf8: row.utf8(4)), actualTime: Timestamp(utf8: row.utf8(5)),
          zone: UnsafeRawBufferPointer(row.utf8(6)), createdAt: Timestamp(utf8: row.utf8(7))))
    }
  }
}
