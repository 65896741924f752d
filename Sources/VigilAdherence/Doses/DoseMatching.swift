import VigilModel

/// Finds the record of each expected dose of one medication (specification, adherence.md
/// section 2).
struct DoseMatching {
  /// Entries at whose time no dose of their schedule is due.
  private var loose: [DoseRows.Entry] = []
  /// Indices of records that belong to no dose.
  private(set) var unmatched: [Int32] = []

  private var assignment = DoseAssignment()
  /// The line that is assigned: its doses and their indices, its records and theirs.
  private var line: [DoseAssignment.Dose] = []
  private var lineDoses: [Int] = []
  private var lineRecords: [DoseAssignment.Record] = []
  private var lineEntries: [DoseRows.Entry] = []

  /// Gives each dose the record that names its time, and collects the others.
  ///
  /// - Parameters:
  ///   - doses: In order of time, without a record.
  ///   - entries: In order of time, the records without a schedule behind those with one.
  /// - Returns: Whether there are loose records, which have to be assigned.
  /// - Complexity: O(doses + records), where doses of one time are few.
  mutating func matchSameTime(
    _ doses: inout [ExpectedDose], with entries: [DoseRows.Entry],
    records: [MedicationBlock.Record]
  ) -> Bool {
    loose.removeAll(keepingCapacity: true)
    unmatched.removeAll(keepingCapacity: true)
    doses.withUnsafeMutableBufferPointer { doses in
      entries.withUnsafeBufferPointer { entries in
        records.withUnsafeBufferPointer { records in
          matchSameTime(doses, entries, records)
        }
      }
    }
    return !loose.isEmpty
  }

  private mutating func matchSameTime(
    _ doses: UnsafeMutableBufferPointer<ExpectedDose>,
    _ entries: UnsafeBufferPointer<DoseRows.Entry>,
    _ records: UnsafeBufferPointer<MedicationBlock.Record>
  ) {
    var first = 0
    for entry in entries {
      guard entry.isScheduled else {
        loose.append(entry)
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
      if !found { loose.append(entry) }
    }
  }

  // MARK: Loose records

  /// Assigns the loose records: those of each schedule among its doses; then those that could be of several
  /// schedules, among the doses that are still open.
  ///
  /// - Parameter expecting: By rank, whether a schedule expects doses at all.
  mutating func assignLoose(
    _ doses: inout [ExpectedDose], records: [MedicationBlock.Record], expecting: [Bool]
  ) {
    let ranks = expecting.indices.filter { expecting[$0] }
    for rank in ranks {
      let rank = Int32(rank)
      assign(&doses, records, among: { $0 == rank }) {
        $0 == rank || (ranks.count == 1 && $0 == DoseRows.noSchedule)
      }
    }
    if ranks.count > 1 {
      assign(&doses, records, among: { _ in true }) { $0 == DoseRows.noSchedule }
    }
    unmatched.append(contentsOf: loose.lazy.map(\.record))
    loose.removeAll(keepingCapacity: true)
  }

  /// Assigns the loose records of some schedules, which then are loose no more, among the doses of some schedules.
  private mutating func assign(
    _ doses: inout [ExpectedDose], _ records: [MedicationBlock.Record],
    among isInLine: (Int32) -> Bool, recordsOf isAssigned: (Int32) -> Bool
  ) {
    lineEntries.removeAll(keepingCapacity: true)
    for entry in loose where isAssigned(entry.schedule) { lineEntries.append(entry) }
    guard !lineEntries.isEmpty else { return }
    loose.removeAll { isAssigned($0.schedule) }
    lineEntries.sort { left, right in
      left.key != right.key
        ? left.key < right.key : records[Int(left.record)].isBefore(records[Int(right.record)])
    }
    lineRecords.removeAll(keepingCapacity: true)
    lineRecords.append(
      contentsOf: lineEntries.lazy.map {
        DoseAssignment.Record(
          time: $0.key, saysMissed: records[Int($0.record)].status == .missed)
      })
    line.removeAll(keepingCapacity: true)
    lineDoses.removeAll(keepingCapacity: true)
    for (index, dose) in doses.enumerated() where isInLine(dose.schedule) {
      lineDoses.append(index)
      line.append(
        DoseAssignment.Dose(
          instant: dose.instant, day: dose.day,
          isOpen: dose.record < 0 || records[Int(dose.record)].status == .missed))
    }
    assignment.assign(lineRecords, among: line)
    for (entry, place) in zip(lineEntries, assignment.doses) {
      if place < 0 {
        unmatched.append(entry.record)
      } else {
        doses[lineDoses[place]].record = entry.record
      }
    }
  }
}
