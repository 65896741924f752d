import Foundation
import VigilModel

/// Schedules that expect a dose at each of a medication's deadlines and at no other time.
///
/// There is one for each run of days that have a deadline at the same local time of day: a clock
/// that is set forward or back moves none of them.
struct DeadlineSchedules {
  struct Schedule {
    let id: UUID
    let zone: String
    /// `HH:MM`.
    let time: String
    let days: ClosedRange<Day>
    /// The line of the dose of its first day.
    let line: Int
  }

  private struct Slot: Hashable {
    let zone: String
    let time: String

    init(_ local: PillBottleDose.LocalTime) {
      (zone, time) = (local.zone, local.time)
    }
  }

  /// By zone, time of day and first day.
  let all: [Schedule]
  private let bySlot: [Slot: [Schedule]]

  /// - Complexity: O(n log n) for n doses.
  init(of medication: UUID, doses: [PillBottleDose]) {
    bySlot = Dictionary(grouping: doses) { Slot($0.local) }
      .reduce(into: [:]) { bySlot, group in
        bySlot[group.key] = Self.schedules(of: medication, at: group.key, doses: group.value)
      }
    all = bySlot.sorted { ($0.key.zone, $0.key.time) < ($1.key.zone, $1.key.time) }
      .flatMap(\.value)
  }

  /// The schedule that expects a dose.
  ///
  /// - Complexity: O(runs of days with its time of day).
  func schedule(of dose: PillBottleDose) -> UUID? {
    bySlot[Slot(dose.local)]?.first { $0.days.contains(dose.local.day) }?.id
  }

  /// An id holds the number of the run of days and not its first day, so that an export that begins
  /// earlier or later than the one before moves its schedules instead of adding to them.
  private static func schedules(
    of medication: UUID, at slot: Slot, doses: [PillBottleDose]
  ) -> [Schedule] {
    var runsOfDays: [(days: ClosedRange<Day>, line: Int)] = []
    for dose in doses.sorted(by: { $0.local.day < $1.local.day }) {
      let day = dose.local.day
      if let last = runsOfDays.last, day <= last.days.upperBound + 1 {
        runsOfDays[runsOfDays.count - 1].days = last.days.lowerBound...day
      } else {
        runsOfDays.append((day...day, dose.line))
      }
    }
    return runsOfDays.enumerated().map { number, run in
      Schedule(
        id: UUID(
          name: "schedules:\(medication.lowercased):\(slot.zone):\(slot.time):\(number)"),
        zone: slot.zone, time: slot.time, days: run.days, line: run.line)
    }
  }
}
