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
    #expect(error.problems.contains { $0.hasPrefix("garmin: Garmin") })
    #expect(try refusal("absent.zip").code == .usage)
    try TestArchive.write([("readme.txt", "x")], to: folder.file("a.zip"))
    #expect(try refusal("a.zip").message.contains("a.zip is not recognized"))
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
    #expect(error.message.contains("give the id of the person"))
  }
}
