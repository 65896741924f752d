import VigilAdherence
import VigilModel

/// A row of the doses with numbers in the place of its texts.
struct StagedDose {
  var id: UUID
  var medication: UUID
  var schedule: UUID?
  var status: Int32
  var zone: Int32
  var scheduledTime: Timestamp?
  var actualTime: Timestamp?
  var createdAt: Timestamp?
}

/// The doses that are not evaluated yet.
struct StagedDoses {
  private(set) var rows: [StagedDose] = []
  /// Rows that were ever added.
  private var added = 0
  /// By number, the bytes of a status or zone.
  private var texts: [[UInt8]] = []
  private var numbers: [String: Int32] = [:]

  /// Takes a batch.
  ///
  /// - Throws: `Failure` with column and row; nothing is taken then.
  mutating func add(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "doses")
    let medications = try cells.required(
      ["medication_id", "medication"], "what was taken",
      cells.ids(["medication_id", "medication"]))
    let schedules = try cells.ids(["schedule_id", "schedule"])
    let statuses = try cells.required(
      ["status"], "taken, skipped, missed or plannedSkip", cells.texts(["status"]))
    let zones = try cells.required(
      ["recorded_timezone", "timezone"], "the time zone where the dose was recorded",
      cells.texts(["recorded_timezone", "timezone"]))
    let scheduled = try cells.instants(["scheduled_time"])
    let actual = try cells.instants(["actual_time"])
    let created = try cells.instants(["created_at"])
    let ids = try cells.ids(["id"])
    rows.reserveCapacity(rows.count + batch.count)
    for row in 0..<batch.count {
      added += 1
      rows.append(
        StagedDose(
          // A row without an id has one by its number, so that later rows of one dose count.
          id: ids[row] ?? Self.id(ofRow: added), medication: medications[row],
          schedule: schedules[row], status: number(of: statuses[row]), zone: number(of: zones[row]),
          scheduledTime: scheduled[row], actualTime: actual[row], createdAt: created[row]))
    }
  }

  private static func id(ofRow row: Int) -> UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { target in
      target.storeBytes(of: UInt64(row).bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }

  private mutating func number(of text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let number = Int32(texts.count)
    texts.append(Array(text.utf8))
    numbers[text] = number
    return number
  }

  /// Adds some rows to the doses of a batch of persons.
  func add(_ selected: [Int32], to intake: inout DoseIntake) {
    for index in selected {
      let row = rows[Int(index)]
      texts[Int(row.status)].withUnsafeBytes { status in
        texts[Int(row.zone)].withUnsafeBytes { zone in
          intake.add(
            UncheckedDose(
              id: row.id, medication: row.medication, schedule: row.schedule, status: status,
              scheduledTime: row.scheduledTime, actualTime: row.actualTime, zone: zone,
              createdAt: row.createdAt))
        }
      }
    }
  }

  mutating func remove(of medications: Set<UUID>) {
    rows.removeAll { medications.contains($0.medication) }
  }

  mutating func removeAll() {
    rows.removeAll()
  }
}
