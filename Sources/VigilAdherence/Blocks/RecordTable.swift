import VigilModel

/// The dose records of a block, with the indices of their medications and schedules.
///
/// One value holds all memory that a record touches, because a run adds millions of them.
struct RecordTable {
  private(set) var records: [MedicationBlock.Record] = []
  private var medicationIndices: [UUID: Int32] = [:]
  private var scheduleIndices: [UUID: Int32] = [:]
  /// By schedule.
  private var scheduleMedications: [Int32] = []
  private var lastMedication: (id: UUID, index: Int32)?
  private var lastSchedule: (id: UUID, index: Int32)?

  init() {}

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    medicationIndices.removeAll(keepingCapacity: true)
    scheduleIndices.removeAll(keepingCapacity: true)
    scheduleMedications.removeAll(keepingCapacity: true)
    lastMedication = nil
    lastSchedule = nil
  }

  // MARK: Owners of records

  /// Returns false where the block has it already.
  mutating func add(medication id: UUID, index: Int) -> Bool {
    guard medicationIndices[id] == nil else { return false }
    medicationIndices[id] = Int32(index)
    return true
  }

  /// Returns false where the block has it already.
  mutating func add(schedule id: UUID, of medication: Int32) -> Bool {
    guard scheduleIndices[id] == nil else { return false }
    scheduleIndices[id] = Int32(scheduleMedications.count)
    scheduleMedications.append(medication)
    return true
  }

  var medicationCount: Int { medicationIndices.count }
  var scheduleCount: Int { scheduleMedications.count }

  func medication(ofSchedule schedule: Int32) -> Int32 { scheduleMedications[Int(schedule)] }

  mutating func index(ofMedication id: UUID) -> Int32? {
    if let lastMedication, lastMedication.id == id { return lastMedication.index }
    guard let index = medicationIndices[id] else { return nil }
    lastMedication = (id, index)
    return index
  }

  mutating func index(ofSchedule id: UUID) -> Int32? {
    if let lastSchedule, lastSchedule.id == id { return lastSchedule.index }
    guard let index = scheduleIndices[id] else { return nil }
    lastSchedule = (id, index)
    return index
  }

  // MARK: Records

  /// Adds a record; one without any time, or whose owner is not in the block, is left out.
  ///
  /// - Complexity: O(1); records of one medication one after the other are the fastest.
  mutating func add(_ record: DoseRecord) -> Bool {
    guard let medication = index(ofMedication: record.medication),
      record.scheduledTime != nil || record.actualTime != nil
    else { return false }
    var schedule: Int32 = -1
    if let id = record.schedule {
      guard let index = index(ofSchedule: id), scheduleMedications[Int(index)] == medication else {
        return false
      }
      schedule = index
    }
    typealias Record = MedicationBlock.Record
    records.append(
      Record(
        id: record.id, created: record.createdAt.microseconds,
        scheduled: record.scheduledTime?.microseconds ?? Record.noTime,
        actual: record.actualTime?.microseconds ?? Record.noTime, medication: medication,
        schedule: schedule, zone: record.recordedZone, status: record.status))
    return true
  }
}

extension MedicationBlock {
  /// A dose record as it is stored: times in microseconds, `noTime` where there is none.
  struct Record {
    var id: UUID
    var created: Int64
    var scheduled: Int64
    var actual: Int64
    var medication: Int32
    /// -1 where the row names none.
    var schedule: Int32
    var zone: ZoneID
    var status: DoseRecord.Status

    static let noTime = Int64.min

    /// Whether the row was logged before `other`.
    func isBefore(_ other: Record) -> Bool {
      created != other.created ? created < other.created : id < other.id
    }
  }
}
