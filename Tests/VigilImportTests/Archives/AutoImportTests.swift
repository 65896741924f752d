import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct AutoImportTests {
  let folder: TemporaryFolder
  let options: ImportOptions

  private static let apple = """
    <?xml version="1.0"?>
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (Record*)>
    ]>
    <HealthData>
    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" \
    startDate="2026-06-01 10:00:00 +0200" endDate="2026-06-01 10:10:00 +0200" value="500"/>
    </HealthData>
    """
  private static let whoop = "Wake onset,Asleep duration (min)\n2026-06-01 07:00:00,400\n"

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system)
  }

  private func open(
    _ name: String, user: String? = "anna", source: String? = nil, kind: String? = nil
  ) throws -> AutoImport {
    try AutoImport(
      path: folder.file(name),
      request: AutoImport.Request(user: user, source: source, kind: kind), options: options)
  }

  private func refusal(
    _ name: String, user: String? = "anna", kind: String? = nil
  ) throws -> ImportError {
    try #require(throws: ImportError.self) { try open(name, user: user, kind: kind) }
  }

  @Test func readsAnArchiveOfAppleHealthAsItIs() throws {
    try TestArchive.write(
      [
        ("apple_health_export/export_cda.xml", "<ClinicalDocument/>"),
        ("apple_health_export/Exportación.xml", Self.apple),
      ], to: folder.file("export.zip"))
    let found = try #require(try open("export.zip").contents)
    #expect(found.days.map(\.values) == [[MetricType("steps"): 500]])
    let direct = try AppleHealthImport(
      path: folder.file("export.zip"), user: "anna", options: options)
    #expect(direct.contents == found)
    #expect(try folder.fileNames == ["export.zip"])
  }

  @Test(arguments: [
    ("export.xml.gz", apple),
    ("oura_data.json.gz", #"{"sleep": [{"day": "2026-06-02", "total_sleep_duration": 60}]}"#),
    ("sleeps.csv.gz", whoop), ("Sleeps (1).CSV.GZ", whoop),
    ("daily.csv.gz", "date,source,steps\n2026-06-01,ring,5\n"),
    (
      "Observation.ndjson.gz",
      #"{"resourceType": "Observation", "status": "final", "code": {"coding": [{"code": "55423-8"}]}, "#
        + #""effectiveDateTime": "2026-06-01", "valueQuantity": {"value": 5, "code": "{steps}"}}"#
    ),
  ])
  func readsACompressedFileAsTheFileInIt(name: String, text: String) throws {
    let plain = name.lowercased().replacing(".gz", with: "")
    try folder.write(try TestArchive.gzipped(Data(text.utf8)), to: name)
    try folder.write(text, to: plain)
    let (found, expected) = (try open(name), try open(plain))
    #expect(found.contents == expected.contents)
    #expect(found.interpretation?.form == expected.interpretation?.form)
    let (rows, expectedRows) = (InputRecorder(), InputRecorder())
    #expect(try found.load(into: rows).rowsRead > 0)
    _ = try expected.load(into: expectedRows)
    #expect(rows.rows == expectedRows.rows)
    #expect(!rows.rows.isEmpty)
    #expect(try folder.fileNames == [name, plain].sorted())
  }

  @Test func readsCompressedFilesOfAFolderAndAnArchive() throws {
    let other = "Wake onset,Asleep duration (min)\n2026-06-02 07:00:00,410\n"
    try FileManager.default.createDirectory(
      atPath: folder.file("all"), withIntermediateDirectories: false)
    try folder.write(try TestArchive.gzipped(Data(Self.whoop.utf8)), to: "all/sleeps.csv.gz")
    try TestArchive.write(
      [("export/sleeps.csv.gz", try TestArchive.gzipped(Data(other.utf8)))],
      to: folder.file("all/more.zip"))
    let found = try #require(try open("all").contents)
    #expect(found.days.map(\.values) == [400, 410].map { [MetricType("sleep_minutes"): $0] })
  }

  @Test(arguments: ["export.xml.gz", "oura.json.gz", "sleeps.csv.gz"])
  func refusesAFileOutOfProportionByItsName(name: String) throws {
    let start = [
      "export.xml.gz": "<HealthData>", "oura.json.gz": "[",
      "sleeps.csv.gz": "Wake onset,Asleep duration (min)\n",
    ]
    let zeros = Data(repeating: 0x0A, count: BoundedContents.freeBytes + (8 << 20))
    try folder.write(
      try TestArchive.gzipped(Data((start[name] ?? "").utf8) + zeros), to: name)
    let error = try refusal(name)
    #expect(error.code == .badData)
    #expect(error.message.hasPrefix("\(name) holds more than 500 bytes for each compressed byte"))
  }

  @Test func refusesACompressedFileThatEndsTooEarly() throws {
    try folder.write(
      try TestArchive.gzipped(Data(Self.whoop.utf8)).dropLast(6), to: "sleeps.csv.gz")
    #expect(
      try refusal("sleeps.csv.gz").message.contains(
        "sleeps.csv.gz ends in the middle of its gzip data"))
  }

  @Test func recognizesClinicalRecords() throws {
    try folder.write(
      #"{"header": {"id": "1", "user_id": "u", "schema_id": {"name": "step-count"}}, "#
        + #""body": {"step_count": 7, "effective_time_frame": {"date_time": "2026-06-01T12:00:00+02:00"}}}"#,
      to: "points.json")
    let recorder = InputRecorder()
    let found = try open("points.json", user: nil)
    _ = try found.load(into: recorder)
    #expect(recorder.rows["wearable_daily_metrics"]?.first?["steps"] == .real(7))
    #expect(found.contents == nil && found.interpretation == nil)
    let other = try open("points.json", user: nil, kind: "fhir")
    let error = try #require(throws: ImportError.self) { try other.load(into: recorder) }
    #expect(error.message.contains("no record of FHIR"))
    #expect(
      try #require(throws: ImportError.self) { try open("points.json", source: "x") }.remedy
        == .leaveOut(.source))
  }

  @Test func recognizesVigilsOwnFiles() throws {
    try folder.write("date,steps\n2026-06-01,5\n", to: "daily.csv")
    let daily = try open("daily.csv", source: "ring")
    #expect(daily.interpretation?.form.first == "1 row")
    #expect(daily.contents == nil)
    try FileManager.default.createDirectory(
      atPath: folder.file("tables"), withIntermediateDirectories: false)
    try folder.write(
      "user_id,metric_date,source,steps\nanna,2026-06-01,ring,5\n",
      to: "tables/wearable_daily_metrics.csv")
    #expect(try open("tables", user: nil).interpretation == nil)
  }

  @Test func readsTheArchivesInAFolderTogether() throws {
    try TestArchive.write([("sleeps.csv", Self.whoop)], to: folder.file("a.zip"))
    try TestArchive.write(
      [
        ("sleeps.csv", "Wake onset,Asleep duration (min)\n2026-06-02 07:00:00,410\n"),
        ("copy/sleeps (1).csv", Self.whoop),
      ], to: folder.file("b.zip"))
    let found = try #require(try open("").contents)
    #expect(found.days.map(\.values) == [400, 410].map { [MetricType("sleep_minutes"): $0] })
    #expect(found.recordCount == 2)
  }

  @Test func refusesWhatItDoesNotKnow() throws {
    try folder.write("Lorem ipsum\n", to: "letter.txt")
    var error = try refusal("letter.txt")
    #expect(error.code == .badData)
    #expect(error.message.contains("letter.txt is not recognized"))
    #expect(!error.message.contains("nothing was imported; nothing was imported"))
    #expect(error.message.contains("the kinds are apple-health, fitbit, garmin, "))
    #expect(try refusal("absent.zip").code == .usage)
    try TestArchive.write([("readme.txt", "x")], to: folder.file("a.zip"))
    #expect(
      try refusal("a.zip").message.contains(
        "a.zip is not recognized; it holds 1 file: readme.txt; nothing"))
    try TestArchive.write(
      ["a.txt", "b.txt", "c.txt", "d.txt"].map { ($0, "x") }, to: folder.file("d.zip"))
    #expect(try refusal("d.zip").message.contains("it holds 4 files: a.txt, b.txt, c.txt, ...;"))
    error = try refusal("letter.txt", kind: "whop")
    #expect(error.message.contains("there is no kind 'whop'; did you mean 'whoop'?"))
  }

  @Test func asksWhoseAndOfWhichKind() throws {
    try folder.write(Self.whoop, to: "sleeps.csv")
    try folder.write("date,value\n2026-06-01,5\n", to: "aggregates_steps.csv")
    var error = try refusal("")
    #expect(error.code == .usage)
    #expect(error.message.contains("several kinds: whoop, withings"))
    let found = try open("", kind: "withings")
    #expect(found.contents?.days.map(\.values) == [[MetricType("steps"): 5]])
    error = try refusal("sleeps.csv", user: nil)
    #expect(error.code == .usage)
    #expect(error.remedy == .namePerson)
  }

  @Test func refusesAnExportOneOfWhoseFilesIsDamaged() throws {
    let path = folder.file("export.zip")
    try TestArchive.write(
      [("a/sleeps.csv", Self.whoop), ("b/sleeps.csv", Self.whoop + "2026-06-02 07:00:00,410\n")],
      to: path)
    _ = try open("export.zip")
    // The checksum of the last file, in the directory at the end.
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let entry = try #require(
      bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual([0x50, 0x4B, 1, 2]) })
    bytes[entry + 16] ^= 1
    try Data(bytes).write(to: URL(filePath: path))
    let error = try refusal("export.zip")
    #expect(error.message.contains("b/sleeps.csv is damaged"), "\(error.message)")
  }

  @Test func refusesAnExportWithoutADay() throws {
    try folder.write("Wake onset,Asleep duration (min)\n", to: "sleeps.csv")
    #expect(try refusal("sleeps.csv").message.contains("(whoop) has no day with a value"))
  }

  @Test func followsALinkAndLeavesOutWhatMacOSAdds() throws {
    for name in ["real/sleeps.csv", "real/._sleeps.csv", "real/__MACOSX/._sleeps.csv"] {
      try FileManager.default.createDirectory(
        atPath: folder.file("real/__MACOSX"), withIntermediateDirectories: true)
      try folder.write(name == "real/sleeps.csv" ? Self.whoop : "\u{0}\u{5}", to: name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("real"))
    try TestArchive.write([("sleeps.csv", Self.whoop)], to: folder.file("a.zip"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.zip"), withDestinationPath: folder.file("a.zip"))
    for name in ["real", "link", "link.zip"] {
      #expect(try open(name).contents?.days.count == 1, "\(name)")
    }
  }

  @Test func refusesOptionsThatSayNothingAboutAKind() throws {
    try folder.write(Self.whoop, to: "sleeps.csv")
    let error = try #require(throws: ImportError.self) { try open("sleeps.csv", source: "ring") }
    #expect(error.code == .usage)
    #expect(error.remedy == .leaveOut(.source))
  }

  @Test func recognizesARenamedFileByItsFirstLine() throws {
    try folder.write(
      """
      \u{FEFF}com.samsung.shealth.tracker.pedometer_day_summary,6307003,7
      step_count,day_time
      980,1780358400000,
      """, to: "my steps.csv")
    let found = try AutoImport(path: folder.path, request: .init(user: "anna"), options: options)
    #expect(found.interpretation?.form.first == "samsung")
    #expect(found.contents?.days.first?.values == [MetricType("steps"): 980])
  }

  @Test func theScoresOfSleepHaveAHeartRateWhereNoOtherFileHasOne() throws {
    let scores = """
      sleep_log_entry_id,timestamp,overall_score,deep_sleep_in_minutes,resting_heart_rate,restlessness
      1,2026-06-02T06:34:00Z,74,35,57,0.1
      2,2026-06-02T15:00:00Z,,5,57,0.1
      3,2026-06-03T06:34:00Z,80,60,0,0.1
      """
    try folder.write(scores, to: "sleep_score.csv")
    let found = try AutoImport(
      path: folder.path, request: .init(user: "anna", timeZone: "Europe/Berlin"), options: options)
    #expect(
      found.contents?.days.map(\.values) == [
        [MetricType("deep_sleep_minutes"): 40, MetricType("resting_hr"): 57],
        [MetricType("deep_sleep_minutes"): 60],
      ])
  }
}
