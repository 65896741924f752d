import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilAdherence
import VigilModel

/// The days on which a refill is due follow from a count, the doses taken since, and the schedule.
@Suite("Supply of a medication")
struct SupplyForecastTests {
  private static let start = Day(ordinal: 20_454)  // 2026-01-01
  private static let (anna, tablets) = (UUID(name: "anna"), UUID(name: "tablets"))
  private let zones = ZoneCatalog.system

  /// One tablet every morning, each taken; the count is at noon of the first day.
  private struct Course {
    var supply: MedicationSupply?
    var timings: [Schedule.Timing]
    var endDate: Day?
    var scheduleEnd: Day?
    var isActive = true
    /// Days from the start on which no dose is taken.
    var missed: Set<Int> = []

    init(
      units: Int, unitsPerDose: Double = 1, reminderUnits: Int? = nil, reminderDays: Int? = nil
    ) throws {
      supply = MedicationSupply(
        units: units, countedAt: SupplyForecastTests.start.midnight.adding(seconds: 12 * 3600),
        unitsPerDose: unitsPerDose, reminderUnits: reminderUnits, reminderDays: reminderDays)
      let morning = try #require(TimeOfDay("08:00"))
      timings = [.timeBased(times: [morning], weekdays: .everyDay)]
    }
  }

  private func forecast(
    _ course: Course, days: ClosedRange<Int> = 0...40
  ) throws -> SupplyForecast? {
    let start = Self.start
    let utc = try #require(zones.id(of: "UTC"))
    let block = MedicationBlock()
    block.add(person: Self.anna)
    block.add(
      Medication(
        id: Self.tablets, user: Self.anna, isActive: course.isActive, startDate: start - 10,
        endDate: course.endDate, supply: course.supply))
    for (index, timing) in course.timings.enumerated() {
      block.add(
        Schedule(
          id: UUID(name: "schedule \(index)"), medication: Self.tablets, timing: timing,
          referenceZone: utc, startDate: start - 10, endDate: course.scheduleEnd))
    }
    for day in 0...40 where !course.missed.contains(day) {
      let time = (start + day).midnight.adding(seconds: 8 * 3600)
      block.add(
        DoseRecord(
          id: UUID(name: "dose \(day)"), medication: Self.tablets,
          schedule: UUID(name: "schedule 0"), status: .taken, scheduledTime: time, actualTime: time,
          recordedZone: utc, createdAt: time))
    }
    let window = AdherenceWindow(
      evaluating: (start + days.lowerBound)...(start + days.upperBound),
      evaluatedAt: (start + 41).midnight)
    var result = AdherenceResult()
    AdherenceEvaluator(zones: zones).evaluate(block, over: window, into: &result)
    #expect(result.supplies.count <= 1)
    return result.supplies.first
  }

  private func dueDays(_ course: Course, days: ClosedRange<Int> = 0...40) throws -> [Int] {
    (try forecast(course, days: days)?.due ?? []).map { $0.day - Self.start }
  }

  @Test("a refill is due when the rest lasts seven days or fewer")
  func sevenDays() throws {
    // 20 tablets after the dose of day 0: 7 are left at the end of day 13.
    let found = try #require(try forecast(Course(units: 20)))
    #expect(found.days == Self.start...(Self.start + 40))
    #expect(found.due.map(\.day) == (13...40).map { Self.start + $0 })
    #expect(found.due.prefix(8).map(\.daysLeft) == [7, 6, 5, 4, 3, 2, 1, 0])
    // Nothing is less than nothing.
    #expect(found.due.last?.daysLeft == 0)
    #expect(found.due.first?.insight.severity == .attention)
  }

  @Test("missed doses stay in the box, and extra ones do not")
  func takenDoses() throws {
    var course = try Course(units: 20)
    course.missed = [3, 4, 5]
    #expect(try dueDays(course).first == 16)
    // What was taken before the count is in it.
    course.missed = [0]
    #expect(try dueDays(course).first == 13)
  }

  @Test("limits in units and days; the one that is reached first counts")
  func limits() throws {
    #expect(try dueDays(Course(units: 20, reminderDays: 3)).first == 17)
    #expect(try dueDays(Course(units: 20, reminderUnits: 12)).first == 8)
    // A limit in units replaces the seven days.
    #expect(try dueDays(Course(units: 20, reminderUnits: 2)).first == 18)
    #expect(try dueDays(Course(units: 20, reminderUnits: 2, reminderDays: 5)).first == 15)
    #expect(try dueDays(Course(units: 20, reminderDays: 0)).first == 20)
    #expect(try dueDays(Course(units: 40, unitsPerDose: 2)).first == 13)
    #expect(try dueDays(Course(units: 10, unitsPerDose: 0.5)).first == 13)
    #expect(try dueDays(Course(units: 0)).first == 0)
    // Whatever a row holds, a finite number of days is left.
    for unitsPerDose in [1e-300, Double.leastNonzeroMagnitude, 1e308] {
      let course = try Course(units: .max, unitsPerDose: unitsPerDose, reminderUnits: .max)
      let due = try #require(try forecast(course)?.due)
      #expect(due.count == 41 && due.allSatisfy { ($0.daysLeft ?? .nan).isFinite })
    }
  }

  @Test("the expected use is that of the schedules in force")
  func expectedUse() throws {
    let morning = try #require(TimeOfDay("08:00"))
    var course = try Course(units: 20)
    // Once a week: the doses of other days are extra, and use units up all the same.
    course.timings = [.timeBased(times: [morning], weekdays: .init(days: [1]))]
    #expect(try dueDays(course).first == 19)
    // Every 12 hours, but at most one a day: as if once a day.
    course.timings = [
      .intervalBased(
        seconds: 12 * 3600, first: Self.start.midnight.adding(seconds: 8 * 3600), maxDosesPerDay: 1)
    ]
    #expect(try dueDays(course).first == 13)
    course.timings = [
      .intervalBased(
        seconds: 12 * 3600, first: Self.start.midnight.adding(seconds: 8 * 3600),
        maxDosesPerDay: nil)
    ]
    #expect(try dueDays(course).first == 6)
    // As needed, no use is expected: the units count alone, and an empty box.
    course.timings = [.asNeeded(minIntervalSeconds: nil, maxDosesPerDay: nil)]
    let found = try #require(try forecast(course))
    #expect(found.due.first?.day == Self.start + 20 && found.due.first?.daysLeft == nil)
    course.supply?.reminderUnits = 4
    #expect(try dueDays(course).first == 16)
    course.timings = []
    #expect(try dueDays(course).isEmpty)
  }

  @Test("a rest that lasts until the treatment ends needs no refill")
  func endOfTreatment() throws {
    for isOfSchedule in [false, true] {
      var course = try Course(units: 20)
      func end(_ day: Int) {
        course.endDate = isOfSchedule ? nil : Self.start + day
        course.scheduleEnd = isOfSchedule ? Self.start + day : nil
      }
      end(20)
      #expect(try dueDays(course).isEmpty)
      end(21)
      // On the last day nothing more is needed.
      #expect(try dueDays(course) == Array(13...20))
    }
  }

  @Test("days before the count, and long after it, are not judged")
  func judgedDays() throws {
    var course = try Course(units: 2)
    course.supply?.countedAt = (Self.start + 10).midnight.adding(seconds: 3600)
    #expect(try forecast(course)?.days == (Self.start + 10)...(Self.start + 40))
    let before = try #require(try forecast(course, days: 0...9))
    #expect(before.days == nil && before.due.isEmpty)
    course.supply?.countedAt = (Self.start - 390).midnight
    #expect(try forecast(course)?.days == Self.start...(Self.start + 10))
    course.supply?.countedAt = (Self.start - 401).midnight
    #expect(try forecast(course) == nil)
    course.supply = nil
    #expect(try forecast(course) == nil)
    var inactive = try Course(units: 2)
    inactive.isActive = false
    inactive.endDate = Self.start + 90
    #expect(try forecast(inactive) == nil)
  }

  @Test(
    "the days of random persons are those of the reference, whatever else is evaluated",
    arguments: 0..<Repetitions.count(fast: 4, long: 80))
  func reference(chunk: Int) throws {
    var (due, judged) = (0, 0)
    for seed in chunk * 100..<(chunk + 1) * 100 {
      let person = RandomPerson(seed: seed)
      let day = person.window.day
      let window = AdherenceWindow(
        evaluating: (day - 20)...day, evaluatedAt: person.window.evaluatedAt)
      var result = AdherenceResult()
      let evaluator = AdherenceEvaluator(zones: TestZones.shared.catalog)
      evaluator.evaluate(RandomPerson.block([person.rows]), over: window, into: &result)
      let reference = ReferenceAdherence(
        person.rows, days: (window.days.lowerBound - 8)...(day + 8),
        evaluatedAt: window.evaluatedAt.wholeSeconds, zones: TestZones.shared.references)
      for medication in person.rows.medications {
        let found = result.supplies.first { $0.medication == medication.id }
        for day in window.evaluated {
          let isJudged = found?.days?.contains(day) ?? false
          let isDue = found?.due.contains { $0.day == day } ?? false
          #expect(
            reference.isRefillDue(medication.id, on: day) == (isJudged ? isDue : nil),
            "seed \(seed), \(day), \(medication.id)")
          judged += isJudged ? 1 : 0
          due += isDue ? 1 : 0
        }
      }
      // Each day alone is what it is among others.
      let alone = day - 7
      var night = AdherenceResult()
      evaluator.evaluate(
        RandomPerson.block([person.rows]),
        over: AdherenceWindow(evaluating: alone...alone, evaluatedAt: window.evaluatedAt),
        into: &night)
      #expect(
        night.supplies.flatMap(\.due) == result.supplies.flatMap(\.due).filter { $0.day == alone },
        "seed \(seed)")
    }
    #expect(judged > 300 && due > 30)
  }
}
