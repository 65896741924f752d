import VigilModel

/// The doses of a person, day by day, without those that are rare (specification, evidence-doses.md sections 1
/// and 7).
struct DoseTally {
  /// The days between a dose and those of its medication on other days from which on it is rare.
  let rareDays: Int
  private let firstDay: Int32
  private var days: [Counts]

  private struct Counts {
    var expected: Int32 = 0
    var missed: Int32 = 0
    var inferred: Int32 = 0
    var pending: Int32 = 0
  }

  init(rareDays: Int, days: ClosedRange<Day>) {
    self.rareDays = rareDays
    firstDay = days.lowerBound.ordinal
    self.days = Array(repeating: Counts(), count: days.upperBound - days.lowerBound + 1)
  }

  mutating func removeAll() {
    for day in days.indices { days[day] = Counts() }
  }

  /// Adds the doses of a medication, which have their outcomes.
  mutating func add(_ doses: MedicationDoses) {
    let rare = doses.rareDays(apart: rareDays, from: firstDay, count: days.count)
    for dose in doses.doses {
      let day = Int(dose.day - firstDay)
      guard days.indices.contains(day), !rare.contains(dose.day) else { continue }
      switch dose.outcome {
      case .taken: days[day].expected += 1
      case .skipped, .missed:
        days[day].expected += 1
        days[day].missed += 1
        if dose.record < 0 { days[day].inferred += 1 }
      case .pending: days[day].pending += 1
      case .plannedSkip: break
      }
    }
  }

  /// Appends the days; one with a dose that is pending cannot be judged yet.
  func append(to counts: inout [DoseCounts]) {
    for day in days {
      counts.append(
        day.pending > 0
          ? .none
          : DoseCounts(
            expected: UInt16(clamping: day.expected), missed: UInt16(clamping: day.missed),
            inferred: UInt16(clamping: day.inferred)))
    }
  }
}

extension MedicationDoses {
  /// The days whose doses are rare: those of other days are so many days away.
  ///
  /// - Parameters:
  ///   - distance: The days.
  ///   - first: The first day that matters, and the number of days from there on.
  fileprivate func rareDays(apart distance: Int, from first: Int32, count: Int) -> Set<Int32> {
    var rare: Set<Int32> = []
    let distance = Int32(distance)
    var days = doses.map(\.day)
    if zip(days, days.dropFirst()).contains(where: { $0 > $1 }) { days.sort() }
    for (index, day) in days.enumerated() where day >= first && day < first + Int32(count) {
      if index > 0, days[index - 1] == day { continue }
      if index > 0, day - days[index - 1] < distance { continue }
      let later = days[index...].first { $0 > day }
      if let later, later - day < distance { continue }
      // Only the days that were needed were expanded, and others may be near.
      if expects(dosesOn: day - distance + 1...day + distance - 1, besides: day) { continue }
      rare.insert(day)
    }
    return rare
  }

  private func expects(dosesOn days: ClosedRange<Int32>, besides day: Int32) -> Bool {
    guard let medication else { return false }
    var found: [ExpectedDose] = []
    for versions in schedules {
      for version in versions {
        guard let expecting = version.expectingDays(of: medication), expecting.overlaps(days)
        else { continue }
        version.appendDoses(on: expecting.clamped(to: days), rank: 0, to: &found)
      }
    }
    return found.contains { $0.day != day }
  }
}
