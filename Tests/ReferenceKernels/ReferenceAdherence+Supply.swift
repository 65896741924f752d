public import Foundation
public import VigilModel

extension ReferenceAdherence {
  /// Whether a refill of a medication is due on `day`; nil where its count says nothing of the day.
  public func isRefillDue(_ id: UUID, on day: Day) -> Bool? {
    guard let medication = rows.medications.first(where: { $0.id == id }),
      let supply = medication.supply, medication.isActive, !medication.isDeleted
    else { return nil }
    let counted = dayOfCount(of: id, supply)
    guard day >= counted, day - counted <= 400 else { return nil }
    let inUse = rows.schedules.filter { $0.medication == id }.compactMap { row(of: $0, on: day) }
      .filter { row in
        row.isActive && day >= max(row.startDate, medication.startDate)
          && day <= min(row.endDate ?? day, medication.endDate ?? day)
      }
    if inUse.isEmpty { return false }
    let taken = dosesTaken(of: id, after: supply.countedAt, upTo: day)
    let units = Double(supply.units) - Double(taken) * supply.unitsPerDose
    let aWeek = inUse.map(dosesAWeek).reduce(0, +) * supply.unitsPerDose
    func isAtMost(_ value: Double, _ limit: Double) -> Bool {
      value <= limit + 1e-9 * max(1, abs(value))
    }
    let ends = inUse.map { row in [row.endDate, medication.endDate].compactMap(\.self).min() }
    if aWeek > 0, !ends.contains(nil), let last = ends.compactMap(\.self).max(),
      isAtMost(aWeek * Double(last - day) / 7, max(0, units))
    {
      return false
    }
    if units <= 0 { return true }
    if let limit = supply.reminderUnits, isAtMost(units, Double(limit)) { return true }
    guard let limit = supply.reminderDays, aWeek > 0 else { return false }
    return isAtMost(units, aWeek * Double(limit) / 7)
  }

  private func dayOfCount(of id: UUID, _ supply: MedicationSupply) -> Day {
    let first = rows.schedules.filter { $0.medication == id && countsAtAll($0) }
      .min { $0.id < $1.id }
    guard let first,
      let newest = versions(first).max(by: { left, right in
        guard let later = right.validFrom else { return false }
        return left.validFrom.map { $0 < later } ?? true
      }), let zone = zones[newest.row.referenceZone]
    else { return Day(ordinal: Int32(floorDay(supply.countedAt.wholeSeconds))) }
    return Day(ordinal: Int32(floorDay(zone.local(supply.countedAt.wholeSeconds))))
  }

  private func dosesTaken(of id: UUID, after counted: Timestamp, upTo day: Day) -> Int {
    let taken =
      doses.filter { $0.medication == id && $0.outcome == "taken" }.compactMap(\.record)
      + (extras + asNeeded).filter { $0.medication == id }.map(\.record)
    return rows.records.count { record in
      guard taken.contains(record.id), let time = record.actualTime ?? record.scheduledTime else {
        return false
      }
      return time > counted && localDay(record) <= day
    }
  }

  private func dosesAWeek(_ row: Schedule) -> Double {
    switch row.timing {
    case .asNeeded: return 0
    case .timeBased(let times, let weekdays):
      return Double((0..<7).filter { weekdays.contains(weekday: $0) }.count * Set(times).count)
    case .intervalBased(let seconds, _, let maximum):
      let aDay = 86_400 / Double(seconds)
      return 7 * min(aDay, maximum.map(Double.init) ?? aDay)
    }
  }
}
