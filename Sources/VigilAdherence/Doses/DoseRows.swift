/// The records of one medication in the form that matching needs: in order of time, each once.
struct DoseRows {
  /// A record, which is the last of its versions.
  struct Entry: BitwiseCopyable {
    /// `scheduled_time` or, without one, `actual_time`.
    var key: Int64
    var created: Int64
    /// Index of its schedule among those of the medication, `noSchedule` for none.
    var schedule: Int32
    /// Index in the block.
    var record: Int32
    var isScheduled: Bool
  }

  static let noSchedule = Int32.max

  private(set) var entries: [Entry] = []

  /// Takes the records of one medication; where rows are versions of one record, the last one.
  ///
  /// - Parameters:
  ///   - indices: Of the records in `block`.
  ///   - ranks: By schedule of the block.
  ///   - counts: By rank, whether the schedule counts; rows of one that does not are left out.
  mutating func load(
    _ indices: ArraySlice<Int32>, of block: MedicationBlock, ranks: [Int32], counts: [Bool]
  ) {
    entries.removeAll(keepingCapacity: true)
    let records = block.records
    var isSorted = true
    for index in indices {
      let record = records[Int(index)]
      var rank = Self.noSchedule
      if record.schedule >= 0 {
        rank = ranks[Int(record.schedule)]
        guard counts[Int(rank)] else { continue }
      }
      let isScheduled = record.scheduled != MedicationBlock.Record.noTime
      let entry = Entry(
        key: isScheduled ? record.scheduled : record.actual, created: record.created,
        schedule: rank, record: index, isScheduled: isScheduled)
      if isSorted, let last = entries.last, !Self.isBefore(last, entry, records) {
        isSorted = false
      }
      entries.append(entry)
    }
    if !isSorted { entries.sort { Self.isBefore($0, $1, records) } }
    keepLastVersions()
  }

  /// Orders by time, then kind and schedule; versions of one record in the order of logging.
  @inline(__always)
  private static func isBefore(
    _ left: Entry, _ right: Entry, _ records: [MedicationBlock.Record]
  ) -> Bool {
    if left.key != right.key { return left.key < right.key }
    if left.isScheduled != right.isScheduled { return left.isScheduled }
    if left.schedule != right.schedule { return left.schedule < right.schedule }
    if left.created != right.created { return left.created < right.created }
    return records[Int(left.record)].id < records[Int(right.record)].id
  }

  private mutating func keepLastVersions() {
    var count = 0
    for index in entries.indices {
      let entry = entries[index]
      if count > 0 {
        let last = entries[count - 1]
        if last.key == entry.key, last.isScheduled == entry.isScheduled,
          last.schedule == entry.schedule
        {
          count -= 1
        }
      }
      entries[count] = entry
      count += 1
    }
    entries.removeSubrange(count...)
  }

  /// Removes the entries for which `isTaken` is true from the list.
  mutating func remove(where isTaken: (Entry) -> Bool) {
    entries.removeAll(where: isTaken)
  }
}
