import VigilModel

/// The rows of a block grouped by their owners, in an order that does not depend on the order in
/// which they were added.
struct BlockOrder {
  /// Medications by person, then id; those of person `p` are at
  /// `personStarts[p]..<personStarts[p + 1]`.
  private(set) var medications: [Int32] = []
  private(set) var personStarts: [Int] = []
  /// Schedules by medication, then id.
  private(set) var schedules: [Int32] = []
  private(set) var scheduleStarts: [Int] = []
  /// By schedule: its index among those of its medication.
  private(set) var scheduleRanks: [Int32] = []
  /// Records by medication, as they were added.
  private(set) var records: [Int32] = []
  private(set) var recordStarts: [Int] = []

  init(_ block: MedicationBlock) {
    (medications, personStarts) = Self.group(
      block.medications.count, into: block.persons.count,
      by: { Int(block.medications[$0].person) })
    sort(&medications, within: personStarts) {
      block.medications[Int($0)].row.id < block.medications[Int($1)].row.id
    }
    (schedules, scheduleStarts) = Self.group(
      block.schedules.count, into: block.medications.count,
      by: { Int(block.schedules[$0].medication) })
    sort(&schedules, within: scheduleStarts) {
      block.schedules[Int($0)].row.id < block.schedules[Int($1)].row.id
    }
    scheduleRanks = Array(repeating: 0, count: schedules.count)
    for medication in block.medications.indices {
      let start = scheduleStarts[medication]
      for position in start..<scheduleStarts[medication + 1] {
        scheduleRanks[Int(schedules[position])] = Int32(position - start)
      }
    }
    (records, recordStarts) = Self.group(
      block.records.count, into: block.medications.count,
      by: { Int(block.records[$0].medication) })
  }

  /// Indices by group, and the start of each group; counts the members, then places them.
  private static func group(
    _ count: Int, into groups: Int, by group: (Int) -> Int
  ) -> (order: [Int32], starts: [Int]) {
    var starts = Array(repeating: 0, count: groups + 1)
    for index in 0..<count { starts[group(index) + 1] += 1 }
    for index in 0..<groups { starts[index + 1] += starts[index] }
    var next = starts
    var order = [Int32](repeating: 0, count: count)
    for index in 0..<count {
      let group = group(index)
      order[next[group]] = Int32(index)
      next[group] += 1
    }
    return (order, starts)
  }

  private func sort(
    _ order: inout [Int32], within starts: [Int], by isBefore: (Int32, Int32) -> Bool
  ) {
    for group in 0..<(starts.count - 1) where starts[group + 1] - starts[group] > 1 {
      order[starts[group]..<starts[group + 1]].sort(by: isBefore)
    }
  }
}
