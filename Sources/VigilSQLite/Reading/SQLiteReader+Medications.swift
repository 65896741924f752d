import Foundation
import GRDB
import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteReader {
  func readMedications(
    of persons: [UUID], doses times: ClosedRange<Timestamp>, into rows: MedicationRows
  ) throws {
    try read { db in
      let medications = try MedicationQuery(.medications, by: "user_id", on: db, file: file)
      let schedules = try MedicationQuery(.schedules, by: "medication_id", on: db, file: file)
      let events = try MedicationQuery(.timezoneEvents, by: "user_id", on: db, file: file)
      let adjustments = try MedicationQuery(
        .scheduleAdjustments, by: "schedule_id", on: db, file: file)
      let versions = try MedicationQuery(
        RawStatement(ReadingStatement.listScheduleVersions, on: db), of: ScheduleVersionRow.table,
        file: file)
      let doses = try DoseQuery(on: db, times: times)
      let evaluated = try RawStatement(ReadingStatement.findLastEvaluatedDay, on: db)
      for person in persons {
        var ids: [UUID] = []
        try medications.forEachRow(of: person) { row in
          var id = row
          ids.append(try id.uuid())
          try rows.addMedication(row)
        }
        guard !ids.isEmpty else { continue }
        try events.forEachRow(of: person) { try rows.addEvent($0) }
        evaluated.bind(person, at: 1)
        try evaluated.forEachRow { row in
          guard !row.isNull(0) else { return }
          var row = RowDecoder(row, of: DoseAnalyticsRow.table, in: file)
          rows.addEvaluatedDay(try row.day(), of: person)
        }
        for id in ids {
          let before = rows.schedules.count
          try schedules.forEachRow(of: id) { try rows.addSchedule($0) }
          for schedule in rows.schedules[before...] {
            try adjustments.forEachRow(of: schedule.id) { try rows.addAdjustment($0) }
            try versions.forEachRow(of: schedule.id) { try rows.addVersion($0) }
          }
          try doses.read(of: id, into: rows)
        }
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

  func forEachRow(of id: UUID, _ body: (RowDecoder) throws -> Void) throws {
    statement.bind(id, at: 1)
    try statement.forEachRow { try body(RowDecoder($0, of: table, in: file)) }
  }
}

/// The doses of one medication.
struct DoseQuery {
  private let statement: RawStatement

  init(on db: Database, times: ClosedRange<Timestamp>) throws {
    statement = try RawStatement(ReadingStatement.listDoses, Self.fillings, on: db)
    DoseSearch(times: times).bind(to: statement, from: 2)
  }

  static var fillings: SQLFillings {
    ["dose_columns": .names(InputTable.doseHistory.columnsOfRuns.map(\.name))]
  }

  func read(of medication: UUID, into rows: MedicationRows) throws {
    statement.bind(medication, at: 1)
    try rows.addDoses { doses in
      try statement.forEachRow { row in
        // A constraint of the table sees to the form of ids.
        guard let id = UUID(utf8: row.utf8(0)) else { return }
        doses.add(
          DoseIntake.Row(
            id: id, medication: medication, schedule: UUID(utf8: row.utf8(2)),
            status: UnsafeRawBufferPointer(row.utf8(3)),
            scheduledTime: Timestamp(utf8: row.utf8(4)), actualTime: Timestamp(utf8: row.utf8(5)),
            zone: UnsafeRawBufferPointer(row.utf8(6)), createdAt: Timestamp(utf8: row.utf8(7))))
      }
    }
  }
}
