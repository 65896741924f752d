import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilAdherence
import VigilModel

/// Doses taken as needed, and rows that are no longer active, do not change other measures.
@Suite struct AsNeededDosesTests {
  private static let seeds = 5000..<5200

  @Test func aDoseTakenAsNeededEndsNoGapAndPreventsNone() throws {
    var compared = (rows: 0, gaps: 0)
    for seed in Self.seeds {
      let person = RandomPerson(seed: seed)
      let before = person.result()
      var rows = person.rows
      let day = person.window.day
      let zone = TestZones.shared.ids[0]
      let medication = Medication(
        id: UUID(name: "as needed \(seed)"), user: rows.user, startDate: day - 120)
      rows.medications.append(medication)
      rows.schedules.append(
        Schedule(
          id: UUID(name: "as needed schedule \(seed)"), medication: medication.id,
          timing: .asNeeded(minIntervalSeconds: nil, maxDosesPerDay: nil), referenceZone: zone,
          startDate: day - 120))
      for offset in 0..<100 {
        let noon = Timestamp(
          microseconds: (Int64((day - offset).ordinal) * 86_400 + 43_200) * 1_000_000)
        rows.records.append(
          DoseRecord(
            id: UUID(name: "as needed \(seed) \(offset)"), medication: medication.id, schedule: nil,
            status: .taken, scheduledTime: nil, actualTime: noon, recordedZone: zone,
            createdAt: noon))
      }
      let after = person.result(rows).analytics.filter { $0.medication != medication.id }
      let known = before.analytics
      // A person without any medication that counts has no row before.
      guard !known.isEmpty else { continue }
      #expect(after.count == known.count, "seed \(seed)")
      for (left, right) in zip(known, after) {
        var same = right.measures
        if right.medication == nil {
          #expect(same.asNeededDoses > left.measures.asNeededDoses, "seed \(seed)")
          same.asNeededDoses = left.measures.asNeededDoses
          compared.gaps += left.measures.longestGapDays > 0 ? 1 : 0
        }
        #expect(same == left.measures, "seed \(seed)")
        compared.rows += 1
      }
    }
    #expect(compared.rows > 1000)
    #expect(compared.gaps > 100)
  }

  /// Doses of the last ten days, all missed, of a medication and a schedule that end tomorrow.
  private func streaks(medicationIsActive: Bool, scheduleIsActive: Bool) throws -> [MissedStreak] {
    let (day, user) = (try #require(Day("2026-03-10")), UUID(name: "anna"))
    let zone = TestZones.shared.ids[0]
    var rows = AdherenceRows(user: user)
    let medication = Medication(
      id: UUID(name: "tablets"), user: user, isActive: medicationIsActive, startDate: day - 9,
      endDate: day + 1)
    rows.medications = [medication]
    rows.schedules = [
      Schedule(
        id: UUID(name: "mornings"), medication: medication.id,
        timing: .timeBased(times: [try #require(TimeOfDay("08:00"))], weekdays: .everyDay),
        referenceZone: zone, isActive: scheduleIsActive, startDate: day - 9, endDate: day + 1)
    ]
    let window = AdherenceWindow(
      day: day,
      evaluatedAt: Timestamp(microseconds: Int64((day + 2).ordinal) * 86_400_000_000),
      periods: [.period(.sevenDays, endingAt: day)])
    var result = AdherenceResult()
    AdherenceEvaluator(zones: TestZones.shared.catalog)
      .evaluate(RandomPerson.block([rows]), over: window, into: &result)
    #expect(result.analytics.allSatisfy { $0.measures.missedDoses == 7 })
    return result.missedStreaks
  }

  @Test func onlyAnActiveMedicationWithAnActiveScheduleHasAMissedStreak() throws {
    #expect(
      try streaks(medicationIsActive: true, scheduleIsActive: true).map(\.missedDoses) == [10])
    #expect(try streaks(medicationIsActive: false, scheduleIsActive: true) == [])
    #expect(try streaks(medicationIsActive: true, scheduleIsActive: false) == [])
  }
}
