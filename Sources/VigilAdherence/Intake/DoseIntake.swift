import VigilModel

/// Takes the doses of a batch as a reader finds them; notes those that cannot be used.
public struct DoseIntake {
  /// Rows that were read.
  private(set) var rowCount = 0
  /// The sum of the hashes of the rows that were taken: they come in any order.
  private(set) var digest: UInt64 = 0
  private var unusable = UnusableRows()

  private let zones: ZoneCatalog
  private var statuses = SourceIndexes()
  private var zoneNames = SourceIndexes()
  private var records = RecordTable()
  private var unusableSchedules: Set<UUID> = []
  /// The instant after which nothing can have happened.
  private var evaluatedAt = Timestamp(microseconds: 0)

  init(zones: ZoneCatalog) {
    self.zones = zones
  }

  mutating func begin(evaluatedAt: Timestamp) {
    rowCount = 0
    digest = 0
    unusable = UnusableRows()
    self.evaluatedAt = evaluatedAt
  }

  /// Adds to the records of a block what `body` adds.
  mutating func fill(
    _ block: MedicationBlock, unusableSchedules: Set<UUID>,
    _ body: (inout DoseIntake) throws -> Void
  ) rethrows {
    self.unusableSchedules = unusableSchedules
    try block.withRecords { records in
      swap(&self.records, &records)
      defer { swap(&self.records, &records) }
      try body(&self)
    }
  }

  /// Gives the rows that cannot be used, of those added since the last call.
  mutating func takeUnusable() -> UnusableRows {
    defer { unusable = UnusableRows() }
    return unusable
  }

  private static let allStatuses = DoseRecord.Status.allCases

  /// Takes a dose, or notes why it cannot be used.
  ///
  /// - Complexity: O(1); rows of one medication, status and zone after the other are the fastest.
  public mutating func add(_ row: UncheckedDose) {
    rowCount += 1
    let status = statuses.index(of: row.status) { name in
      Self.allStatuses.firstIndex { $0.rawValue == name } ?? -1
    }
    guard status >= 0 else { return refuse(row, .impossibleValue) }
    let zone = zoneNames.index(of: row.zone) { name in
      zones.id(of: name).map { Int($0.rawValue) } ?? -1
    }
    guard zone >= 0 else { return refuse(row, .unknownTimezone) }
    if let actual = row.actualTime {
      guard actual <= evaluatedAt else { return refuse(row, .futureTime) }
    } else if Self.allStatuses[status] == .taken {
      return refuse(row, .takenWithoutTime)
    }
    guard row.scheduledTime != nil || row.actualTime != nil else { return }
    let record = DoseRecord(
      id: row.id, medication: row.medication, schedule: row.schedule,
      status: Self.allStatuses[status], scheduledTime: row.scheduledTime,
      actualTime: row.actualTime, recordedZone: ZoneID(rawValue: UInt16(zone)),
      createdAt: row.createdAt ?? Timestamp(microseconds: 0))
    guard records.add(record) else {
      // The schedule of a dose may itself be unusable; then it is listed, and its doses are not.
      if let schedule = row.schedule, !unusableSchedules.contains(schedule) {
        refuse(row, .unknownSchedule)
      }
      return
    }
    digest &+= Self.hash(of: record, status)
  }

  private mutating func refuse(_ row: UncheckedDose, _ reason: UnusableRow.Reason) {
    unusable.addRow(of: UncheckedDose.table, reason, key: [row.id.lowercased])
  }

  private static func hash(of record: DoseRecord, _ status: Int) -> UInt64 {
    func bits(_ time: Timestamp?) -> UInt64 {
      UInt64(bitPattern: time?.microseconds ?? .min)
    }
    var hash = StableHash()
    hash.combine(record.id)
    hash.combine(bits(record.scheduledTime))
    hash.combine(bits(record.actualTime))
    hash.combine(bits(record.createdAt))
    hash.combine((record.schedule?.words.1 ?? 0) ^ UInt64(status))
    return hash.value
  }
}
