public import Foundation
public import VigilAdherence
public import VigilModel

extension ReferenceAdherence {
  private func expected(_ medications: Set<UUID>, on day: Day) -> [Dose] {
    (dosesByDay[day] ?? []).filter {
      medications.contains($0.medication) && ["taken", "skipped", "missed"].contains($0.outcome)
    }
  }

  /// The meaning of a day for a gap: 1 for a gap day, 2 for one with a dose taken that was not as
  /// needed, 0 for any other.
  private func mark(_ medications: Set<UUID>, _ day: Day) -> Int {
    func isOfDay(_ dose: Unexpected) -> Bool {
      medications.contains(dose.medication) && dose.day == day
    }
    let today = (dosesByDay[day] ?? []).filter { medications.contains($0.medication) }
    if today.contains(where: { $0.outcome == "taken" }) || extras.contains(where: isOfDay) {
      return 2
    }
    let isGap =
      !expected(medications, on: day).isEmpty && !today.contains { $0.outcome == "pending" }
    return isGap ? 1 : 0
  }

  /// The measures of some medications of the person together.
  public func measures(of medications: Set<UUID>, in days: ClosedRange<Day>) -> AdherenceMeasures {
    var result = AdherenceMeasures()
    let inPeriod = doses.filter { medications.contains($0.medication) && days.contains($0.day) }
    func count(_ outcome: String) -> Int { inPeriod.count { $0.outcome == outcome } }
    func unexpected(_ list: [Unexpected]) -> [Unexpected] {
      list.filter { medications.contains($0.medication) && days.contains($0.day) }
    }
    result.takenDoses = count("taken")
    result.skippedDoses = count("skipped")
    result.missedDoses = count("missed")
    result.plannedSkips = count("plannedSkip")
    result.pendingDoses = count("pending")
    result.onTimeDoses = inPeriod.count { $0.timing == "onTime" }
    result.lateDoses = inPeriod.count { $0.timing == "late" }
    result.earlyDoses = inPeriod.count { $0.timing == "early" }
    result.extraDoses = unexpected(extras).count
    result.asNeededDoses = unexpected(asNeeded).count
    result.asNeededOveruse = unexpected(asNeeded).count { $0.isOveruse }
    var gap = 0
    for day in days {
      let due = medications.filter { !expected([$0], on: day).isEmpty }
      if !due.isEmpty {
        result.daysExpected += 1
        let covered = due.filter { medication in
          expected([medication], on: day).allSatisfy { $0.outcome == "taken" }
        }
        let exact = covered.filter { medication in
          !extras.contains { $0.medication == medication && $0.day == day }
        }
        result.daysCovered += covered.count == due.count ? 1 : 0
        result.daysExact += exact.count == due.count ? 1 : 0
      }
      switch mark(medications, day) {
      case 1:
        gap += 1
        result.longestGapDays = max(result.longestGapDays, gap)
        if gap == 3 { result.drugHolidays += 1 }
      case 2: gap = 0
      default: break
      }
    }
    result.currentGapDays = gap
    result.missedStreak =
      medications.map { medication in
        var streak = 0
        for dose in inPeriod where dose.medication == medication {
          if dose.outcome == "missed" { streak += 1 }
          if dose.outcome == "taken" || dose.outcome == "skipped" { streak = 0 }
        }
        return streak
      }.max() ?? 0
    return result
  }

  /// Taking adherence of all medications on a day, from 0 to 100.
  public func dailyAdherence(on day: Day) -> Double? {
    let expected = expected(Set(rows.medications.map(\.id)), on: day)
    let taken = expected.count { $0.outcome == "taken" }
    return expected.isEmpty ? nil : 100 * Double(taken) / Double(expected.count)
  }

  /// Whether a medication has a `missed_streak` on `day`.
  public func hasMissedStreak(_ medication: UUID, on day: Day) -> Bool {
    guard isActive(medication, on: day) else { return false }
    let days = (day - 89)...day
    if measures(of: [medication], in: days).missedStreak >= 3 { return true }
    var gap: [Day] = []
    for day in days {
      switch mark([medication], day) {
      case 1: gap.append(day)
      case 2: gap = []
      default: break
      }
    }
    return zip(gap, gap.dropFirst()).contains { $1 - $0 == 1 }
  }

  private func isActive(_ id: UUID, on day: Day) -> Bool {
    guard let medication = rows.medications.first(where: { $0.id == id }), medication.isActive,
      day >= medication.startDate, medication.endDate.map({ day <= $0 }) ?? true
    else { return false }
    return rows.schedules.filter { $0.medication == id }.contains { schedule in
      guard let row = row(of: schedule, on: day) else { return false }
      return !row.timing.isAsNeeded && row.isActive
        && day >= row.startDate && (row.endDate.map { day <= $0 } ?? true)
    }
  }
}
