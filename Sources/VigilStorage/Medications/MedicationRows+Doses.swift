public import Foundation
import VigilAdherence
public import VigilModel

extension MedicationRows {
  /// One row of `dose_history` as it comes; its bytes are good during the call only.
  public struct DoseRow {
    public var id: UUID
    public var medication: UUID
    public var schedule: UUID?
    public var status: UnsafeRawBufferPointer
    public var scheduledTime: Timestamp?
    public var actualTime: Timestamp?
    public var zone: UnsafeRawBufferPointer
    public var createdAt: Timestamp?

    public init(
      id: UUID, medication: UUID, schedule: UUID?, status: UnsafeRawBufferPointer,
      scheduledTime: Timestamp?, actualTime: Timestamp?, zone: UnsafeRawBufferPointer,
      createdAt: Timestamp?
    ) {
      self.id = id
      self.medication = medication
      self.schedule = schedule
      self.status = status
      self.scheduledTime = scheduledTime
      self.actualTime = actualTime
      self.zone = zone
      self.createdAt = createdAt
    }
  }

  private static let allStatuses = DoseRecord.Status.allCases

  /// Takes a dose, or passes over it.
  ///
  /// - Complexity: O(1); rows of one medication, status and zone after the other are the fastest.
  public func addDose(_ row: DoseRow) {
    doseCount += 1
    let status = statuses.index(of: row.status) { name in
      Self.allStatuses.firstIndex { $0.rawValue == name } ?? -1
    }
    guard status >= 0 else { return passOver(row, .impossibleValue) }
    let zone = zoneNames.index(of: row.zone) { zones.id(of: $0).map { Int($0.rawValue) } ?? -1 }
    guard zone >= 0 else { return passOver(row, .unknownTimezone) }
    if let actual = row.actualTime {
      guard actual <= evaluatedAt else { return passOver(row, .futureTime) }
    } else if Self.allStatuses[status] == .taken {
      return passOver(row, .takenWithoutTime)
    }
    guard row.scheduledTime != nil || row.actualTime != nil else { return }
    let record = DoseRecord(
      id: row.id, medication: row.medication, schedule: row.schedule,
      status: Self.allStatuses[status], scheduledTime: row.scheduledTime,
      actualTime: row.actualTime, recordedZone: ZoneID(rawValue: UInt16(zone)),
      createdAt: row.createdAt ?? Timestamp(microseconds: 0))
    guard block.add(record) else {
      if let schedule = row.schedule, !isUnusable(schedule: schedule) {
        passOver(row, .unknownSchedule)
      }
      return
    }
    mix(record, status)
  }

  private func passOver(_ row: DoseRow, _ reason: UnusableRow.Reason) {
    unusable.addRow(of: InputTable.doseHistory.name, reason, key: [row.id.lowercased])
  }

  /// A sum over rows, because they come in any order.
  private func mix(_ record: DoseRecord, _ status: Int) {
    func halves(_ id: UUID) -> (UInt64, UInt64) {
      withUnsafeBytes(of: id.uuid) {
        ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
    }
    func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let (high, low) = left.multipliedFullWidth(by: right)
      return high ^ low
    }
    func bits(_ time: Timestamp?) -> UInt64 {
      UInt64(bitPattern: time?.microseconds ?? .min)
    }
    let id = halves(record.id)
    var hash = folded(id.0 ^ 0xA076_1D64_78BD_642F, id.1 ^ 0xE703_7ED1_A0B4_28DB)
    hash = folded(hash ^ bits(record.scheduledTime), 0x9E37_79B9_7F4A_7C15)
    hash = folded(hash ^ bits(record.actualTime), 0xD1B5_4A32_D192_ED03)
    let schedule = record.schedule.map { halves($0).1 } ?? 0
    digestSum &+= folded(
      hash ^ bits(record.createdAt), 0xA076_1D64_78BD_642F ^ schedule ^ UInt64(status) << 1)
  }
}
