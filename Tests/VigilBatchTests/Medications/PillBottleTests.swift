import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilAdherence
import VigilImport
import VigilModel
import VigilStorage

/// The export of a pill bottle from the file to `dose_analytics`: what Vigil makes of each dose, beside
/// what the bottle's maker says of it.
@Suite("Pill bottles")
struct PillBottleTests {
  private func imported(_ file: String, into kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    let options = ImportOptions(
      today: Day(ordinal: 20_700), now: BatchDatabase.now, zones: .system, isStrict: true)
    let summary = try AdhereTechImport(file: file, options: options).run(into: database.storage)
    #expect(summary.rowsQuarantined == 0)
    return database
  }

  @Test(
    "every dose of the export comes out as its maker says",
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)),
    arguments: DatabaseKind.allCases)
  func agreesWithTheExport(kind: DatabaseKind) throws {
    let folder = try #require(SharedFolder.url("datasets/adherence_eamd"))
    let database = try imported(
      folder.appending(path: "raw/test_adheretech_2.csv").path, into: kind)
    let days = try #require(Day("2021-11-05"))...#require(Day("2023-02-09"))
    try database.run(days, thresholds: BatchDatabase.thresholds("v1"))

    // 66 weeks: each is the seven days up to one of the evaluated days.
    let weeks = try stride(from: 6, to: 462, by: 7).map { last in
      try database.storage.doseAnalytics(
        of: nil, period: .sevenDays, endingOn: days.lowerBound + last
      ).filter { $0.analytics.medication != nil }.map(\.analytics.measures)
    }
    #expect(weeks.allSatisfy { $0.count == 1 })
    func total(_ count: (AdherenceMeasures) -> Int) -> Int {
      weeks.joined().reduce(0) { $0 + count($1) }
    }
    // Two doses called late were taken after 60 minutes, which is within Vigil's 60.
    #expect(total(\.onTimeDoses) == 533 + 2)
    #expect(total(\.lateDoses) == 136 - 2)
    #expect(total(\.earlyDoses) == 33)
    // Of 21 doses in November 2021 the export still says in 2023 that they are pending. Vigil takes a
    // dose without a record to be missed once its time is over.
    #expect(total(\.missedDoses) == 124 + 21)
    #expect(total(\.plannedSkips) == 76)
    #expect(total(\.pendingDoses) == 0)
    #expect(total(\.skippedDoses) == 0)
    #expect(total(\.extraDoses) == 0)
    // But for those on which the reminders were paused all day.
    #expect(total(\.daysExpected) == 462 - 38)

    try expectSame(
      doses(in: database, days: days), events(in: folder.appending(path: "dose_events.csv")))
  }

  @Test("a made-up export through the end of summer time", arguments: DatabaseKind.allCases)
  func countsAMadeUpExport(kind: DatabaseKind) throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    // From the 24th to the 30th of October 2022 at 08:00 and, until the 28th, at 22:30 in Madrid.
    let file = "\(folder.path)/export.csv"
    try """
    Patient_UID,Medication,Status,Deadline_UTC,Dose_Date_UTC,Time_Recorded_UTC,Patient_Timezone
    p1,m1,ONTIME,7:00,10/30/2022,10/30/2022 7:59,Europe/Madrid
    p1,m1,LATE,6:00,10/29/2022,10/29/2022 7:01,Europe/Madrid
    p1,m1,PAUSED,20:30,10/28/2022,,Europe/Madrid
    p1,m1,PAUSED,6:00,10/28/2022,10/28/2022 6:05,Europe/Madrid
    p1,m1,PENDING,20:30,10/27/2022,,Europe/Madrid
    p1,m1,MISSED,6:00,10/27/2022,,Europe/Madrid
    p1,m1,EARLY,20:30,10/26/2022,10/26/2022 18:30,Europe/Madrid
    p1,m1,ONTIME,6:00,10/26/2022,10/26/2022 5:00,Europe/Madrid
    p1,m1,LATE,20:30,10/25/2022,10/26/2022 0:10,Europe/Madrid
    p1,m1,ONTIME,6:00,10/25/2022,10/25/2022 6:00,Europe/Madrid
    p1,m1,MISSED,20:30,10/24/2022,,Europe/Madrid
    p1,m1,MISSED,6:00,10/24/2022,,Europe/Madrid
    """.write(toFile: file, atomically: true, encoding: .utf8)
    let database = try imported(file, into: kind)
    let day = try #require(Day("2022-10-30"))
    try database.run(day...day, thresholds: BatchDatabase.thresholds("v1"), kind: .run)
    let rows = try database.storage.doseAnalytics(of: nil, period: .sevenDays, endingOn: day)
    #expect(rows.count == 2)
    for measures in rows.map(\.analytics.measures) {
      #expect(measures.onTimeDoses == 3)
      #expect(measures.lateDoses == 2)
      #expect(measures.earlyDoses == 1)
      #expect(measures.missedDoses == 4)
      #expect(measures.plannedSkips == 2)
      #expect(measures.extraDoses == 0)
      #expect(measures.daysExpected == 6)
    }
  }

  /// The maker's outcome of each dose, except for the two differences above.
  private func events(in file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
      .map { line in
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let deadline = try #require(Timestamp(fields[4]))
        let isAnHourLate =
          Timestamp(fields[5]).map { $0 == deadline.adding(seconds: 3600) } ?? false
        switch fields[3] {
        case "pending": return "\(deadline) missed, without a record"
        case "late" where isAnHourLate: return "\(deadline) ontime"
        default: return "\(deadline) \(fields[3])"
        }
      }
      .sorted()
  }

  /// Vigil's outcome of each dose, in the maker's words.
  private func doses(in database: BatchDatabase, days: ClosedRange<Day>) throws -> [String] {
    let window = AdherenceWindow(evaluating: days, evaluatedAt: BatchDatabase.now)
    let zones = ZoneCatalog.system
    let rows = MedicationRows(zones: zones)
    let persons = try database.storage.persons(withDataIn: days)
    rows.begin(persons, evaluatedAt: BatchDatabase.now)
    try database.storage.makeReader().readMedications(
      of: persons, doses: window.recordTimes, into: rows)
    _ = try rows.takeVersions(evaluatingFrom: days.lowerBound)
    var result = AdherenceResult()
    AdherenceEvaluator(zones: zones, keepsDoses: true)
      .evaluate(rows.block, over: window, into: &result)
    return result.doses.map { dose in
      let status =
        switch (dose.outcome, dose.timing) {
        case (.taken, .onTime): "ontime"
        case (.taken, .late): "late"
        case (.taken, .early): "early"
        case (.missed, _): dose.record == nil ? "missed, without a record" : "missed"
        case (.plannedSkip, _): "paused"
        default: "\(dose.outcome)"
        }
      return "\(dose.time) \(status)"
    }.sorted()
  }
}
