import VigilModel

/// A schedule as one of its versions has it, with the days on which that version is valid.
struct ScheduleInForce {
  let row: Schedule
  let clock: ScheduleClock
  /// The days on which this version is valid.
  let firstValid: Int32
  let lastValid: Int32

  /// The versions of a schedule, in order of their days.
  static func versions(
    of entry: MedicationBlock.ScheduleEntry, events: [TimezoneEvent], zones: [ZoneRules]
  ) -> [ScheduleInForce] {
    func inForce(_ row: Schedule, from first: Int32, to last: Int32) -> ScheduleInForce {
      ScheduleInForce(
        row: row,
        clock: ScheduleClock(
          of: row, events: events, adjustments: entry.adjustments, zones: zones),
        firstValid: first, lastValid: last)
    }
    if entry.versions.isEmpty { return [inForce(entry.row, from: .min, to: .max)] }
    let versions = entry.versions.map { (from: $0.validFrom?.ordinal ?? .min, row: $0.row) }
      .sorted { $0.from < $1.from }
    return versions.indices.map { index in
      let next = index + 1 < versions.count ? versions[index + 1].from : nil
      // The first version has no beginning, even if a database states one.
      let first = index == 0 ? .min : versions[index].from
      return inForce(
        versions[index].row, from: first, to: next.map { max($0, .min + 1) - 1 } ?? .max)
    }
  }

  func isValid(on day: Int32) -> Bool { firstValid <= day && day <= lastValid }

  /// The days on which doses of `medication` can be expected under this version; nil for none.
  func expectingDays(of medication: Medication) -> ClosedRange<Int32>? {
    guard row.counts else { return nil }
    let first = max(firstValid, row.startDate.ordinal, medication.startDate.ordinal)
    let last = min(
      lastValid, row.endDate?.ordinal ?? .max, medication.endDate?.ordinal ?? .max)
    return first <= last ? first...last : nil
  }
}
