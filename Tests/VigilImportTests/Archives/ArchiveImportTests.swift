import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct ArchiveImportTests {
  typealias Files = [(name: String, text: String)]

  let folder: TemporaryFolder
  let recorder = InputRecorder()
  var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system, maxBadRowFraction: 1)
  }

  private func days(_ contents: ArchiveContents?) -> [String] {
    (contents?.days ?? []).map { day in
      let values = day.values.sorted { $0.key < $1.key }.map { metric, value in
        "\(metric)=\((value * 100).rounded() / 100)"
      }
      return "\(day.day) " + values.joined(separator: " ")
    }
  }

  /// The days of an export, the same from a folder and from an archive of it.
  private func read(
    _ kind: String, _ files: Files, timeZone: String? = nil
  ) throws -> [String] {
    for (name, text) in files {
      let place = folder.file("unpacked/\(name)")
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: place).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: place))
    }
    try TestArchive.write(files, to: folder.file("export.zip"))
    let request = AutoImport.Request(user: "anna", timeZone: timeZone)
    let unpacked = try AutoImport(
      path: folder.file("unpacked"), request: request, options: options)
    let zipped = try AutoImport(
      path: folder.file("export.zip"), request: request, options: options)
    #expect(zipped.interpretation?.form.first == kind)
    #expect(zipped.contents?.problemCount == 0, "\(zipped.contents?.firstProblems ?? [])")
    let days = days(zipped.contents)
    #expect(self.days(unpacked.contents) == days)
    return days
  }

  // MARK: Sources

  @Test func readsOura() throws {
    let header = """
      id;average_breath;average_hrv;awake_time;day;deep_sleep_duration;efficiency;heart_rate;light_sleep_duration;\
      lowest_heart_rate;rem_sleep_duration;total_sleep_duration;type
      """
    let night = """
      n1;14.5;52;1800;2026-06-02;4200;90;{"interval": 300.0, "items": [55]};14400;48;6600;25200;long_sleep
      """
    let nap = "n2;15;40;60;2026-06-02;0;80;;1800;60;0;1800;late_nap"
    let rest = "n3;15;40;60;2026-06-02;0;80;;900;60;0;900;rest"
    #expect(
      try read(
        "oura",
        [
          ("App Data/sleepmodel.csv", [header, night, nap, rest].joined(separator: "\n")),
          (
            "App Data/dailyactivity.csv",
            "id;active_calories;day;high_activity_time;medium_activity_time;steps\nb;400;2026-06-02;600;1200;8123\n"
          ),
        ]) == [
          "2026-06-02 active_calories=400.0 awake_minutes=31.0 breathing_rate=14.5 deep_sleep_minutes=70.0 hrv_ms=52.0"
            + " light_sleep_minutes=270.0 movement_minutes=30.0 rem_sleep_minutes=110.0 resting_hr=48.0"
            + " sleep_efficiency_pct=90.0 sleep_minutes=450.0 steps=8123.0"
        ])
  }

  @Test(arguments: [
    (
      "dailyreadiness.csv", "id;day;score;temperature_deviation\na;2026-06-02;80;-0.3\n",
      "temperature_deviation"
    ),
    (
      "oura_trends.csv",
      "date,Total Sleep Duration,Steps,Temperature Deviation (°C)\n2026-06-02,25200,5,0.2\n",
      "Temperature Deviation (°C)"
    ),
    (
      "oura.json", #"{"daily_readiness": [{"day": "2026-06-02", "temperature_deviation": 0.2}]}"#,
      "temperature_deviation"
    ),
  ])
  func aDeviationOfOuraIsNoTemperatureAndIsNamed(
    name: String, text: String, column: String
  ) throws {
    try folder.write(text, to: name)
    try folder.write("id;day;steps\na;2026-06-02;5\n", to: "dailyactivity.csv")
    let found = try AutoImport(
      path: folder.path, request: .init(user: "anna"), options: options)
    #expect(found.contents?.problemCount == 0)
    #expect(found.contents?.days.first?.values[MetricType("skin_temperature_c")] == nil)
    #expect(
      found.interpretation?.ignored == [
        "\(column) of \(name) (a deviation from the usual, which is no temperature)"
      ])
  }

  @Test(arguments: [
    (
      "oura_2026-06-01_2026-06-03_trends.csv",
      """
      date,Sleep Score,Total Sleep Duration,REM Sleep Duration,Average HRV,Lowest Resting Heart Rate,Steps
      2026-06-02,80,25200,6600,52,48,8123
      2026-06-03,,,,,,
      """
    ),
    (
      "oura.json",
      """
      {"sleep": [{"id": "a", "day": "2026-06-02", "total_sleep_duration": 25200, "rem_sleep_duration": 6600,
        "average_hrv": 52, "lowest_heart_rate": 48, "type": "long_sleep"}],
       "daily_activity": [{"day": "2026-06-02", "steps": 8123}]}
      """
    ),
    (
      "oura_data.json",
      """
      {"sleep": [{"summary_date": "2026-06-01", "bedtime_end": "2026-06-02T07:00:00+02:00", "total": 25200,
        "rem": 6600, "rmssd": 52, "hr_lowest": 48}],
       "activity": [{"summary_date": "2026-06-02", "steps": 8123}]}
      """
    ),
  ])
  func readsOtherFormsOfOura(name: String, text: String) throws {
    #expect(
      try read("oura", [(name, text)]) == [
        "2026-06-02 hrv_ms=52.0 rem_sleep_minutes=110.0 resting_hr=48.0 sleep_minutes=420.0 steps=8123.0"
      ])
  }

  @Test func readsWHOOPWithNapsAndANightThatGoesOn() throws {
    let sleeps = """
      Cycle start time,Sleep onset,Wake onset,Nap,Respiratory rate (rpm),Asleep duration (min),Sleep efficiency %
      2026-06-01 23:00:00,2026-06-01 23:00:00,2026-06-02 07:00:00,false,14.5,440,92
      2026-06-01 23:00:00,2026-06-02 14:00:00,2026-06-02 14:40:00,true,15.5,30,75
      """
    let cycles = """
      Cycle start time,Resting heart rate (bpm),Heart rate variability (ms),Blood oxygen %,Skin temp (celsius),Wake onset,Asleep duration (min)
      2026-06-01 23:00:00,52,48,96.5,33.6,2026-06-02 07:00:00,440
      2026-06-02 23:00:00,,,,,,
      """
    #expect(
      try read(
        "whoop",
        [("sleeps.csv", sleeps), ("physiological_cycles.csv", cycles), ("workouts.csv", "a\n1\n")])
        == [
          "2026-06-02 breathing_rate=14.5 hrv_ms=48.0 resting_hr=52.0 skin_temperature_c=33.6"
            + " sleep_efficiency_pct=92.0 sleep_minutes=470.0 spo2_avg_pct=96.5"
        ])
  }

  @Test func readsWithings() throws {
    let sleep = """
      from,to,"light (s)","deep (s)","rem (s)","awake (s)","wake up"
      2026-06-01T23:10:00+02:00,2026-06-02T06:50:00+02:00,14400,5400,7200,900,2
      2026-06-02T23:10:00+02:00,2026-06-03T06:50:00+02:00,14400,5400,,900,2
      """
    #expect(
      try read(
        "withings",
        [
          ("sleep.csv", sleep), ("aggregates_steps.csv", "date,value\n2026-06-01,8342\n"),
          ("aggregates_calories_earned.csv", "date,value\n2026-06-01,310.5\n"),
        ]) == [
          "2026-06-01 active_calories=310.5 steps=8342.0",
          "2026-06-02 awake_minutes=15.0 deep_sleep_minutes=90.0 light_sleep_minutes=240.0 rem_sleep_minutes=120.0"
            + " sleep_minutes=450.0",
          "2026-06-03 awake_minutes=15.0 deep_sleep_minutes=90.0 light_sleep_minutes=240.0 sleep_minutes=330.0",
        ])
  }

  /// Headings are in the language of the account, apart from those of some columns.
  ///
  /// A device that knows no REM sleep writes 0.
  @Test(arguments: [
    "von,bis,\"leicht (s)\",\"tief (s)\",\"rem (s)\",\"wach (s)\",Aufwachen,\"Duration to sleep (s)\"",
    "de,a,\"ligero (s)\",\"profundo (s)\",\"rem (s)\",\"despierto (s)\",despertar,\"Duration to sleep (s)\"",
  ])
  func readsWithingsInOtherLanguages(headings: String) throws {
    let sleep = """
      \(headings)
      2026-06-01T23:10:00+02:00,2026-06-02T06:50:00+02:00,14400,5400,0,900,2,120
      2026-06-02T23:10:00+02:00,2026-06-03T06:50:00+02:00,14400,5400,7200,900,2,120
      """
    #expect(
      try read("withings", [("sleep.csv", sleep)]) == [
        "2026-06-02 awake_minutes=15.0 deep_sleep_minutes=90.0 light_sleep_minutes=240.0 sleep_minutes=330.0",
        "2026-06-03 awake_minutes=15.0 deep_sleep_minutes=90.0 light_sleep_minutes=240.0 rem_sleep_minutes=120.0"
          + " sleep_minutes=450.0",
      ])
  }

  @Test func readsSamsungHealth() throws {
    let steps = """
      \u{FEFF}com.samsung.shealth.step_daily_trend,7006011,6
      source_type,count,deviceuuid,day_time
      0,5000,a,2026-06-01 00:00:00.000,
      -2,5600,b,2026-06-01 00:00:00.000,
      -2,700,b,1780358400000,
      """
    let sleep = """
      com.samsung.shealth.sleep,7006003,11
      sleep_duration,efficiency,total_rem_duration,com.samsung.health.sleep.end_time,\
      com.samsung.health.sleep.time_offset,com.samsung.health.sleep.datauuid
      420,90,80,2026-06-01 22:30:00.000,UTC+0900,u1,
      420,90,80,2026-06-01 22:30:00.000,UTC+0900,u1,
      30,95,0,2026-06-02 03:30:00.000,UTC-0400,u2,
      """
    let temperature = """
      com.samsung.health.skin_temperature,7006003,6
      start_time,end_time,time_offset,temperature,min,max,datauuid
      2026-06-01 15:30:00.000,2026-06-01 22:30:00.000,UTC+0900,33.9,31.2,35.1,t1,
      """
    #expect(
      try read(
        "samsung",
        [
          ("samsunghealth_x/com.samsung.shealth.step_daily_trend.20260602.csv", steps),
          ("samsunghealth_x/com.samsung.shealth.sleep.20260602.csv", sleep),
          ("samsunghealth_x/com.samsung.health.skin_temperature.20260602.csv", temperature),
        ]) == [
          "2026-06-01 rem_sleep_minutes=0.0 sleep_efficiency_pct=95.0 sleep_minutes=30.0 steps=5600.0",
          "2026-06-02 rem_sleep_minutes=80.0 skin_temperature_c=33.9 sleep_efficiency_pct=90.0"
            + " sleep_minutes=420.0 steps=700.0",
        ])
  }

  @Test func readsGarmin() throws {
    let days = """
      [{"calendarDate": "2026-06-01", "totalSteps": 9500, "restingHeartRate": 51, "moderateIntensityMinutes": 30,
        "vigorousIntensityMinutes": 15, "activeKilocalories": 450.0},
       {"calendarDate": {"date": "Jun 2, 2026 12:00:00 AM"}, "totalSteps": 20}]
      """
    let sleep = """
      [{"calendarDate": "2026-06-02", "deepSleepSeconds": 5400, "lightSleepSeconds": 14400, "remSleepSeconds": 6000,
        "awakeSleepSeconds": 1200, "averageRespiration": 14.0, "spo2SleepSummary": {"averageSPO2": 95.0}},
       {"calendarDate": "2026-06-03", "deepSleepSeconds": 5400, "lightSleepSeconds": 14400},
       {"calendarDate": "2026-06-04", "sleepWindowConfirmationType": "OFF_WRIST"}]
      """
    let status = """
      [{"calendarDate": "2026-06-02", "metrics": [{"type": "HRV", "value": 62.0}, {"type": "HR", "value": 57.0}]},
       {"calendarDate": "2026-06-03", "metrics": [{"type": "HRV", "value": 0, "status": "UNKNOWN"}]}]
      """
    #expect(
      try read(
        "garmin",
        [
          ("DI_CONNECT/DI-Connect-Aggregator/UDSFile_2026-06-01_2026-09-01.json", days),
          ("DI_CONNECT/DI-Connect-Wellness/2026-06-01_2026-09-01_1_sleepData.json", sleep),
          ("DI_CONNECT/DI-Connect-Wellness/2026_1_healthStatusData.json", status),
        ]) == [
          "2026-06-01 active_calories=450.0 movement_minutes=45.0 resting_hr=51.0 steps=9500.0",
          "2026-06-02 awake_minutes=20.0 breathing_rate=14.0 deep_sleep_minutes=90.0 hrv_ms=62.0"
            + " light_sleep_minutes=240.0 rem_sleep_minutes=100.0 sleep_minutes=430.0 spo2_avg_pct=95.0 steps=20.0",
          "2026-06-03 deep_sleep_minutes=90.0 light_sleep_minutes=240.0 sleep_minutes=330.0",
        ])
  }

  @Test func readsPolar() throws {
    let sleep = """
      [{"night": "2026-06-02", "evaluation": {"asleepDuration": "PT7H30M", "analysis": {"efficiencyPercent": 93.75},
        "interruptions": {"totalDuration": "PT30M"},
        "phaseDurations": {"rem": "PT1H30M", "light": "PT4H", "deep": "PT1H30M10S"}}}]
      """
    #expect(
      try read(
        "polar",
        [
          (
            "activity-2026-06-01-a.json",
            "{\"date\": \"2026-06-01\", \"summary\": {\"stepCount\": 3100}}"
          ),
          ("activity-2026-06-03-a.json", "{\"date\": \"2026-06-03\"}"),
          ("sleep_result_42-a.json", sleep),
          (
            "nightly_recovery_42-a.json",
            "[{\"night\": \"2026-06-02\", \"meanNightlyRecoveryRmssd\": 42}]"
          ),
          ("nightly_recovery_blob_42-a.json", "{\"hrvData\": {\"samples\": [37]}}"),
        ]) == [
          "2026-06-01 steps=3100.0",
          "2026-06-02 awake_minutes=30.0 deep_sleep_minutes=90.17 hrv_ms=42.0 light_sleep_minutes=240.0"
            + " rem_sleep_minutes=90.0 sleep_efficiency_pct=93.75 sleep_minutes=450.0",
        ])
  }

  /// The layout with CSV files, of which times are in UTC and each device has rows of its own.
  @Test func readsBothLayoutsOfFitbit() throws {
    let steps = """
      timestamp,steps,data source
      2026-06-01T08:00:00Z,30,Phone
      2026-06-02T22:30:00Z,100,Watch
      2026-06-02T22:31:00Z,20,Watch
      2026-06-02T22:31:00Z,20,Watch
      2026-06-02T22:30:00Z,90,Phone
      """
    let sleep = """
      sleep_id,minutes_asleep,minutes_awake,end_utc_offset,sleep_end
      1,410,40,+02:00,2026-06-02 23:30:00+0000
      1,420,48,+02:00,2026-06-02 23:30:00+0000
      """
    let google = "Takeout/Google Health/Physical Activity_GoogleData"
    let files: Files = [
      (
        "Takeout/Fitbit/Global Export Data/steps-2026-06-01.json",
        "[{\"dateTime\": \"06/01/26 08:00:00\", \"value\": \"40\"}]"
      ),
      ("\(google)/steps_2026-06-01.csv", steps),
      (
        "\(google)/daily_heart_rate_variability.csv",
        "timestamp,average heart rate variability milliseconds\n2026-06-02T00:00:00Z,41.5\n"
      ),
      (
        "\(google)/daily_sleep_temperature_derivations.csv",
        "timestamp,nightly temperature celsius,baseline temperature celsius\n2026-06-02T00:00:00Z,33.7,33.5\n"
      ),
      (
        "Takeout/Fitbit/Sleep/Computed Temperature - 2026-06-01.csv",
        """
        type,sleep_start,sleep_end,temperature_samples,nightly_temperature
        SKIN,2026-05-31T23:24:00,2026-06-01T07:03:30,453,33.25

        """
      ),
      ("\(google)/blood_glucose.csv", "no data"),
      ("Takeout/Google Health/Health Fitness Data_GoogleData/UserSleeps_2026-06-01.csv", sleep),
    ]
    #expect(
      try read("fitbit", files, timeZone: "Europe/Berlin") == [
        "2026-06-01 skin_temperature_c=33.25 steps=40.0",
        "2026-06-02 hrv_ms=41.5 skin_temperature_c=33.7",
        "2026-06-03 awake_minutes=48.0 sleep_minutes=420.0 steps=120.0",
      ])
    let error = try #require(throws: ImportError.self) { try read("fitbit", files) }
    #expect(error.code == .usage)
    #expect(error.message.contains("steps_2026-06-01.csv: its times are in UTC"))
  }

  // MARK: Transactions

  private static func whoop(_ days: ClosedRange<Int>, without missing: Set<Int> = []) -> String {
    (["Wake onset,Asleep duration (min)"]
      + days.filter { !missing.contains($0) }.map { "2026-06-0\($0) 07:00:00,\(400 + $0)" })
      .joined(separator: "\n")
  }

  /// The stored days are those of the first import, until one with `replacesMissingDays`.
  @Test(arguments: DatabaseKind.allCases)
  func namesStoredDaysThatTheExportDoesNotHave(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    func load(_ text: String) throws -> ImportSummary {
      try database.folder.write(text, to: "sleeps.csv")
      return try ArchiveImport(
        path: database.folder.file("sleeps.csv"), kind: "whoop", user: "anna",
        options: database.options
      ).run(into: database.storage)
    }
    func stored() throws -> [String] {
      try database.rows(
        of: [UUID(name: "anna")], metrics: [MetricType("sleep_minutes")]
      ).map { $0.replacing("0 2026-06-0", with: "") }
    }
    try database.folder.write(
      "user_id,metric_date,source,sleep_minutes\nanna,2026-06-03,ring,300\n",
      to: "wearable_daily_metrics.csv")
    _ = try database.importCSV()
    #expect(try load(Self.whoop(1...6)).missingDays == [])
    let before = try stored()

    var summary = try load(Self.whoop(2...5, without: [3, 4]))
    let missing = try ["2026-06-03", "2026-06-04"].map { try #require(Day($0)) }
    #expect(summary.missingDays == missing)
    #expect(!summary.removesMissingDays)
    #expect(try stored() == before)

    database.options.replacesMissingDays = true
    summary = try load(Self.whoop(2...5, without: [3, 4]))
    #expect(summary.missingDays == missing)
    #expect(summary.removesMissingDays)
    #expect(
      try stored().filter { !$0.contains("nan") } == [
        "1 whoop [401.0]", "2 whoop [402.0]", "3 ring [300.0]", "5 whoop [405.0]",
        "6 whoop [406.0]",
      ])
    summary = try load(Self.whoop(2...5, without: [3, 4]))
    #expect(summary.missingDays == [])
    #expect(!summary.removesMissingDays)
  }

  @Test(arguments: DatabaseKind.allCases)
  func valuesThatADayOfTheExportLacksStay(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    func load(_ text: String) throws {
      try database.folder.write(text, to: "sleeps.csv")
      _ = try ArchiveImport(
        path: database.folder.file("sleeps.csv"), kind: "whoop", user: "anna",
        options: database.options
      ).run(into: database.storage)
    }
    func stored() throws -> [String] {
      try database.rows(
        of: [UUID(name: "anna")],
        metrics: [MetricType("sleep_minutes"), MetricType("deep_sleep_minutes")])
    }
    let header = "Wake onset,Asleep duration (min),Deep (SWS) duration (min)\n"
    try load(header + "2026-06-01 07:00:00,400,80\n2026-06-02 07:00:00,410,90\n")
    let less = header + "2026-06-01 07:00:00,401,\n2026-06-02 07:00:00,411,91\n"
    try load(less)
    #expect(
      try stored() == [
        "0 2026-06-01 whoop [401.0, 80.0]", "0 2026-06-02 whoop [411.0, 91.0]",
      ])
    database.options.replacesMissingDays = true
    try load(less)
    #expect(
      try stored() == [
        "0 2026-06-01 whoop [401.0, nan]", "0 2026-06-02 whoop [411.0, 91.0]",
      ])
    // The day of a record that cannot be used must not count as missing.
    #expect(throws: ImportError.self) { try load(less + "2026-06-03 07:00:00,many,\n") }
  }

  /// Older versions took the days of an export made abroad for those of the clock there.
  @Test(arguments: DatabaseKind.allCases)
  func removesDaysThatAnExportMadeAbroadHasLeft(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    database.options.replacesMissingDays = true
    func record(_ time: String, _ value: Int) -> String {
      "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Watch\" unit=\"count\" startDate=\"\(time) +0000\""
        + " endDate=\"\(time) +0000\" value=\"\(value)\"/>"
    }
    try database.folder.write(
      "<HealthData>" + record("2026-06-01 20:00:00", 5) + record("2026-06-02 23:30:00", 7)
        + record("2026-06-04 10:00:00", 9) + "</HealthData>", to: "export.xml")
    func load(_ zone: String) throws -> ImportSummary {
      try AppleHealthImport(
        path: database.folder.file("export.xml"), user: "anna", timeZone: zone,
        options: database.options
      ).run(into: database.storage)
    }
    #expect(try load("UTC").missingDays == [])
    #expect(try load("Europe/Madrid").missingDays == [#require(Day("2026-06-02"))])
    let rows = try database.rows(of: [UUID(name: "anna")], metrics: [MetricType("steps")])
    #expect(
      rows.filter { !$0.contains("nan") } == [
        "0 2026-06-01 apple_health [5.0]", "0 2026-06-03 apple_health [7.0]",
        "0 2026-06-04 apple_health [9.0]",
      ])
  }

  @Test func endsWhereItIsToStop() throws {
    var options = options
    options.shouldStop = { true }
    let rows = (1...5_000).map { "2026-06-01 07:00:\($0),\($0)\n" }
    try folder.write("Wake onset,Asleep duration (min)\n" + rows.joined(), to: "sleeps.csv")
    let error = try #require(throws: ImportError.self) {
      try ArchiveImport(
        path: folder.file("sleeps.csv"), kind: "whoop", user: "anna", options: options)
    }
    #expect(error == .interruption)
  }

  @Test(arguments: DatabaseKind.allCases)
  func writesAllOrNothingAndTheSameTwice(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    try database.folder.write(Self.whoop(1...6) + "\nsoon,5", to: "sleeps.csv")
    func load() throws -> ImportSummary {
      try ArchiveImport(
        path: database.folder.path, kind: "whoop", user: "anna", options: database.options
      ).run(into: database.storage)
    }
    let error = try #require(throws: ImportError.self) { try load() }
    #expect(error.problems == ["sleeps.csv:8: Wake onset: not a date (YYYY-MM-DD)"])
    #expect(try database.contents() == [])
    database.options.maxBadRowFraction = 0.5
    let summary = try load()
    #expect((summary.rowsRead, summary.rowsQuarantined) == (7, 1))
    let contents = try database.contents()
    #expect(
      try load().tables
        == summary.tables.map { table in
          var table = table
          table.personsAdded = 0
          return table
        })
    #expect(try database.contents() == contents)
  }
}
