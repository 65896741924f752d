import VigilModel

/// The doses of one medication that were taken as needed, and which of them are overuse
/// (specification, adherence.md sections 1 and 2).
struct AsNeededDoses {
  struct Dose {
    var record: Int32
    var actual: Int64
    /// The limits of its schedule; for a record without a schedule, all limits of the medication.
    var minInterval: Int64
    var maxPerDay: Int
    var isOveruse = false
  }

  private(set) var doses: [Dose] = []

  /// 24 hours, in microseconds.
  private static let day: Int64 = 86_400_000_000

  mutating func removeAll() { doses.removeAll(keepingCapacity: true) }

  mutating func append(
    _ record: Int32, actual: Int64, limits: [Schedule.Timing]
  ) {
    var dose = Dose(record: record, actual: actual, minInterval: 0, maxPerDay: .max)
    for case .asNeeded(let seconds, let maximum) in limits {
      dose.minInterval = max(
        dose.minInterval, Int64(min(max(0, seconds ?? 0), 1_000_000_000)) * 1_000_000)
      dose.maxPerDay = min(dose.maxPerDay, maximum ?? .max)
    }
    doses.append(dose)
  }

  /// Finds overuse once all doses were appended.
  mutating func finish(_ records: [MedicationBlock.Record]) {
    doses.sort {
      $0.actual != $1.actual
        ? $0.actual < $1.actual : records[Int($0.record)].isBefore(records[Int($1.record)])
    }
    var first = 0
    for index in doses.indices {
      let dose = doses[index]
      while doses[first].actual <= dose.actual - Self.day { first += 1 }
      let isTooMany = index - first + 1 > dose.maxPerDay
      let isTooSoon = index > 0 && dose.actual - doses[index - 1].actual < dose.minInterval
      doses[index].isOveruse = isTooMany || isTooSoon
    }
  }
}
