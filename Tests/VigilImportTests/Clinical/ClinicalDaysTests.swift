import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct ClinicalDaysTests {
  private let options: ImportOptions

  init() throws {
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system)
  }

  /// A version of a record of steps.
  private struct Version {
    var person: Int
    var id: Int?
    var day: Int
    var steps: Int
    var isWithdrawn: Bool
  }

  private func record(_ version: Version) throws -> ClinicalRecord {
    var object: [String: Any] = [
      "resourceType": "Observation", "status": version.isWithdrawn ? "entered-in-error" : "final",
      "code": ["coding": [["code": "55423-8"]]],
      "subject": ["reference": "Patient/p\(version.person)"],
      "effectiveDateTime": "2026-\(version.day < 15 ? "05" : "06")-\(10 + version.day)",
      "valueQuantity": ["value": version.steps, "code": "{steps}"],
    ]
    object["id"] = version.id.map { "r\($0)" }
    return try #require(ClinicalRecord(object, as: .fhir))
  }

  /// Rows as `person day steps`.
  private func rows(_ versions: [Version], blockLength: Int) throws -> [String] {
    var days = ClinicalDays(
      try ClinicalForm.fhir.layout(), .init(),
      parser: FieldParser(today: options.today, zones: options.zones), options: options,
      blockLength: blockLength)
    for version in versions {
      if let part = try days.part(of: try record(version)) { try days.keep(part) }
    }
    var texts: [String] = []
    try days.forEachGroup { metrics, rows in
      #expect(metrics == [MetricType("steps")])
      for row in rows {
        texts.append(
          "\(row.person.externalID ?? "-") \(row.day) \(row.values[MetricType("steps")] ?? -1)")
      }
    }
    return texts
  }

  @Test(arguments: [1, 3, 512])
  func countsTheLastVersionOfEachRecordInMemoryAndInFiles(blockLength: Int) throws {
    var random = TestSupport.SeededGenerator(seed: 5)
    let versions = (0..<4_000).map { _ in
      Version(
        person: .random(in: 0..<30, using: &random),
        id: Int.random(in: 0..<10, using: &random) == 0 ? nil : .random(in: 0..<90, using: &random),
        day: .random(in: 0..<20, using: &random), steps: .random(in: 1...500, using: &random),
        isWithdrawn: Int.random(in: 0..<8, using: &random) == 0)
    }
    var last: [String: Version] = [:]
    var counted = versions.filter { $0.id == nil && !$0.isWithdrawn }
    for version in versions {
      if let id = version.id { last["\(version.person) \(id)"] = version }
    }
    counted += last.values.filter { !$0.isWithdrawn }
    var sums: [String: Double] = [:]
    for version in counted {
      let day = "2026-\(version.day < 15 ? "05" : "06")-\(10 + version.day)"
      sums["p\(version.person) \(day)", default: 0] += Double(version.steps)
    }
    let found = try rows(versions, blockLength: blockLength)
    #expect(found.sorted() == sums.map { "\($0.key) \($0.value)" }.sorted())
  }
}
