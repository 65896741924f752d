import Foundation
import VigilModel

/// Reads the rows of a pill bottle's export.
final class PillBottleRows {
  static let required = [
    "Patient_UID", "Medication", "Status", "Deadline_UTC", "Dose_Date_UTC", "Time_Recorded_UTC",
    "Patient_Timezone",
  ]

  private let columns: PublishedColumns
  private let now: Timestamp

  /// - Parameter now: The time of the import; a bottle cannot have been opened later.
  init(columns: PublishedColumns, now: Timestamp) {
    self.columns = columns
    self.now = now
  }

  func dose(in row: CSVRow) throws(RowProblem) -> PillBottleDose {
    if let problem = row.problem { throw RowProblem(reason: problem.description) }
    let person = try columns.person("Patient_UID", of: row, prefix: AdhereTechImport.idPrefix)
    let medication = try columns.required("Medication", of: row) { parser, bytes throws(Refusal) in
      try parser.text(bytes)
    }
    let status = try columns.required("Status", of: row) { _, bytes throws(Refusal) in
      try PillBottleDose.Status(bytes)
    }
    let day = try columns.required("Dose_Date_UTC", of: row) { parser, bytes throws(Refusal) in
      try parser.americanDay(bytes)
    }
    let time = try columns.required("Deadline_UTC", of: row) { parser, bytes throws(Refusal) in
      try parser.shortTimeOfDay(bytes)
    }
    let recorded = try columns.optional("Time_Recorded_UTC", of: row) {
      parser, bytes throws(Refusal) in
      let time = try parser.americanTime(bytes)
      guard time <= now else { throw Refusal("in the future") }
      return time
    }
    if recorded == nil, status.recorded == .taken {
      throw RowProblem(column: "Time_Recorded_UTC", reason: "missing, but taken")
    }
    let zone = try columns.required("Patient_Timezone", of: row) {
      parser, bytes throws(Refusal) in
      let name = try parser.text(bytes)
      return (name: name, rules: try parser.zoneRules(of: name))
    }
    let deadline = day.midnight.adding(seconds: Int64(time.minutes) * 60)
    return PillBottleDose(
      person: person, medication: medication, status: status, deadline: deadline,
      recorded: recorded,
      local: PillBottleDose.LocalTime(deadline, in: zone.rules, named: zone.name), line: row.line)
  }
}

extension PillBottleDose.Status {
  fileprivate init(_ bytes: FieldParser.Bytes) throws(Refusal) {
    guard let status = Self(rawValue: String(decoding: bytes, as: UTF8.self)) else {
      throw Refusal("not one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self = status
  }
}
