import Foundation
import TestSupport
import Testing
import VigilAdherence
import VigilModel

/// The worked cases of the specification, through the public API.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct SpecificationFixtureTests {
  private static let zones = ZoneCatalog.system

  @Test func fixturesAreRead() {
    #expect(AdherenceFixture.all.count >= 30)
  }

  private func evaluate(_ fixture: AdherenceFixture) throws -> AdherenceResult {
    var result = AdherenceResult()
    AdherenceEvaluator(zones: Self.zones, keepsDoses: true)
      .evaluate(try fixture.block(Self.zones), over: fixture.window, into: &result)
    return result
  }

  @Test(arguments: AdherenceFixture.all)
  func doses(_ fixture: AdherenceFixture) throws {
    let result = try evaluate(fixture)
    let period = fixture.periodStart...fixture.periodEnd
    let found = result.doses.filter { period.contains($0.day) }
    #expect(Set(found.map(json)) == Set(fixture.expected["doses"]?.elements ?? []))
    #expect(found.count == fixture.expected["doses"]?.elements.count)
    let extra = result.extraDoses.filter { period.contains($0.day) }.map { dose in
      JSON.object([
        "dose_history_id": .string(dose.record.lowercased), "day": .string("\(dose.day)"),
      ])
    }
    #expect(Set(extra) == Set(fixture.expected["extra"]?.elements ?? []))
    let asNeeded = result.asNeededDoses.filter { period.contains($0.day) }.map { dose in
      JSON.object([
        "dose_history_id": .string(dose.record.lowercased), "day": .string("\(dose.day)"),
        "overuse": .boolean(dose.isOveruse),
      ])
    }
    #expect(asNeeded == fixture.expected["as_needed"]?.elements)
  }

  private func json(_ dose: EvaluatedDose) -> JSON {
    let outcomes: [DoseOutcome: String] = [
      .taken: "taken", .skipped: "skipped", .missed: "missed", .plannedSkip: "plannedSkip",
      .pending: "pending",
    ]
    let timings: [DoseTiming: String] = [.onTime: "on_time", .late: "late", .early: "early"]
    func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    return .object([
      "schedule_id": .string(dose.schedule.lowercased),
      "scheduled_time": .string(
        "\(dose.time)".replacing(".000000Z", with: "Z")),
      "day": .string("\(dose.day)"),
      "outcome": text(outcomes[dose.outcome]),
      "inferred": .boolean(dose.outcome == .missed && dose.record == nil),
      "timing": text(dose.timing.flatMap { timings[$0] }),
      "dose_history_id": text(dose.record?.lowercased),
    ])
  }

  @Test(arguments: AdherenceFixture.all)
  func measures(_ fixture: AdherenceFixture) throws {
    let result = try evaluate(fixture)
    let medications = fixture.expected["medications"]?.members ?? [:]
    let found = result.analytics.filter { $0.medication != nil }
    #expect(Set(found.map { $0.medication?.lowercased }) == Set(medications.keys))
    for row in found {
      let expected = try #require(medications[row.medication?.lowercased ?? ""])
      expectSame(row.measures, expected)
      let alerts = result.missedStreaks.contains { $0.medication == row.medication }
      #expect(expected["missed_streak_alert"] == .boolean(alerts))
    }
    let person = try #require(result.analytics.first { $0.medication == nil })
    expectSame(person.measures, try #require(fixture.expected["person"]))
  }

  private func expectSame(_ found: AdherenceMeasures, _ expected: JSON) {
    let counts: [String: Int] = [
      "total_doses": found.expectedDoses, "taken_doses": found.takenDoses,
      "skipped_doses": found.skippedDoses, "missed_doses": found.missedDoses,
      "planned_skips": found.plannedSkips, "pending_doses": found.pendingDoses,
      "on_time_doses": found.onTimeDoses, "late_doses": found.lateDoses,
      "early_doses": found.earlyDoses, "extra_doses": found.extraDoses,
      "as_needed_doses": found.asNeededDoses, "as_needed_overuse": found.asNeededOveruse,
      "days_expected": found.daysExpected, "days_exact": found.daysExact,
      "days_covered": found.daysCovered, "longest_gap_days": found.longestGapDays,
      "current_gap_days": found.currentGapDays, "drug_holidays": found.drugHolidays,
      "missed_streak": found.missedStreak,
    ]
    for (name, count) in counts { #expect(expected[name]?.number == Double(count), "\(name)") }
    let rates: [String: Double?] = [
      "adherence_rate": found.takingAdherence, "dosing_adherence": found.dosingAdherence,
      "timing_adherence": found.timingAdherence, "pdc": found.pdc,
    ]
    for (name, rate) in rates { #expect(near(expected[name]?.number, rate), "\(name)") }
    #expect(expected["adherent"] == found.isAdherent.map { .boolean($0) } ?? .null)
    #expect(expected.members.count - counts.count - rates.count - 1 <= 1)
  }

  private func near(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  @Test(arguments: AdherenceFixture.all)
  func dailyAdherence(_ fixture: AdherenceFixture) throws {
    let result = try evaluate(fixture)
    let days = result.dailyAdherence(person: 0)
    for (text, value) in fixture.expected["dose_adherence_pct"]?.members ?? [:] {
      let day = try #require(Day(text))
      let found = days[days.startIndex + (day - fixture.window.days.lowerBound)]
      #expect(near(found.isNaN ? nil : found, value.number), "\(day)")
    }
  }
}
