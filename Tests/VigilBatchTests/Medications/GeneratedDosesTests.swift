import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

@testable import VigilImport

/// Medications of `vigil generate`, from its files to the results of runs.
@Suite("Generated doses in runs")
struct GeneratedDosesTests {
  private func database(_ kind: DatabaseKind, with data: SyntheticData) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try TemporaryDirectory.with { folder in
      _ = try data.write(to: folder.path)
      try database.importFiles(of: URL(fileURLWithPath: folder.path))
    }
    return database
  }

  private func treatments(of data: SyntheticData) -> [SyntheticTreatment] {
    let days = data.endDate - (data.days - 1)...data.endDate
    let zones = SyntheticZones(days: days)
    return (0..<data.people).map { index in
      SyntheticTreatment(
        of: SyntheticPerson(index: index, seed: data.seed), meanMedications: data.medications,
        seed: data.seed, days: days, zones: zones)
    }
  }

  private func counts(
    of medication: Int, _ treatment: SyntheticTreatment
  ) -> SyntheticDoseCounts {
    let zones = SyntheticZones(days: treatment.days)
    var log = treatment.log(of: medication)
    for schedule in treatment.medications[medication].schedules {
      log.log(
        schedule, upTo: treatment.days.upperBound, overuse: treatment.overuse[medication],
        zones: zones)
    }
    return log.counts
  }

  /// The 90 days hold the changes of the clocks in America, Europe and Australia.
  @Test(
    "the engine counts what the generator has planned, day by day and on journeys",
    arguments: DatabaseKind.allCases)
  func engineAgrees(kind: DatabaseKind) throws {
    let data = SyntheticData(
      people: kind == .sqlite ? 400 : 60, days: 90, seed: 71,
      endDate: try #require(Day("2026-04-20")), medications: 2)
    let database = try database(kind, with: data)
    try database.run(
      data.endDate...data.endDate, thresholds: BatchDatabase.thresholds("v1"), kind: .run)
    var found: [UUID: AdherenceMeasures] = [:]
    for stored in try database.storage.doseAnalytics(
      of: nil, period: .ninetyDays, endingOn: data.endDate)
    {
      guard let medication = stored.analytics.medication else { continue }
      found[medication] = stored.analytics.measures
    }
    var (compared, travelled) = (0, 0)
    for treatment in treatments(of: data) {
      for (index, medication) in treatment.medications.enumerated() {
        guard medication.counts else {
          #expect(found[medication.id] == nil)
          continue
        }
        let measures = try #require(found[medication.id])
        let counted = SyntheticDoseCounts(
          taken: measures.takenDoses, skipped: measures.skippedDoses, missed: measures.missedDoses,
          plannedSkips: measures.plannedSkips, late: measures.lateDoses,
          early: measures.earlyDoses, extra: measures.extraDoses,
          asNeeded: measures.asNeededDoses, asNeededOveruse: measures.asNeededOveruse)
        #expect(
          counted == counts(of: index, treatment),
          "\(treatment.person.index) \(medication.schedules.map(\.timing))")
        #expect(measures.pendingDoses == 0)
        compared += 1
        travelled += treatment.trip == nil ? 0 : 1
      }
    }
    #expect(compared > data.people)
    #expect(travelled > compared / 10)
  }

  /// To the second: matching would forgive hours.
  @Test("the engine expects the doses that the generator expects, at the same time")
  func engineExpectsTheSameDoses() throws {
    let data = SyntheticData(
      people: 1500, days: 85, seed: 73, endDate: try #require(Day("2026-04-20")), medications: 2)
    let evaluator = AdherenceEvaluator(zones: .system, keepsDoses: true)
    let block = MedicationBlock()
    var expected: [UUID: Set<String>] = [:]
    var moved = 0
    for treatment in treatments(of: data) {
      try block.add(treatment, seed: data.seed, zones: evaluator.zones)
      for medication in treatment.medications where medication.counts {
        for schedule in medication.schedules where schedule.lastDay == nil {
          let doses = schedule.doses(upTo: data.endDate)
          expected[schedule.id] = Set(doses.map { "\($0.instant) \($0.day)" })
          #expect(expected[schedule.id]?.count == doses.count)
          moved += schedule.clock.intervals.count > 1 && !doses.isEmpty ? 1 : 0
        }
      }
    }
    var result = AdherenceResult()
    evaluator.evaluate(
      block,
      over: AdherenceWindow(
        day: data.endDate, evaluatedAt: (data.endDate + 3).midnight,
        periods: [.period(.ninetyDays, endingAt: data.endDate)]), into: &result)
    let found = Dictionary(grouping: result.doses, by: \.schedule).mapValues { doses in
      Set(doses.map { "\($0.time.wholeSeconds) \($0.day)" })
    }
    for (schedule, doses) in expected {
      #expect(found[schedule] ?? [] == doses)
    }
    #expect(moved > 100)
  }

  @Test(
    "backfills find planted declines, and nothing in reliable persons",
    arguments: DatabaseKind.allCases)
  func findsDeclines(kind: DatabaseKind) throws {
    let data = SyntheticData(
      people: 110, days: 150, seed: 72, endDate: try #require(Day("2026-06-30")), medications: 1.5)
    let database = try database(kind, with: data)
    let first = data.endDate - (data.days - 1)
    try database.run(first...data.endDate, thresholds: BatchDatabase.thresholds("v1"))
    let alerts = Dictionary(
      grouping: try database.storage.alertStates(
        matching: AlertFilter(metric: MetricType("dose_adherence_pct"))), by: \.series.user)
    var (declines, reliable) = (0, 0)
    for treatment in treatments(of: data) where !treatment.medications.isEmpty {
      let alerts = alerts[treatment.person.id] ?? []
      let phases = treatment.habits.phases
      for phase in phases where phase.kind == .decline {
        let days = first + phase.days.lowerBound...first + phase.days.upperBound
        let found = alerts.filter {
          $0.episode.activeSince <= days.upperBound && $0.episode.lastEvaluated >= days.lowerBound
        }
        let highest = found.map(\.episode.level.rawValue).max() ?? 0
        #expect(highest >= phase.intendedLevel?.rawValue ?? 0, "\(treatment.person.index)")
        declines += 1
      }
      if treatment.habits.kind == .reliable, phases.isEmpty {
        #expect(alerts.isEmpty, "\(treatment.person.index) \(alerts)")
        reliable += 1
      }
    }
    #expect(declines >= 5)
    #expect(reliable >= 8)
  }
}

extension MedicationBlock {
  /// Adds the medications and journeys of persons, without any dose record.
  fileprivate func add(
    _ treatment: SyntheticTreatment, seed: UInt64, zones: ZoneCatalog
  ) throws {
    func zone(_ place: SyntheticPlace) throws -> ZoneID {
      try #require(zones.id(of: place.rawValue))
    }
    let person = treatment.person
    add(person: person.id)
    let events = treatment.trip?.events ?? []
    let eventIDs = events.indices.map { SyntheticTrip.eventID($0, of: person, seed: seed) }
    for (id, event) in zip(eventIDs, events) {
      add(
        TimezoneEvent(
          id: id, user: person.id, previousZone: try zone(event.from), newZone: try zone(event.to),
          transitionTime: Timestamp(microseconds: Int64(event.time) * 1_000_000),
          isConfirmed: treatment.trip?.isConfirmed ?? false))
    }
    for medication in treatment.medications {
      add(
        Medication(
          id: medication.id, user: person.id, isActive: medication.isActive,
          isDeleted: medication.isDeleted, startDate: medication.startDay,
          endDate: medication.endDay))
      for schedule in medication.schedules {
        add(schedule.row(of: medication.id, zone: try zone(person.place)))
        guard let adjustment = schedule.adjustment, let strategy = adjustment.strategy else {
          continue
        }
        for (index, event) in eventIDs.enumerated() {
          let times = strategy == .custom ? adjustment.newTimes[index] : []
          add(
            ScheduleAdjustment(
              event: event, schedule: schedule.id, strategy: strategy,
              newTimes: times.compactMap(TimeOfDay.init(minutes:))))
        }
      }
    }
  }
}

extension SyntheticSchedule {
  fileprivate func row(of medication: UUID, zone: ZoneID) -> Schedule {
    let row: Schedule.Timing =
      switch timing {
      case .daily(let times, let weekdays):
        .timeBased(
          times: times.compactMap(TimeOfDay.init(minutes:)),
          weekdays: Schedule.Weekdays(days: weekdays ?? []))
      case .interval(let minutes, let maximum):
        .intervalBased(
          seconds: minutes * 60, first: Timestamp(microseconds: Int64(firstDose) * 1_000_000),
          maxDosesPerDay: maximum)
      case .asNeeded(let minHours, let maximum):
        .asNeeded(minIntervalSeconds: minHours * 3600, maxDosesPerDay: maximum)
      }
    return Schedule(
      id: id, medication: medication, timing: row, referenceZone: zone, isActive: endDay == nil,
      startDate: startDay, endDate: endDay, flexibilityMinutes: flexibilityMinutes)
  }
}
