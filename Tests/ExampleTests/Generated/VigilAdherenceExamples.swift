// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilAdherence
import VigilModel
import VigilZones

@Suite struct VigilAdherenceExamples {
  /// Sources/VigilAdherence/AdherenceEvaluator.swift
  @Test func adherenceEvaluatorExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30"), let morning = TimeOfDay("08:00"),
      let night = Timestamp("2026-07-01T01:00:00Z")
    else { return }
    let zones = ZoneCatalog(source: ZoneFolder.system())
    guard let berlin = zones.id(of: "Europe/Berlin") else { return }
    let (anna, tablets) = (UUID(name: "anna"), UUID(name: "tablets"))
    let schedule = Schedule(
      id: UUID(name: "every morning"), medication: tablets,
      timing: .timeBased(times: [morning], weekdays: .everyDay), referenceZone: berlin,
      startDate: day - 6)
    let block = MedicationBlock()
    block.add(person: anna)
    _ = block.add(Medication(id: tablets, user: anna, startDate: day - 6))
    _ = block.add(schedule)
    for back in 0..<6 {
      let time = night.adding(seconds: -Int64(back) * 86_400 - 19 * 3600)
      _ = block.add(
        DoseRecord(
          id: UUID(name: "dose \(back)"), medication: tablets, schedule: schedule.id, status: .taken,
          scheduledTime: time, actualTime: time, recordedZone: berlin, createdAt: time))
    }
    let evaluator = AdherenceEvaluator(zones: zones)
    var result = AdherenceResult()
    evaluator.evaluate(block, over: AdherenceWindow(day: day, evaluatedAt: night), into: &result)
    let week = result.analytics.first { $0.medication == tablets && $0.period.kind == .sevenDays }
    checks.expect(0, "6 1", week?.measures.takenDoses ?? 0, week?.measures.missedDoses ?? 0)
  }

  /// Sources/VigilAdherence/AdherenceWindow.swift
  @Test func adherenceWindowExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30"), let now = Timestamp("2026-07-01T01:00:00Z") else { return }
    let window = AdherenceWindow(day: day, evaluatedAt: now)
    checks.expect(0, "4 2026-04-02", window.periods.count, window.days.lowerBound)
  }

  /// Sources/VigilAdherence/Blocks/MedicationBlock.swift
  @Test func medicationBlockExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let start = Day("2026-01-01") else { return }
    let anna = UUID(name: "anna")
    let block = MedicationBlock()
    block.add(person: anna)
    checks.expect(0, "true", block.add(Medication(id: UUID(name: "tablets"), user: anna, startDate: start)))
    checks.expect(1, "1 1", block.personCount, block.medicationCount)
  }

  /// Sources/VigilAdherence/Measures/AdherenceMeasures.swift
  @Test func adherenceMeasuresExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    var measures = AdherenceMeasures()
    measures.takenDoses = 6
    measures.missedDoses = 2
    measures.onTimeDoses = 4
    checks.expect(0, "0.75 0.5", measures.takingAdherence ?? 0, measures.timingAdherence ?? 0)
  }

  /// Sources/VigilAdherence/Measures/AdherencePeriod.swift
  @Test func adherencePeriodExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let day = Day("2026-06-15") else { return }
    checks.expect(0, "2026-06-09", AdherencePeriod.period(.sevenDays, endingAt: day).days.lowerBound)
    let month = AdherencePeriod.period(.calendarMonth, endingAt: day).days
    checks.expect(1, "2026-05-01 2026-05-31", month.lowerBound, month.upperBound)
  }

  /// Sources/VigilAdherence/MissedStreak.swift
  @Test func missedStreakExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let streak = MissedStreak(
      user: UUID(name: "anna"), medication: UUID(name: "tablets"), day: day, missedDoses: 4,
      daysWithoutDose: 3)
    checks.expect(0, "missed_streak", streak?.insight.rule.rawValue ?? "none")
  }

  /// Sources/VigilAdherence/SupplyForecast.swift
  @Test func refillDueExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let refill = RefillDue(
      user: UUID(name: "anna"), medication: UUID(name: "tablets"), day: day, daysLeft: 6.5)
    checks.expect(0, "refill_due", refill.insight.rule.rawValue)
  }
}
