import Foundation
import TestSupport
import Testing
import VigilAdherence
import VigilModel

/// Which rows of medications can be used, without any database.
@Suite struct MedicationRowsTests {
  private let person = UUID(name: "person")
  private let medication = UUID(name: "medication")
  private let schedule = UUID(name: "schedule")
  private let now = Timestamp(microseconds: 1_780_000_000_000_000)
  private let rows = MedicationRows(zones: .system)

  init() {
    rows.begin([person], evaluatedAt: now)
  }

  private func day(_ text: String) throws -> ColumnValue<Day> { .value(try #require(Day(text))) }

  private func medicationRow(
    start: ColumnValue<Day>, end: ColumnValue<Day> = .null
  ) -> UncheckedMedication {
    UncheckedMedication(
      id: medication, user: person, isActive: nil, startDate: start, endDate: end, isDeleted: nil)
  }

  private func scheduleRow(
    _ type: String = "timeBased", zone: String = "Europe/Madrid",
    _ change: (inout UncheckedSchedule) -> Void = { _ in }
  ) throws -> UncheckedSchedule {
    var row = UncheckedSchedule(
      id: schedule, medication: medication, type: type, referenceZone: zone, isActive: nil,
      startDate: try day("2026-01-01"), endDate: .null)
    row.times = #"["08:00"]"#
    change(&row)
    return row
  }

  private func reasons() -> [String] {
    rows.unusable.counts.map { "\($0.table) \($0.reason.rawValue) \($0.count)" }
  }

  private func addDose(
    _ status: String, at actual: Timestamp?, schedule: UUID? = nil, zone: String = "Europe/Madrid"
  ) {
    rows.addDoses { doses in
      Array(status.utf8).withUnsafeBytes { status in
        Array(zone.utf8).withUnsafeBytes { zone in
          doses.add(
            UncheckedDose(
              id: UUID(), medication: medication, schedule: schedule, status: status,
              scheduledTime: nil, actualTime: actual, zone: zone, createdAt: now))
        }
      }
    }
  }

  @Test func aSupplyIsFollowedWhereRemindersAreWantedAndTheCountIsWhole() throws {
    func digest(_ change: (inout UncheckedMedication) -> Void) throws -> (Int, Timestamp) {
      rows.begin([person], evaluatedAt: now)
      var row = medicationRow(start: try day("2026-01-01"))
      row.followsRefills = true
      row.remainingUnits = 30
      row.countedAt = now.adding(seconds: -300 * 86_400)
      change(&row)
      rows.add(row)
      #expect(rows.unusable.counts.isEmpty)
      let times = rows.doseTimes(now.adding(seconds: -100 * 86_400)...now, of: [medication])
      #expect(times.upperBound == now)
      return (rows.digest, times.lowerBound)
    }
    let followed = try digest { _ in }
    // Older doses are read, as far back as the count.
    #expect(followed.1 == now.adding(seconds: -300 * 86_400))
    let changes: [(inout UncheckedMedication) -> Void] = [
      { $0.followsRefills = false }, { $0.followsRefills = nil }, { $0.remainingUnits = nil },
      { $0.countedAt = nil }, { $0.unitsPerDose = 0 }, { $0.unitsPerDose = .nan },
    ]
    for change in changes {
      let other = try digest(change)
      #expect(other.0 != followed.0 && other.1 == now.adding(seconds: -100 * 86_400))
    }
    #expect(try digest { $0.remainingUnits = 31 }.0 != followed.0)
    #expect(try digest { $0.unitsPerDose = 2 }.0 != followed.0)
    // A count of long ago needs no doses.
    let old = try digest { $0.countedAt = now.adding(seconds: -600 * 86_400) }
    #expect(old.1 == now.adding(seconds: -100 * 86_400))
  }

  @Test func aMedicationNeedsDaysInOrder() throws {
    for (start, end) in [
      (ColumnValue<Day>.null, ColumnValue<Day>.null), (.unreadable, .null),
      (try day("2026-01-01"), .unreadable),
    ] {
      rows.add(medicationRow(start: start, end: end))
    }
    rows.add(medicationRow(start: try day("2026-01-02"), end: try day("2026-01-01")))
    #expect(
      reasons() == [
        "medications impossible_date 2", "medications impossible_end_date 1",
        "medications end_before_start 1",
      ])
    #expect(rows.block.medicationCount == 0)
    rows.add(medicationRow(start: try day("2026-01-01"), end: try day("2026-01-01")))
    #expect(rows.block.medicationCount == 1)
    #expect(rows.rowCount == 5)
  }

  @Test func aScheduleThatCannotBeUsedSaysWhy() throws {
    rows.add(medicationRow(start: try day("2026-01-01")))
    for row in try [
      scheduleRow(zone: "Europe/Atlantis"), scheduleRow { $0.endDate = .unreadable },
      scheduleRow { $0.times = "[]" }, scheduleRow { $0.times = #"["25:00"]"# },
      scheduleRow { $0.weekdays = "[7]" }, scheduleRow { $0.flexibilityMinutes = -1 },
      scheduleRow("intervalBased"),
      scheduleRow("intervalBased") { $0.intervalHours = 8 },
      scheduleRow("asNeeded") { $0.minIntervalHours = -1 }, scheduleRow("monthly"),
    ] {
      #expect(!rows.add(row))
    }
    #expect(
      reasons() == [
        "schedules unknown_timezone 1", "schedules impossible_end_date 1",
        "schedules impossible_times 3", "schedules impossible_value 3",
        "schedules impossible_interval 2",
      ])
    #expect(rows.add(try scheduleRow()))
    // A second row of one id says nothing new.
    #expect(!rows.add(try scheduleRow()))
    #expect(rows.schedules.map(\.id) == [schedule])
  }

  @Test func aDoseThatCannotBeUsedSaysWhy() throws {
    rows.add(medicationRow(start: try day("2026-01-01")))
    addDose("swallowed", at: now)
    addDose("taken", at: now, zone: "Europe/Atlantis")
    addDose("taken", at: now.adding(seconds: 1))
    addDose("taken", at: nil)
    addDose("taken", at: now, schedule: schedule)
    #expect(
      reasons() == [
        "dose_history impossible_value 1", "dose_history unknown_timezone 1",
        "dose_history future_time 1", "dose_history taken_without_time 1",
        "dose_history unknown_schedule 1",
      ])
    addDose("taken", at: now)
    #expect(rows.doseCount == 6)
    #expect(rows.block.recordCount == 1)
  }

  /// A schedule that cannot be used is listed once, and not again with each of its doses.
  @Test func theDosesOfAnUnusableScheduleAreNotListed() throws {
    rows.add(medicationRow(start: try day("2026-01-01")))
    #expect(!rows.add(try scheduleRow("monthly")))
    addDose("taken", at: now, schedule: schedule)
    #expect(reasons() == ["schedules impossible_value 1"])
    #expect(rows.block.recordCount == 0)
  }

  @Test func aVersionIsOfTheScheduleThatItNames() throws {
    let first = StoredScheduleVersion.always
    #expect(
      !rows.add(StoredScheduleVersion(schedule: schedule, validFrom: first, row: "{}")))
    rows.add(medicationRow(start: try day("2026-01-01")))
    #expect(rows.add(try scheduleRow()))
    let version = try #require(try rows.takeVersions(evaluatingFrom: first).first)
    #expect(version.schedule == schedule)
    #expect(rows.add(version))
    var other = version
    other.schedule = UUID(name: "another schedule")
    #expect(!rows.add(other))
  }
}
