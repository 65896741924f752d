import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct AppleHealthImportTests {
  let folder: TemporaryFolder
  var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system,
      maxBadRowFraction: 1)
  }

  /// The beginning of an export, with the document type that Apple writes.
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
    <!ATTLIST HealthData locale CDATA #REQUIRED>
    <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
    <!ATTLIST Record type CDATA #REQUIRED unit CDATA #IMPLIED value CDATA #IMPLIED>
    ]>
    <HealthData locale="en_GB">
    <ExportDate value="2026-06-30 05:00:00 +0200"/>
    <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>

    """
  private static let tail = "</HealthData>\n"

  private func record(
    _ type: String, _ value: String, _ unit: String?, _ start: String, _ end: String? = nil,
    source: String = "Watch", zone: String = "+0200"
  ) -> String {
    let unit = unit.map { " unit=\"\($0)\"" } ?? ""
    return "<Record type=\"HK\(type)\" sourceName=\"\(source)\"\(unit)"
      + " creationDate=\"2026-06-29 00:00:00 +0200\" startDate=\"\(start) \(zone)\""
      + " endDate=\"\(end ?? start) \(zone)\" value=\"\(value)\">"
      + "<MetadataEntry key=\"x\" value=\"y\"/></Record>\n"
  }

  private func quantity(
    _ type: String, _ value: String, _ unit: String, _ start: String, source: String = "Watch",
    zone: String = "+0200", to end: String? = nil
  ) -> String {
    record("QuantityTypeIdentifier\(type)", value, unit, start, end, source: source, zone: zone)
  }

  private func sleep(
    _ stage: String, _ start: String, _ end: String, source: String = "Watch"
  ) -> String {
    record(
      "CategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysis\(stage)", nil, start,
      end,
      source: source)
  }

  private func open(_ body: String) throws -> AppleHealthImport {
    try open(xml: Self.head + body + Self.tail)
  }

  private func open(xml: String) throws -> AppleHealthImport {
    try AppleHealthImport(
      path: try folder.write(xml, to: "export.xml"), user: "anna", options: options)
  }

  /// The days as `date metric=value ...`.
  private func days(_ body: String...) throws -> [String] {
    let recorder = InputRecorder()
    _ = try open(body.joined()).load(into: recorder)
    return (recorder.rows["wearable_daily_metrics"] ?? []).map { row in
      guard case .day(let day) = row["metric_date"] else { return "no day" }
      let metrics = InputTable.wearableMetrics.compactMap { metric -> String? in
        guard case .real(let number) = row[metric.rawValue] else { return nil }
        return "\(metric.rawValue)=\(number)"
      }
      return (["\(day)"] + metrics).joined(separator: " ")
    }
  }

  @Test func sumsAndMeansOfADayInItsOwnOffset() throws {
    #expect(
      try days(
        quantity("StepCount", "100", "count", "2026-06-01 00:10:00"),
        quantity("StepCount", "250", "count", "2026-06-01 23:59:59"),
        // Already 2 June in UTC, and still 1 June where the person was.
        quantity("StepCount", "7", "count", "2026-06-01 22:00:00", zone: "-0800"),
        quantity("StepCount", "40", "count", "2026-06-02 00:00:00"),
        quantity("ActiveEnergyBurned", "418.4", "kJ", "2026-06-01 10:00:00"),
        quantity("ActiveEnergyBurned", "50", "kcal", "2026-06-01 11:00:00"),
        quantity("AppleExerciseTime", "1", "min", "2026-06-01 11:00:00"),
        quantity("AppleExerciseTime", "1", "min", "2026-06-01 11:01:00"),
        quantity("RestingHeartRate", "58", "count/min", "2026-06-01 11:01:00"),
        quantity("RestingHeartRate", "60", "count/min", "2026-06-01 12:01:00"),
        quantity("HeartRateVariabilitySDNN", "41.5", "ms", "2026-06-01 12:01:00"),
        quantity("OxygenSaturation", "0.97", "%", "2026-06-01 12:01:00"),
        quantity("RespiratoryRate", "14.5", "count/min", "2026-06-01 02:01:00"),
        quantity("HeartRate", "71", "count/min", "2026-06-01 02:01:00")) == [
          "2026-06-01 steps=357.0 hrv_ms=41.5 resting_hr=59.0 movement_minutes=2.0"
            + " active_calories=150.0 breathing_rate=14.5 spo2_avg_pct=97.0",
          "2026-06-02 steps=40.0",
        ])
  }

  @Test func readsTheTemperatureOfANightOnTheDayOfWaking() throws {
    #expect(
      try days(
        quantity(
          "AppleSleepingWristTemperature", "33.5", "degC", "2026-06-01 23:10:00",
          to: "2026-06-02 06:50:00"),
        quantity(
          "AppleSleepingWristTemperature", "92.84", "degF", "2026-06-03 00:20:00",
          to: "2026-06-03 06:50:00")
      ).map { $0.prefix(34) } == [
        "2026-06-02 skin_temperature_c=33.5", "2026-06-03 skin_temperature_c=33.8",
      ])
  }

  @Test func countsOneSourceADaySoThatPhoneAndWatchAreNotAddedUp() throws {
    let watch = (8..<20).map { hour in
      quantity("StepCount", "500", "count", "2026-06-01 \(hour < 10 ? "0" : "")\(hour):00:00")
    }.joined()
    let phone = (9..<12).map { hour in
      quantity(
        "StepCount", "3000", "count", "2026-06-01 \(hour < 10 ? "0" : "")\(hour):30:00",
        source: "iPhone")
    }.joined()
    #expect(try days(watch, phone) == ["2026-06-01 steps=6000.0"])
    #expect(try days(phone, watch) == ["2026-06-01 steps=6000.0"])
    // Another day without the watch has the steps of the phone.
    #expect(
      try days(
        watch, phone,
        quantity("StepCount", "900", "count", "2026-06-02 09:00:00", source: "iPhone")
      ) == ["2026-06-01 steps=6000.0", "2026-06-02 steps=900.0"])
  }

  @Test func equalSourcesAreDecidedByTheLargerValueWhateverTheirOrder() throws {
    let one = quantity("StepCount", "10", "count", "2026-06-01 09:00:00", source: "A")
    let two = quantity("StepCount", "20", "count", "2026-06-01 10:00:00", source: "B")
    #expect(try days(one, two) == ["2026-06-01 steps=20.0"])
    #expect(try days(two, one) == ["2026-06-01 steps=20.0"])
  }

  @Test func sleepIsTheUnionOfItsParts() throws {
    #expect(
      try days(
        sleep("InBed", "2026-06-01 22:30:00", "2026-06-02 07:00:00"),
        sleep("AsleepCore", "2026-06-01 23:00:00", "2026-06-02 02:00:00"),
        // Overlaps the part before it by an hour.
        sleep("AsleepDeep", "2026-06-02 01:00:00", "2026-06-02 03:00:00"),
        sleep("AsleepREM", "2026-06-02 03:00:00", "2026-06-02 04:00:00"),
        sleep("Awake", "2026-06-02 04:00:00", "2026-06-02 04:30:00"),
        // The same again, as apps that copy records write it.
        sleep("AsleepREM", "2026-06-02 03:00:00", "2026-06-02 04:00:00"),
        // A nap belongs to the day itself, and the next evening to the day after.
        sleep("AsleepCore", "2026-06-02 14:00:00", "2026-06-02 14:30:00"),
        sleep("AsleepUnspecified", "2026-06-02 18:00:00", "2026-06-02 19:00:00")) == [
          "2026-06-02 sleep_minutes=330.0 sleep_efficiency_pct=61.11 deep_sleep_minutes=120.0"
            + " rem_sleep_minutes=60.0 light_sleep_minutes=150.0 awake_minutes=30.0",
          "2026-06-03 sleep_minutes=60.0",
        ])
  }

  @Test func sleepComesFromTheSourceWithMostOfIt() throws {
    #expect(
      try days(
        sleep("InBed", "2026-06-01 22:00:00", "2026-06-02 08:00:00", source: "iPhone"),
        sleep("Asleep", "2026-06-01 23:00:00", "2026-06-02 06:00:00", source: "App"),
        sleep("AsleepCore", "2026-06-01 23:00:00", "2026-06-02 06:30:00")) == [
          "2026-06-02 sleep_minutes=450.0 deep_sleep_minutes=0.0 rem_sleep_minutes=0.0"
            + " light_sleep_minutes=450.0 awake_minutes=0.0"
        ])
    // Lying in bed is not sleep.
    #expect(try days(sleep("InBed", "2026-06-01 22:00:00", "2026-06-02 08:00:00")) == [])
  }

  @Test func manyPartsOfANightAreJoinedWithoutAChange() throws {
    let parts = (0..<2000).map { index in
      let second = index * 7
      func time(_ second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "2026-06-02 \(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
      }
      return sleep("AsleepCore", time(second), time(second + 10))
    }
    #expect(
      try days(parts.shuffled().joined()).first?.hasPrefix(
        "2026-06-02 sleep_minutes=\(Double(1999 * 7 + 10) / 60)") == true)
  }

  @Test func stagesAddUpToTheSleepWhereTheyLieInOneAnother() throws {
    #expect(
      try days(
        sleep("AsleepCore", "2026-05-31 23:00:00", "2026-06-01 07:00:00"),
        sleep("AsleepDeep", "2026-06-01 01:00:00", "2026-06-01 02:30:00"),
        sleep("AsleepREM", "2026-06-01 02:00:00", "2026-06-01 04:00:00")) == [
          "2026-06-01 sleep_minutes=480.0 deep_sleep_minutes=90.0 rem_sleep_minutes=90.0"
            + " light_sleep_minutes=300.0 awake_minutes=0.0"
        ])
    // Sleep of which the device does not say how deep it was is not said to be light, or not to be.
    #expect(
      try days(
        sleep("AsleepUnspecified", "2026-05-31 23:00:00", "2026-06-01 07:00:00"),
        sleep("AsleepDeep", "2026-06-01 01:00:00", "2026-06-01 02:30:00")) == [
          "2026-06-01 sleep_minutes=480.0 deep_sleep_minutes=90.0 rem_sleep_minutes=0.0"
            + " awake_minutes=0.0"
        ])
  }

  @Test func recordsThatAreThereTwiceCountOnce() throws {
    let records =
      quantity("StepCount", "100", "count", "2026-06-01 08:00:00")
      + quantity("StepCount", "100", "count", "2026-06-01 09:00:00")
      + quantity("StepCount", "100", "count", "2026-06-01 08:00:00", source: "iPhone")
      + quantity("RestingHeartRate", "50", "count/min", "2026-06-01 08:00:00")
      + quantity("RestingHeartRate", "60", "count/min", "2026-06-01 09:00:00")
    let expected = ["2026-06-01 steps=200.0 resting_hr=55.0"]
    #expect(try days(records) == expected)
    #expect(try days(records, records) == expected)
    #expect(
      try days(records, quantity("RestingHeartRate", "50", "count/min", "2026-06-01 08:00:00"))
        == expected)
    #expect(
      try open(records + records).interpretation.form.contains(
        "5 records repeated and counted once"))
  }

  /// A record of a night that names its zone, by the clock of an export.
  private func zoned(
    _ start: String, _ end: String, _ offset: String, zone: String = "Europe/Berlin"
  )
    -> String
  {
    "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"Watch\""
      + " startDate=\"\(start) \(offset)\" endDate=\"\(end) \(offset)\""
      + " value=\"HKCategoryValueSleepAnalysisAsleepCore\">"
      + "<MetadataEntry key=\"HKTimeZone\" value=\"\(zone)\"/></Record>\n"
  }

  @Test func theZoneOfARecordDecidesItsDayWhereverTheExportWasMade() throws {
    let home =
      zoned("2026-06-01 22:30:00", "2026-06-02 06:30:00", "+0200")
      + quantity("StepCount", "100", "count", "2026-06-02 00:30:00")
      + quantity("StepCount", "900", "count", "2026-06-02 20:00:00")
      + "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" startDate=\"2026-06-02 00:10:00 +0200\""
      + " endDate=\"2026-06-02 00:15:00 +0200\"/>\n"
    let abroad =
      zoned("2026-06-01 16:30:00", "2026-06-02 00:30:00", "-0400")
      + quantity("StepCount", "100", "count", "2026-06-01 18:30:00", zone: "-0400")
      + quantity("StepCount", "900", "count", "2026-06-02 14:00:00", zone: "-0400")
      + "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" startDate=\"2026-06-01 18:10:00 -0400\""
      + " endDate=\"2026-06-01 18:15:00 -0400\"/>\n"
    for body in [home, abroad] {
      let recorder = InputRecorder()
      _ = try open(body).load(into: recorder)
      #expect(
        recorder.rows["exercise_sessions"]?.first?["metric_date"]
          == .day(try #require(Day("2026-06-02"))))
      #expect(
        try days(body) == [
          "2026-06-02 steps=1000.0 sleep_minutes=480.0 deep_sleep_minutes=0.0 rem_sleep_minutes=0.0"
            + " light_sleep_minutes=480.0 awake_minutes=0.0"
        ])
    }
    #expect(
      try open(abroad).interpretation.columns.contains {
        $0.meaning == "days of Europe/Berlin, where a record names no zone of its own"
      })
  }

  @Test func aZoneIsGivenOrThatOfThePerson() throws {
    let body = quantity("StepCount", "100", "count", "2026-06-01 23:30:00", zone: "-0400")
    let path = try folder.write(Self.head + body + Self.tail, to: "export.xml")
    func day(_ zone: String?, ofPerson own: String?) throws -> InputValue? {
      var options = options
      options.timeZoneOfPerson = { _ in own }
      let recorder = InputRecorder()
      _ = try AppleHealthImport(path: path, user: "anna", timeZone: zone, options: options)
        .load(into: recorder)
      return recorder.rows["wearable_daily_metrics"]?.first?["metric_date"]
    }
    let (first, second) = (try #require(Day("2026-06-01")), try #require(Day("2026-06-02")))
    #expect(try day(nil, ofPerson: nil) == .day(first))
    #expect(try day("Europe/Berlin", ofPerson: nil) == .day(second))
    #expect(try day(nil, ofPerson: "Europe/Berlin") == .day(second))
    #expect(try day("America/New_York", ofPerson: "Europe/Berlin") == .day(first))
    let error = try #require(throws: ImportError.self) { try day("Mars/Base", ofPerson: nil) }
    #expect(error.code == .usage)
  }

  @Test func whatALaterVersionBringsIsNamedAndNoFault() throws {
    let recorder = InputRecorder()
    let file = try open(
      sleep("AsleepDreaming", "2026-06-01 23:00:00", "2026-06-02 06:00:00")
        + "<Record type=\"HKQuantityTypeIdentifierMood\" value=\"1\"/><Novelty a=\"b\"><Part/></Novelty>"
        + quantity("StepCount", "5", "count", "2026-06-01 10:00:00"))
    #expect(try file.load(into: recorder).rowsQuarantined == 0)
    #expect(Set(file.interpretation.ignored) == ["AsleepDreaming", "Mood"])
  }

  @Test(arguments: [
    (
      "2026-06-01",
      "<!ELEMENT HealthData ANY>\n<!ATTLIST Vision\n type CDATA #REQUIRED\n<!ELEMENT Eye EMPTY>"
    ),
    (
      "2026-06-02",
      "<!ELEMENT HealthData ANY>\n<!ATTLIST Vision\n type CDATA #REQUIRED\n>\n>\n<!ELEMENT Eye EMPTY>"
    ),
    ("2026-06-03", "<!-- <HealthData> in a remark -->\n]]>"),
  ])
  func aBrokenDocumentTypeIsNotRead(date: String, type: String) throws {
    let xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [\n\(type)\n]>\n<HealthData>\n"
      + quantity("StepCount", "5", "count", "\(date) 10:00:00")
      + quantity("StepCount", "x", "count", "\(date) 10:00:00") + "</HealthData>"
    let file = try open(xml: xml)
    let summary = try file.load(into: InputRecorder())
    #expect(summary.tables.first?.rowsWritten == 1)
    #expect(file.interpretation.form.contains("document type not read"))
    // Lines stay where they are.
    let line =
      xml.prefix(upTo: try #require(xml.range(of: "value=\"x\"")).lowerBound).count { $0 == "\n" }
      + 1
    #expect(summary.firstProblems == ["export.xml:\(line): value: not a number"])
  }

  @Test func charactersThatXMLForbidsAreLeftOutAndCounted() throws {
    let file = try open(
      xml: Self.head.replacing("en_GB", with: "e\u{B}n&#0;_&#x1F;GB\u{FFFE}")
        + quantity("StepCount", "5", "count", "2026-06-01 10:00:00", source: "A &amp; B\u{1}")
        + Self.tail)
    #expect(try file.load(into: InputRecorder()).tables.first?.rowsWritten == 1)
    #expect(file.interpretation.form.contains("5 forbidden characters left out"))
  }

  @Test func aZIPArchiveThatIsNotCompleteSaysWhatToDo() throws {
    let path = try folder.write(Data([0x50, 0x4B, 3, 4, 0, 0]), to: "export.zip")
    let error = try #require(throws: ImportError.self) {
      try AppleHealthImport(path: path, user: "anna", options: options)
    }
    #expect(error.message.contains("copy it again"))
  }

  @Test func workoutsBecomeExerciseSessions() throws {
    let recorder = InputRecorder()
    let workout =
      "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30\""
      + " sourceName=\"Watch\" startDate=\"2026-06-01 23:45:00 +0200\""
      + " endDate=\"2026-06-02 00:15:00 +0200\"></Workout>\n"
    let summary = try open(workout).load(into: recorder)
    let row = try #require(recorder.rows["exercise_sessions"]?.first)
    #expect(row["activity_type_name"] == .text("Running"))
    #expect(row["metric_date"] == .day(try #require(Day("2026-06-01"))))
    #expect(row["started_at"] == .timestamp(try #require(Timestamp("2026-06-01T21:45:00Z"))))
    #expect(summary.tables.map(\.name) == ["wearable_daily_metrics", "exercise_sessions"])
  }

  @Test func saysWhatWasReadAndWhatNot() throws {
    let file = try open(
      quantity("StepCount", "1", "count", "2026-06-01 10:00:00")
        + quantity("HeartRate", "71", "count/min", "2026-06-01 02:01:00")
        + sleep("Asleep", "2026-06-01 23:00:00", "2026-06-02 06:00:00"))
    #expect(
      file.interpretation.columns.map { "\($0.name): \($0.meaning)" } == [
        "(all rows): user_id anna", "StepCount: steps, sum of a day (1 record)",
        "SleepAnalysis: sleep_minutes and stages (1 record)",
      ])
    #expect(file.interpretation.ignored == ["HeartRate"])
  }

  @Test func namesTheLinesOfRecordsThatCannotBeUsed() throws {
    let recorder = InputRecorder()
    let summary = try open(
      quantity("StepCount", "many", "count", "2026-06-01 10:00:00")
        + quantity("StepCount", "1", "miles", "2026-06-01 10:00:00")
        + quantity("StepCount", "1", "count", "2026-13-01 10:00:00")
        + quantity("StepCount", "1", "count", "2027-06-01 10:00:00")
        + quantity("StepCount", "-1", "count", "2026-06-01 10:00:00")
        + quantity("OxygenSaturation", "97", "%", "2026-06-01 10:00:00")
        + sleep("Asleep", "2026-06-02 06:00:00", "2026-06-01 23:00:00")
        + quantity("StepCount", "5", "count", "2026-06-01 10:00:00")
    ).load(into: recorder)
    let first = Self.head.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(
      summary.firstProblems
        == [
          "value: not a number", "unit: not a unit of steps",
          "startDate: not a time (YYYY-MM-DD HH:MM:SS +HHMM)", "startDate: date in the future",
          "value: negative", "value: above 100 %", "endDate: before startDate",
        ].enumerated().map { "export.xml:\(first + $0.offset): \($0.element)" })
    let table = try #require(summary.tables.first)
    #expect((table.rowsRead, table.rowsWritten, table.rowsQuarantined) == (8, 1, 7))
    var strict = options
    strict.maxBadRowFraction = 0.01
    let file = try AppleHealthImport(
      path: folder.file("export.xml"), user: "anna", options: strict)
    #expect(throws: ImportError.self) { try file.load(into: InputRecorder()) }
  }

  @Test func refusesEntities() throws {
    let laughs = (1...9).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }.joined(separator: "\n")
    let xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [\n<!ENTITY l0 \"ha\">\n\(laughs)\n]>\n"
      + "<HealthData locale=\"&l9;\"/>"
    let error = try #require(throws: ImportError.self) { try open(xml: xml) }
    #expect(error.code == .badData)
    #expect(error.message.contains("export.xml:3: the file declares entities"))
    let external =
      "<!DOCTYPE HealthData [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><HealthData>&x;</HealthData>"
    #expect(throws: ImportError.self) { try open(xml: external) }
  }

  @Test func aTagHasALimitThatTheErrorNames() throws {
    func xml(_ length: Int) -> String {
      Self.head + "<Extra note=\"\(String(repeating: "y", count: length))\"/>\n" + Self.tail
    }
    _ = try open(xml: xml(500_000))
    let error = try #require(throws: ImportError.self) { try open(xml: xml(3_000_000)) }
    #expect(error.code == .badData)
    #expect(error.message.contains("export.xml:11: a tag is longer than 1 MiB"))
    // Text between tags is no tag.
    _ = try open(
      xml: Self.head + "<Extra>\(String(repeating: "y", count: 3_000_000))</Extra>" + Self.tail)
  }

  @Test func elementsInOneAnotherHaveALimitThatTheErrorNames() throws {
    func xml(_ levels: Int) -> String {
      Self.head + String(repeating: "<x>", count: levels)
        + String(repeating: "</x>", count: levels) + Self.tail
    }
    _ = try open(xml: xml(99))
    let error = try #require(throws: ImportError.self) { try open(xml: xml(100)) }
    #expect(error.code == .badData)
    #expect(error.message.contains("more than 100 levels deep"))
  }

  @Test func refusesEveryTruncation() throws {
    let xml =
      Self.head + quantity("StepCount", "5", "count", "2026-06-01 10:00:00") + Self.tail
    let end = Array(xml.utf8).count - 1
    for count in stride(from: 0, to: end, by: 1) {
      let path = try folder.write(Data(xml.utf8.prefix(count)), to: "export.xml")
      let error = try #require(throws: ImportError.self, "\(count) bytes") {
        try AppleHealthImport(path: path, user: "anna", options: options)
      }
      #expect(error.code == .badData)
      #expect(error.message.hasPrefix("export.xml:"))
    }
  }

  @Test(arguments: [
    ("<html><Record/></html>", "no export of Apple Health"),
    ("steps,date\n", "the file is not XML"),
    ("<HealthData><Record></HealthData>", "the file is not XML (mismatched tag)"),
    ("", "the file ends too early"),
  ])
  func refusesOtherFiles(xml: String, reason: String) throws {
    let error = try #require(throws: ImportError.self) { try open(xml: xml) }
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test func anExportWithoutDaysIsNoFault() throws {
    let recorder = InputRecorder()
    let summary = try open("").load(into: recorder)
    #expect(summary.rowsRead == 0)
    #expect(recorder.rows.isEmpty)
  }

  @Test func stopsWhenAsked() throws {
    var options = options
    options.shouldStop = { true }
    let body = String(repeating: "<ExportDate value=\"\"/>", count: 70_000)
    let path = try folder.write(Self.head + body + Self.tail, to: "export.xml")
    let error = try #require(throws: ImportError.self) {
      try AppleHealthImport(path: path, user: "anna", options: options)
    }
    #expect(error.code == .interrupted)
  }
}
