import Foundation
import GRDB
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

/// Exports of every kind with random damage: each is read as far as it can be, or refused with nothing stored.
@Suite("Damaged files of every kind")
struct DamagedFilesTests {
  /// Good files by the kind as which they are recognized.
  private static let exports: [(kind: String, files: [(name: String, text: String)])] = [
    (
      "apple-health",
      [
        (
          "export.xml",
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <!DOCTYPE HealthData [
          <!ELEMENT HealthData (Record*)>
          ]>
          <HealthData locale="de_DE">
           <ExportDate value="2026-06-29 08:00:00 +0200"/>
           <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" \
          startDate="2026-06-01 10:00:00 +0200" endDate="2026-06-01 10:10:00 +0200" value="500"/>
           <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
          startDate="2026-06-01 23:00:00 +0200" endDate="2026-06-02 06:00:00 +0200" \
          value="HKCategoryValueSleepAnalysisAsleepCore"><MetadataEntry key="HKTimeZone" value="Europe/Berlin"/></Record>
           <Record type="HKQuantityTypeIdentifierRestingHeartRate" sourceName="W&amp;M" unit="count/min" \
          startDate="2026-06-02 00:00:00 +0200" endDate="2026-06-02 00:00:00 +0200" value="58"/>
           <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" \
          startDate="2026-06-02 10:00:00 +0200" endDate="2026-06-02 10:30:00 +0200"/>
          </HealthData>
          """
        )
      ]
    ),
    (
      "oura",
      [
        (
          "oura.json",
          """
          {"sleep": [{"id": "a", "day": "2026-06-02", "total_sleep_duration": 25200, "average_hrv": 52,
            "lowest_heart_rate": 48, "type": "long_sleep"}],
           "daily_activity": [{"day": "2026-06-02", "steps": 8123}],
           "workout": [{"activity": "cycling", "day": "2026-06-02", "start_datetime": "2026-06-02T18:00:00+02:00"}]}
          """
        )
      ]
    ),
    (
      "whoop",
      [
        (
          "sleeps.csv",
          """
          Cycle start time,Sleep onset,Wake onset,Nap,Asleep duration (min),Sleep efficiency %
          2026-06-01 23:00:00,2026-06-01 23:00:00,2026-06-02 07:00:00,false,440,92
          """
        ),
        (
          "workouts.csv",
          """
          Cycle timezone,Workout start time,Workout end time,Activity name
          UTC-04:00,2026-06-01 23:30:00,2026-06-02 00:10:00,Running
          """
        ),
      ]
    ),
    (
      "withings",
      [
        ("aggregates_steps.csv", "date,value\n2026-06-01,8342\n2026-06-02,\n"),
        (
          "sleep.csv",
          """
          from,to,"light (s)","deep (s)","rem (s)","awake (s)","wake up"
          2026-06-01T23:10:00+02:00,2026-06-02T06:50:00+02:00,14400,5400,7200,900,2
          """
        ),
      ]
    ),
    (
      "samsung",
      [
        (
          "samsunghealth_x/com.samsung.shealth.step_daily_trend.20260602.csv",
          """
          com.samsung.shealth.step_daily_trend,7006011,6
          source_type,count,deviceuuid,day_time
          -2,5600,b,2026-06-01 00:00:00.000,
          -2,700,b,1780358400000,
          """
        )
      ]
    ),
    (
      "garmin",
      [
        (
          "DI_CONNECT/DI-Connect-Aggregator/UDSFile_2026-06-01_2026-09-01.json",
          """
          [{"calendarDate": "2026-06-01", "totalSteps": 9500, "restingHeartRate": 51, "moderateIntensityMinutes": 30},
           {"calendarDate": {"date": "Jun 2, 2026 12:00:00 AM"}, "totalSteps": 20}]
          """
        ),
        (
          "a_summarizedActivities.json",
          """
          [{"summarizedActivitiesExport": [{"activityType": "running", "startTimeLocal": 1780354800000.0, "splits": [{}]}]}]
          """
        ),
      ]
    ),
    (
      "polar",
      [
        (
          "sleep_result_42-a.json",
          """
          [{"night": "2026-06-02", "evaluation": {"asleepDuration": "PT7H30M", "analysis": {"efficiencyPercent": 93.75}}}]
          """
        ),
        ("activity-2026-06-01-a.json", #"{"date": "2026-06-01", "summary": {"stepCount": 3100}}"#),
        (
          "training-session-2026-06-01-1-a.json",
          """
          {"hr": NaN, "exercises": [{"startTime": "2026-06-01T18:00:00", "sport": "RUNNING",
            "samples": {"speed": [{"value": NaN}, {"value": -Infinity}]}}]}
          """
        ),
      ]
    ),
    (
      "fitbit",
      [
        (
          "Takeout/Fitbit/Global Export Data/steps-2026-06-01.json",
          #"[{"dateTime": "06/01/26 08:00:00", "value": "40"}, {"dateTime": "06/02/26 08:00:00", "value": "41"}]"#
        ),
        (
          "Takeout/Fitbit/Global Export Data/exercise-0.json",
          #"[{"logId": 1, "activityName": "Run", "startTime": "06/01/26 18:00:12"}]"#
        ),
      ]
    ),
    (
      "fhir",
      [
        (
          "observations.ndjson",
          """
          {"resourceType": "Observation", "id": "a", "status": "final", "code": {"coding": [{"system": \
          "http://loinc.org", "code": "40443-4"}]}, "subject": {"reference": "Patient/p1"}, \
          "effectiveDateTime": "2026-06-01T08:00:00+02:00", "valueQuantity": {"value": 58, "unit": "/min", \
          "system": "http://unitsofmeasure.org", "code": "/min"}}
          """
        )
      ]
    ),
    (
      "daily",
      [("daily.csv", "date,steps,sleep_minutes\n2026-06-01,5000,400\n2026-06-02,\"6,5\",\n")]
    ),
    (
      "tables",
      [
        (
          "wearable_daily_metrics.csv",
          "user_id,metric_date,source,steps,hrv_ms\nanna,2026-06-01,ring,5000,40.5\nben,2026-06-02,ring,,41\n"
        )
      ]
    ),
  ]

  private func write(
    _ files: [(name: String, contents: Data)], asArchive: Bool, in folder: TemporaryFolder
  ) throws -> String {
    if asArchive { return try TestArchive.write(files, to: folder.file("export.zip")) }
    for (name, contents) in files {
      let place = URL(fileURLWithPath: folder.file("export/\(name)"))
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try contents.write(to: place)
    }
    // A file of daily metrics is recognized by itself alone.
    let isAlone = files.map(\.name) == ["daily.csv"]
    return folder.file(isAlone ? "export/daily.csv" : "export")
  }

  /// Imports a file or folder; returns whether that has stored something.
  private func isImported(
    _ path: String, of kind: String, into database: ImportDatabase, seed: Int = 0
  ) throws -> Bool {
    let label = "seed \(seed), \(kind)"
    var options = database.options
    options.maxBadRowFraction = 1
    let tables = ["users", "wearable_daily_metrics", "exercise_sessions"]
    func counts() throws -> [String] {
      try tables.flatMap { try database.database.rows("SELECT count(*) FROM \($0)") }
    }
    let before = try counts()
    do {
      let request = AutoImport.Request(
        user: ["fhir", "tables"].contains(kind) ? nil : "anna",
        source: kind == "daily" ? "ring" : nil)
      _ = try AutoImport(path: path, request: request, options: options).run(into: database.storage)
    } catch let error as ImportError {
      #expect(!error.message.isEmpty && error.message.utf8.count < 2_000, "\(label): \(error)")
      #expect(try counts() == before, "\(label): \(error)")
      #expect(seed > 0, "\(label): \(error)")
    }
    // More minutes than a day has are stored: a profile says what is plausible, and detection leaves out the rest.
    let impossible = """
      SELECT count(*) FROM wearable_daily_metrics WHERE metric_date < '1990-01-01' OR metric_date > '2026-07-01'
        OR steps < 0 OR sleep_minutes < 0 OR sleep_efficiency_pct > 100
      """
    #expect(try database.database.rows(impossible) == ["0"], "\(label)")
    let workoutsOfOtherTimes = """
      SELECT count(*) FROM exercise_sessions WHERE metric_date < '1990-01-01' OR metric_date > '2026-07-01'
      """
    #expect(try database.database.rows(workoutsOfOtherTimes) == ["0"], "\(label)")
    return try counts() != before
  }

  @Test("every kind is imported where it is whole")
  func whole() throws {
    for (kind, files) in Self.exports {
      let database = try ImportDatabase(.sqlite)
      let path = try write(
        files.map { ($0.name, Data($0.text.utf8)) }, asArchive: false, in: database.folder)
      #expect(try isImported(path, of: kind, into: database), "\(kind)")
    }
  }

  @Test("a damaged file is read or refused, and nothing impossible is stored")
  func damaged() throws {
    let database = try ImportDatabase(.sqlite)
    var imported = 0
    let count = Repetitions.count(fast: 300, long: 20_000)
    for seed in 1...count {
      var random = SeededGenerator(seed: seed)
      let (kind, files) = random.pick(Self.exports)
      let victim = Int.random(in: 0..<files.count, using: &random)
      var contents = files.map { Data($0.text.utf8) }
      contents[victim] = FileDamage.damaged(contents[victim], by: &random)
      let folder = try TemporaryFolder()
      let isArchive = random.chance(0.3) && kind != "tables"
      let path = try write(
        zip(files, contents).map { ($0.name, $1) }, asArchive: isArchive, in: folder)
      if isArchive, random.chance(0.5) {
        try FileDamage.damaged(Data(contentsOf: URL(fileURLWithPath: path)), by: &random)
          .write(to: URL(fileURLWithPath: path))
      }
      if try isImported(path, of: kind, into: database, seed: seed) { imported += 1 }
    }
    // Rows of other days than before are rare; most files that are read bring the same ones again.
    #expect(imported > 0)
  }
}
