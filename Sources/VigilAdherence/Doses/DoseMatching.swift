import VigilModel

/// Finds the record of each expected dose of one medication (specification, adherence.md
/// section 2).
struct DoseMatching {
  /// Entries at whose time no dose of their schedule is due.
  private var rest: [DoseRows.Entry] = []
  /// Indices of records that belong to no dose.
  private(set) var unmatched: [Int32] = []

  /// 12 hours, in microseconds.
  private static let reach: Int64 = 12 * 3_600_000_000

  /// Sets `record` of each dose.
  ///
  /// - Parameters:
  ///   - doses: In order of time, without a record.
  ///   - entries: In order of time, the records without a schedule behind those with one.
  /// - Complexity: O(doses + records), where doses of one time are few.
  mutating func match(
    _ doses: inout [ExpectedDose], with entries: [DoseRows.Entry],
    records: [MedicationBlock.Record]
  ) {
    rest.removeAll(keepingCapacity: true)
    unmatched.removeAll(keepingCapacity: true)
    doses.withUnsafeMutableBufferPointer { doses in
      entries.withUnsafeBufferPointer { entries in
        records.withUnsafeBufferPointer { records in
          matchSameTime(doses, entries, records)
          if !rest.isEmpty {
            claimNearest(doses, records)
            settleClaims(doses, records)
          }
        }
      }
    }
  }

  // MARK: Doses of the same time

  private mutating func matchSameTime(
    _ doses: UnsafeMutableBufferPointer<ExpectedDose>,
    _ entries: UnsafeBufferPointer<DoseRows.Entry>,
    _ records: UnsafeBufferPointer<MedicationBlock.Record>
  ) {
    var first = 0
    for entry in entries {
      guard entry.isScheduled else {
        rest.append(entry)
        continue
      }
      while first < doses.count, doses[first].instant < entry.key { first += 1 }
      var dose = first
      var found = false
      // A record without schedule goes to a dose that has none or, if all have, to one whose record
      // is older.
      var older = -1
      while dose < doses.count, doses[dose].instant == entry.key {
        if doses[dose].schedule == entry.schedule || entry.schedule == DoseRows.noSchedule {
          found = true
          if doses[dose].record < 0 {
            doses[dose].record = entry.record
            older = -1
            break
          }
          if older < 0,
            records[Int(doses[dose].record)].isBefore(records[Int(entry.record)])
          {
            older = dose
          }
        }
        dose += 1
      }
      if older >= 0 { doses[older].record = entry.record }
      if !found { rest.append(entry) }
    }
  }

  // MARK: Nearest doses

  private func isFree(
    _ dose: ExpectedDose, _ records: UnsafeBufferPointer<MedicationBlock.Record>
  ) -> Bool {
    dose.record < 0 || records[Int(dose.record)].status == .missed
  }

  private mutating func claimNearest(
    _ doses: UnsafeMutableBufferPointer<ExpectedDose>,
    _ records: UnsafeBufferPointer<MedicationBlock.Record>
  ) {
    var next = 0
    for entry in rest {
      while next < doses.count, doses[next].instant < entry.key { next += 1 }
      guard let dose = nearestDose(to: entry, in: doses, around: next, records),
        isFree(doses[dose], records)
      else {
        unmatched.append(entry.record)
        continue
      }
      let rival = doses[dose].claim
      if rival < 0 {
        doses[dose].claim = entry.record
      } else if isBetter(entry.record, than: rival, for: doses[dose], records) {
        doses[dose].claim = entry.record
        unmatched.append(rival)
      } else {
        unmatched.append(entry.record)
      }
    }
  }

  /// The nearest dose that an entry may belong to; of two equally near the earlier, of those of one
  /// time the first that is free.
  private func nearestDose(
    to entry: DoseRows.Entry, in doses: UnsafeMutableBufferPointer<ExpectedDose>,
    around next: Int, _ records: UnsafeBufferPointer<MedicationBlock.Record>
  ) -> Int? {
    func belongs(_ dose: Int) -> Bool {
      entry.schedule == DoseRows.noSchedule || doses[dose].schedule == entry.schedule
    }
    var nearest: Int?
    var before = next - 1
    while before >= 0, entry.key - doses[before].instant <= Self.reach {
      if belongs(before) {
        nearest = before
        break
      }
      before -= 1
    }
    var after = next
    let limit = nearest.map { entry.key - doses[$0].instant - 1 } ?? Self.reach
    while after < doses.count, doses[after].instant - entry.key <= limit {
      if belongs(after) {
        nearest = after
        break
      }
      after += 1
    }
    guard let nearest, entry.schedule == DoseRows.noSchedule else { return nearest }
    var first = nearest
    while first > 0, doses[first - 1].instant == doses[nearest].instant { first -= 1 }
    var dose = first
    while dose < doses.count, doses[dose].instant == doses[nearest].instant {
      if isFree(doses[dose], records) { return dose }
      dose += 1
    }
    return first
  }

  /// Whether a record has a better claim to a dose: it is nearer or, equally near, was logged
  /// first.
  private func isBetter(
    _ record: Int32, than rival: Int32, for dose: ExpectedDose,
    _ records: UnsafeBufferPointer<MedicationBlock.Record>
  ) -> Bool {
    let (record, rival) = (records[Int(record)], records[Int(rival)])
    func distance(_ record: MedicationBlock.Record) -> Int64 {
      let isScheduled = record.scheduled != MedicationBlock.Record.noTime
      return abs((isScheduled ? record.scheduled : record.actual) - dose.instant)
    }
    return distance(record) != distance(rival)
      ? distance(record) < distance(rival) : record.isBefore(rival)
  }

  private func settleClaims(
    _ doses: UnsafeMutableBufferPointer<ExpectedDose>,
    _ records: UnsafeBufferPointer<MedicationBlock.Record>
  ) {
    for index in doses.indices where doses[index].claim >= 0 {
      doses[index].record = doses[index].claim
    }
  }
}
