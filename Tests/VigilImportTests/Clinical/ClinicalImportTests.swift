import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct ClinicalImportTests {
  private let folder: TemporaryFolder
  private var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system, maxBadRowFraction: 1)
  }

  /// The days as `person date source metric=value ...`, and the unusable records.
  private func days(
    _ form: ClinicalForm, _ name: String, _ text: String, user: String? = nil,
    timeZone: String? = nil
  ) throws -> (days: [String], unusable: [String], summary: ImportSummary) {
    try folder.write(text, to: name)
    let recorder = InputRecorder()
    let summary = try ClinicalImport(
      path: folder.file(name), form: form, request: .init(user: user, timeZone: timeZone),
      options: options
    ).load(into: recorder)
    let rows = (recorder.rows["wearable_daily_metrics"] ?? []).map { row in
      guard case .uuid(let person) = row["user_id"], case .day(let day) = row["metric_date"],
        case .text(let source) = row["source"]
      else { return "no key" }
      let values = InputTable.wearableMetrics.compactMap { metric -> String? in
        guard case .real(let number) = row[metric.rawValue] else { return nil }
        return "\(metric)=\((number * 1000).rounded() / 1000)"
      }
      let name = recorder.ensuredUsers[person].flatMap { $0 } ?? "?"
      return ([name, "\(day)", source] + values).joined(separator: " ")
    }
    return (
      rows.sorted(),
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "-") \($0.reason)" }, summary
    )
  }

  private func observation(
    _ code: String, _ value: String, _ time: String, of person: String = "Patient/p1",
    id: String? = nil, more: String = ""
  ) -> String {
    let own = id.map { "\"id\": \"\($0)\", " } ?? ""
    return "{\"resourceType\": \"Observation\", \(own)\"status\": \"final\", "
      + "\"code\": {\"coding\": [{\"system\": \"http://loinc.org\", \"code\": \"\(code)\"}]}, "
      + "\"subject\": {\"reference\": \"\(person)\"}, \(time), \"valueQuantity\": \(value)\(more)}"
  }

  private func at(_ time: String) -> String { "\"effectiveDateTime\": \"\(time)\"" }

  @Test func readsObservationsOfABulkExport() throws {
    let night =
      "\"effectivePeriod\": {\"start\": \"2026-06-01T22:50:00+02:00\", "
      + "\"end\": \"2026-06-02T06:40:00+02:00\"}"
    let lines = [
      observation(
        "55423-8", #"{"value": 4000, "code": "{steps}"}"#, at("2026-06-01T10:00:00+02:00")),
      observation("55423-8", #"{"value": 2500, "unit": "steps"}"#, at("2026-06-01T23:59:00+02:00")),
      observation("93832-4", #"{"value": 7.25, "code": "h"}"#, night),
      observation("40443-4", #"{"value": 58, "code": "/min"}"#, at("2026-06-01")),
      observation("40443-4", #"{"value": 60, "code": "{beats}/min"}"#, at("2026-06-01")),
      observation("80404-7", #"{"value": 41.5, "code": "ms"}"#, at("2026-06-01")),
      observation("59408-5", #"{"value": 0.97, "code": "1"}"#, at("2026-06-01")),
      observation(
        "9279-1", #"{"value": 14.5, "code": "/min"}"#, at("2026-06-01"), of: "urn:uuid:p2"),
      observation(
        "41950-7", #"{"value": 9000, "code": "1"}"#, at("2026-06-01"), of: "Patient/p2",
        more: ", \"device\": {\"display\": \"Watch\"}"),
      observation("8302-2", #"{"value": 178, "code": "cm"}"#, at("2026-06-01")),
      "{\"resourceType\": \"Patient\", \"id\": \"p1\"}",
    ]
    let found = try days(.fhir, "Observation.ndjson", lines.joined(separator: "\n"))
    #expect(
      found.days == [
        "p1 2026-06-01 fhir steps=6500.0 hrv_ms=41.5 resting_hr=59.0 spo2_avg_pct=97.0",
        "p1 2026-06-02 fhir sleep_minutes=435.0", "p2 2026-06-01 Watch steps=9000.0",
        "p2 2026-06-01 fhir breathing_rate=14.5",
      ])
    #expect(found.unusable == [])
    #expect(found.summary.tables[0].rowsRead == 10)
    // A list and a Bundle hold the same.
    let list = "[\n\(lines.joined(separator: ",\n"))\n]"
    #expect(try days(.fhir, "list.json", list).days == found.days)
    let bundle = lines.map { "{\"resource\": \($0)}" }.joined(separator: ",")
    #expect(
      try days(.fhir, "b.json", "{\"resourceType\": \"Bundle\", \"entry\": [\(bundle)]}").days
        == found.days)
  }

  @Test func readsADocumentOfAnyForm() throws {
    let steps = (1...3).map { day in
      observation("55423-8", "{\"value\": \(day)00, \"code\": \"{steps}\"}", at("2026-06-0\(day)"))
    }
    let expected = (1...3).map { "p1 2026-06-0\($0) fhir steps=\($0)00.0" }
    let entries = steps.map { "{\"fullUrl\": \"a[\", \"resource\": \($0)}" }.joined(
      separator: ",\n")
    for text in [
      "{\"resourceType\": \"Bundle\", \"entry\": [\(entries)], \"link\": [{\"relation\": \"self\"}]}",
      "{\"resourceType\":\"Bundle\",\"entry\":[\(entries.replacing("\n", with: ""))]}",
      "\n\n[\(steps.joined(separator: " , "))]\n", steps.joined(separator: "\n") + "\n",
      "\n" + steps.joined(separator: "\r\n\n"),
    ] {
      #expect(try days(.fhir, "a.json", text).days == expected, "\(text.prefix(40))")
    }
    #expect(try days(.fhir, "a.json", steps[0]).days == [expected[0]])
    // An object over several lines is one document.
    #expect(
      try days(.fhir, "a.json", steps[0].replacing(", ", with: ",\n")).days == [expected[0]])
  }

  @Test func refusesADocumentThatIsDamaged() throws {
    let one = observation("55423-8", #"{"value": 5, "code": "{steps}"}"#, at("2026-06-01"))
    for text in [
      "[\(one)", "[\(one),]", "[\(one) \(one)]", "[\(one)] x", "[\(one), {]",
      "{\"entry\": [{\"resource\": \(one)}]", "{\"entry\": [{\"resource\": \(one)}], \"a\": }",
    ] {
      let error = try #require(throws: ImportError.self, "\(text.suffix(20))") {
        try days(.fhir, "a.json", text)
      }
      #expect(error.message == "a.json is not JSON; nothing was imported; copy it again")
    }
    let found = try days(.fhir, "a.json", "[\(one), 7, null, {\"a\": 1}]")
    #expect(found.unusable == ["2 - not an object of JSON", "3 - not an object of JSON"])
    let bundle = "{\"entry\": [{\"resource\": \(one)}, {\"request\": {}}]}"
    #expect(try days(.fhir, "a.json", bundle).unusable == ["2 - not an object of JSON"])
  }

  @Test func theLastVersionOfARecordCounts() throws {
    let value = { (steps: Int) in "{\"value\": \(steps), \"code\": \"{steps}\"}" }
    let time = at("2026-06-01T10:00:00+02:00")
    let lines = [
      observation("55423-8", value(100), time, id: "a"),
      observation("55423-8", value(100), time, id: "a"),
      observation("55423-8", value(300), time, id: "b"),
      observation("55423-8", value(250), time, id: "b"),
      observation("55423-8", value(999), time, id: "c"),
      observation("55423-8", value(999), time, id: "c").replacing(
        "final", with: "entered-in-error"),
    ]
    #expect(
      try days(.fhir, "a.ndjson", lines.joined(separator: "\n")).days == [
        "p1 2026-06-01 fhir steps=350.0"
      ])
  }

  @Test func namesWhatCannotBeUsed() throws {
    let lines = [
      observation("55423-8", #"{"value": 4000, "code": "mg"}"#, at("2026-06-01")),
      observation("55423-8", #"{"value": 4000, "code": "{steps}"}"#, at("2026-06")),
      observation("55423-8", #"{"value": 4000, "code": "{steps}"}"#, at("2026-06-01T10:00:00Z")),
      observation("59408-5", #"{"value": 970, "code": "%"}"#, at("2026-06-01")),
      observation("55423-8", #"{"value": 1, "code": "{steps}"}"#, at("2036-06-01")),
      "rubbish",
      observation("55423-8", #"{"code": "{steps}"}"#, at("2026-06-01")),
    ]
    let found = try days(.fhir, "a.ndjson", lines.joined(separator: "\n"))
    #expect(found.days == [])
    #expect(
      found.unusable == [
        "1 value not in a unit of steps",
        "2 time missing, or no date and no instant with an offset",
        "3 time a time in UTC of a person whose time zone is not known", "4 value above 100 %",
        "5 time date in the future", "6 - not an object of JSON", "7 value missing",
      ])
    let zoned = try days(.fhir, "z.ndjson", lines[2], timeZone: "Pacific/Auckland")
    #expect(zoned.days == ["p1 2026-06-01 fhir steps=4000.0"])
  }

  @Test func aFirstLineThatIsNoneSpoilsNoOther() throws {
    let line = observation("55423-8", #"{"value": 5, "code": "{steps}"}"#, at("2026-06-01"))
    let found = try days(.fhir, "a.ndjson", "rubbish\n\n\(line)\n")
    #expect(found.days == ["p1 2026-06-01 fhir steps=5.0"])
    #expect(found.unusable == ["1 - not an object of JSON"])
  }

  @Test func rowsOfErasedPersonsAreLeftOutAndCounted() throws {
    try folder.write(
      observation("55423-8", #"{"value": 5, "code": "{steps}"}"#, at("2026-06-01")) + "\n"
        + observation(
          "55423-8", #"{"value": 5, "code": "{steps}"}"#, at("2026-06-01"), of: "Patient/p2"),
      to: "a.ndjson")
    var options = options
    options.isErased = { $0 == UUID(name: "p1") }
    let recorder = InputRecorder()
    let summary = try ClinicalImport(
      path: folder.file("a.ndjson"), form: .fhir, request: .init(), options: options
    ).load(into: recorder)
    #expect(recorder.rows["wearable_daily_metrics"]?.count == 1)
    let table = summary.tables[0]
    #expect(table.rowsRead == 2 && table.rowsWritten == 1)
    #expect(table.rowsLeftOut == 1 && table.rowsMerged == 0)
  }

  @Test func readsDataPointsOfOpenMHealth() throws {
    func point(_ schema: String, _ body: String, source: String = "ring") -> String {
      "{\"header\": {\"id\": \"\(UUID(name: schema + body))\", \"user_id\": \"u1\", "
        + "\"schema_id\": {\"namespace\": \"omh\", \"name\": \"\(schema)\", \"version\": \"2.0\"}, "
        + "\"acquisition_provenance\": {\"source_name\": \"\(source)\"}}, \"body\": {\(body)}}"
    }
    let day = #""effective_time_frame": {"date_time": "2026-06-01T12:00:00+02:00"}"#
    let lines = [
      point(
        "step-count",
        "\"step_count\": 6000, "
          + #""effective_time_frame": {"time_interval": {"start_date_time": "2026-06-01T08:00:00+02:00", "duration": {"value": 12, "unit": "h"}}}"#
      ),
      point("step-count", "\"step_count\": {\"value\": 500, \"unit\": \"steps\"}, \(day)"),
      point(
        "total-sleep-time",
        #""total_sleep_time": {"value": 420, "unit": "min"}, "effective_time_frame": {"time_interval": {"start_date_time": "2026-05-31T23:00:00+02:00", "duration": {"value": 8, "unit": "h"}}}"#
      ),
      point(
        "heart-rate",
        "\"heart_rate\": {\"value\": 56, \"unit\": \"beats/min\"}, \"temporal_relationship_to_physical_activity\": \"at rest\", \(day)"
      ),
      point(
        "heart-rate",
        "\"heart_rate\": {\"value\": 140, \"unit\": \"beats/min\"}, \"temporal_relationship_to_physical_activity\": \"during exercise\", \(day)"
      ),
      point(
        "oxygen-saturation", "\"oxygen_saturation\": {\"value\": 96.5, \"unit\": \"%\"}, \(day)"),
      point("body-weight", "\"body_weight\": {\"value\": 70, \"unit\": \"kg\"}, \(day)"),
    ]
    #expect(
      try days(.openMHealth, "points.json", lines.joined(separator: "\n")).days == [
        "u1 2026-06-01 ring steps=6500.0 sleep_minutes=420.0 resting_hr=56.0 spo2_avg_pct=96.5"
      ])
  }

  @Test func refusesFilesWithoutARecord() throws {
    for (name, text, words) in [
      ("a.ndjson", "{\"resourceType\": \"Patient\"}\n", "a.ndjson holds no record of FHIR"),
      ("b.json", "no JSON", "b.json is not JSON"),
      ("c.json", "\n", "c.json holds no record of FHIR"),
      ("d.ndjson", "", "d.ndjson holds no record"),
    ] {
      let error = try #require(throws: ImportError.self) { try days(.fhir, name, text) }
      #expect(error.code == .badData)
      #expect(error.message.contains(words))
    }
    let error = try #require(throws: ImportError.self) {
      try ClinicalImport(
        path: folder.file("none"), form: .fhir, request: .init(), options: options)
    }
    #expect(error.code == .usage)
  }

  @Test(arguments: DatabaseKind.allCases)
  func writesTheSameTwice(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    let lines = (1...9).map { day in
      observation(
        "55423-8", "{\"value\": \(day)00, \"code\": \"{steps}\"}", at("2026-06-0\(day)"),
        id: "s\(day)")
    }
    try database.folder.write(lines.joined(separator: "\n"), to: "Observation.ndjson")
    func load() throws -> [String] {
      _ = try ClinicalImport(
        path: database.folder.path, form: .fhir, request: .init(), options: database.options
      ).run(into: database.storage)
      return try database.rows(of: [UUID(name: "p1")], metrics: [MetricType("steps")])
    }
    let first = try load()
    #expect(first.count >= 9)
    #expect(try load() == first)
  }
}
