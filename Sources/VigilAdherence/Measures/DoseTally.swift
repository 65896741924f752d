import VigilModel

/// The doses of a person and of each of their medications, day by day, without those that are rare (specification,
/// evidence-doses.md sections 1 and 7).
struct DoseTally {
  /// The days between a dose and those of its medication on other days from which on it is rare.
  let rareDays: Int
  /// Whether it returns the days of each medication.
  private let keepsMedications: Bool
  private let firstDay: Int32
  private var days: [Counts]
  /// The same of one medication.
  private var own: [Counts]

  private struct Counts {
    var expected: Int32 = 0
    var missed: Int32 = 0
    var inferred: Int32 = 0
    var pending: Int32 = 0

    static func += (left: inout Counts, right: Counts) {
      left.expected += right.expected
      left.missed += right.missed
      left.inferred += right.inferred
      left.pending += right.pending
    }

    /// A day with a dose that is pending cannot be judged yet.
    var doses: DoseCounts {
      pending > 0
        ? .none
        : DoseCounts(
          expected: UInt16(clamping: expected), missed: UInt16(clamping: missed),
          inferred: UInt16(clamping: inferred))
    }
  }

  init(rareDays: Int, days: ClosedRange<Day>, keepsMedications: Bool) {
    self.rareDays = rareDays
    self.keepsMedications = keepsMedications
    firstDay = days.lowerBound.ordinal
    self.days = Array(repeating: Counts(), count: days.upperBound - days.lowerBound + 1)
    own = self.days
  }

  mutating func removeAll() {
    for day in days.indices { days[day] = Counts() }
  }

  /// Adds the doses of a medication, which have their outcomes.
  ///
  /// - Returns: Its days; nil where they are not kept, or none of its schedules expects doses.
  mutating func add(_ doses: MedicationDoses, of person: Int) -> MedicationDays? {
    guard let medication = doses.medication, let lastDay = doses.lastExpectingDay else {
      return nil
    }
    for day in own.indices { own[day] = Counts() }
    let rare = doses.rareDays(apart: rareDays, from: firstDay, count: days.count)
    for dose in doses.doses {
      let day = Int(dose.day - firstDay)
      guard own.indices.contains(day), !rare.contains(dose.day) else { continue }
      switch dose.outcome {
      case .taken: own[day].expected += 1
      case .skipped, .missed:
        own[day].expected += 1
        own[day].missed += 1
        if dose.record < 0 { own[day].inferred += 1 }
      case .pending: own[day].pending += 1
      case .plannedSkip: break
      }
    }
    for day in days.indices { days[day] += own[day] }
    guard keepsMedications else { return nil }
    let window = firstDay...firstDay + Int32(days.count) - 1
    let firstDue = doses.doses.lazy.filter(\.isDue).map(\.day).filter(window.contains).min()
    // Most medications are due on most days, and have many records.
    let isRare = firstDue == nil || !rare.isEmpty
    let firstTaken = isRare ? doses.daysTaken.filter(window.contains).min() : nil
    return MedicationDays(
      person: person, medication: medication.id, counts: own.map(\.doses),
      lastDay: lastDay == .max ? nil : Day(ordinal: lastDay), rare: doses.rareDoses(on: rare),
      firstTakenOn: firstTaken.map { Day(ordinal: $0) },
      firstDueOn: firstDue.map { Day(ordinal: $0) })
  }

  /// Appends the days of the person.
  func append(to counts: inout [DoseCounts]) {
    for day in days { counts.append(day.doses) }
  }
}

extension MedicationDoses {
  /// The last day on which one of the schedules can expect a dose, the greatest number where no end is known; nil
  /// where none expects any.
  fileprivate var lastExpectingDay: Int32? {
    guard let medication else { return nil }
    return schedules.joined().lazy.filter { !$0.row.timing.isAsNeeded }
      .compactMap { $0.expectingDays(of: medication)?.upperBound }.max()
  }

  /// The days on which a dose was taken, expected or not, in no order.
  fileprivate var daysTaken: [Int32] {
    doses.compactMap { dose in
      dose.record >= 0 && dose.outcome == .taken ? localDay(of: dose.record) : nil
    } + extraDoses.map(localDay) + asNeeded.doses.map { localDay(of: $0.record) }
  }

  /// The doses of some days that are rare; none of a day with a dose that is pending, or on which none is due.
  fileprivate func rareDoses(on days: Set<Int32>) -> [RareDose] {
    guard !days.isEmpty else { return [] }
    let taken = daysTaken.sorted()
    let due = Set(doses.lazy.filter(\.isDue).map(\.day)).sorted()
    return days.sorted().compactMap { day in
      let own = doses.filter { $0.day == day && $0.isDue }
      guard !own.isEmpty, !own.contains(where: { $0.outcome == .pending }) else { return nil }
      let recorded =
        own.contains { $0.outcome == .missed } ? nil : own.map { localDay(of: $0.record) }.max()
      let later = taken.first { $0 >= day }
      return RareDose(
        day: Day(ordinal: day), hasRecord: own.contains { $0.record >= 0 },
        recordedOn: [recorded, later].compactMap(\.self).min().map { Day(ordinal: $0) },
        nextDueOn: due.first { $0 > day }.map { Day(ordinal: $0) })
    }
  }

  /// The days whose doses are rare: those of other days are so many days away.
  ///
  /// That is a matter of the schedules, so that a pause of daily tablets makes none of them rare: a dose that is
  /// skipped by plan counts like others.
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

extension ExpectedDose {
  /// Whether it was to be taken: one that is skipped by plan is none.
  fileprivate var isDue: Bool { outcome != .plannedSkip }
}
