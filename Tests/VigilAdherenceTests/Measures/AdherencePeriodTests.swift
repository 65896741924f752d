import Foundation
import TestSupport
import Testing
import VigilAdherence
import VigilModel

@Suite struct AdherencePeriodTests {
  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  @Test func aMonthIsOverOnItsLastDay() throws {
    for (end, first, last) in [
      ("2026-03-30", "2026-02-01", "2026-02-28"), ("2026-03-31", "2026-03-01", "2026-03-31"),
      ("2026-01-01", "2025-12-01", "2025-12-31"), ("2028-02-29", "2028-02-01", "2028-02-29"),
    ] {
      let period = AdherencePeriod.period(.calendarMonth, endingAt: try day(end))
      #expect(period.days == (try day(first))...(try day(last)))
    }
  }

  @Test func theOtherPeriodsEndOnTheDay() throws {
    let end = try day("2026-03-31")
    let periods = AdherencePeriod.all(endingAt: end).filter { $0.kind != .calendarMonth }
    #expect(periods.map { $0.days.count } == [7, 30, 90])
    #expect(periods.allSatisfy { $0.days.upperBound == end })
  }

  @Test func aWindowOfDaysHasThePeriodsOfEachDayAndNoneTwice() throws {
    let days = try day("2026-01-29")...(try day("2026-03-02"))
    let window = AdherenceWindow(evaluating: days, evaluatedAt: Timestamp(microseconds: 0))
    #expect(Set(window.periods).count == window.periods.count)
    #expect(Set(window.periods) == Set(days.flatMap { AdherencePeriod.all(endingAt: $0) }))
    let months = window.periods.filter { $0.kind == .calendarMonth }.map(\.days.upperBound)
    #expect(months == [try day("2025-12-31"), try day("2026-01-31"), try day("2026-02-28")])
  }

  @Test func rowsHaveTheIdOfTheirNaturalKey() throws {
    let user = UUID(name: "user")
    let period = AdherencePeriod.period(.sevenDays, endingAt: try day("2026-03-31"))
    var row = DoseAnalytics(
      user: user, medication: UUID(name: "medication"), period: period,
      measures: AdherenceMeasures())
    let id = row.id
    row.measures.takenDoses = 3
    #expect(row.id == id)
    row.medication = nil
    #expect(row.id != id)
    #expect(
      row.id
        == UUID(
          name: "dose_analytics:\(user.lowercased):all:7_days:2026-03-25:2026-03-31"))
  }

  /// Matching does not depend on the period: a dose of long ago that was logged late is none of the
  /// window's extra doses.
  @Test func aRecordOfADoseLongBeforeTheWindowIsNotExtra() throws {
    let zones = ZoneCatalog.system
    let zone = try #require(zones.id(of: "Europe/Madrid"))
    let end = try day("2026-06-30")
    let user = UUID(name: "user")
    let medication = Medication(
      id: UUID(name: "medication"), user: user, startDate: try day("2024-01-01"))
    let schedule = Schedule(
      id: UUID(name: "schedule"), medication: medication.id,
      timing: .timeBased(times: [try #require(TimeOfDay("08:00"))], weekdays: .everyDay),
      referenceZone: zone, startDate: try day("2024-01-01"))
    func extraDoses(scheduled: String) throws -> Int {
      let block = MedicationBlock()
      block.add(person: user)
      #expect(block.add(medication))
      #expect(block.add(schedule))
      let time = try #require(Timestamp(scheduled))
      let actual = try #require(Timestamp("2026-06-20T21:00:00Z"))
      let isAdded = block.add(
        DoseRecord(
          id: UUID(name: "record"), medication: medication.id, schedule: schedule.id,
          status: .taken, scheduledTime: time, actualTime: actual,
          recordedZone: zone, createdAt: actual))
      #expect(isAdded)
      var result = AdherenceResult()
      AdherenceEvaluator(zones: zones).evaluate(
        block, over: AdherenceWindow(day: end, evaluatedAt: actual), into: &result)
      let row = try #require(result.analytics.first { $0.period.kind == .ninetyDays })
      return row.measures.extraDoses
    }
    #expect(try extraDoses(scheduled: "2024-08-01T06:00:00Z") == 0)
    // Before the schedule there was no dose that it could belong to.
    #expect(try extraDoses(scheduled: "2023-08-01T06:00:00Z") == 1)
  }
}
