import Foundation
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct AdherenceReportTests {
  private func report(expecting: Bool = true) throws -> AdherenceReport {
    var measures = AdherenceMeasures()
    if expecting {
      (measures.takenDoses, measures.missedDoses) = (3, 1)
      (measures.onTimeDoses, measures.lateDoses) = (2, 1)
      (measures.daysExpected, measures.daysCovered, measures.daysExact) = (2, 1, 1)
      (measures.currentGapDays, measures.longestGapDays) = (1, 5)
    }
    let period = AdherencePeriod.period(.sevenDays, endingAt: try Samples.day("2026-06-30"))
    let rows = [nil, UUID(name: "medication")].map { medication in
      StoredDoseAnalytics(
        analytics: DoseAnalytics(
          user: Samples.person(1), medication: medication, period: period, measures: measures),
        evaluatedAt: Samples.time)
    }
    return AdherenceReport(
      rows: rows, period: .sevenDays, externalIDs: [Samples.person(1): "participant-1"],
      emptyText: "Nothing to do.")
  }

  @Test func tableHasARowForAllMedicationsAndOneForEach() throws {
    let lines = try report().text(style: .plain).split(separator: "\n")
    #expect(lines[1].contains("(participant-1)  all "))
    #expect(lines[2].contains(UUID(name: "medication").shortened))
    for line in lines[1...2] {
      let cells = line.split(separator: /\s{2,}/).suffix(11)
      #expect(
        cells == ["2026-06-30", "3 of 4", "1", "1", "0", "75 %", "50 %", "50 %", "50 %", "1", "5"])
    }
    #expect(lines.contains { $0.hasPrefix("Taking  doses taken of doses expected") })
  }

  @Test func nothingExpectedIsNoRate() throws {
    let lines = try report(expecting: false).text(style: .plain).split(separator: "\n")
    #expect(lines[1].filter { $0 == "–" }.count == 4)
  }

  @Test func jsonNamesTheColumnsOfTheTableAndDefinesEachRate() throws {
    let object = try JSONSerialization.jsonObject(with: Data(try report().json().utf8))
    let document = try #require(object as? [String: Any])
    #expect(document["period"] as? String == "7_days")
    let rows = try #require(document["rows"] as? [[String: Any]])
    #expect(rows[0]["medication_id"] is NSNull)
    #expect(rows[0]["adherence_rate"] as? Double == 0.75)
    #expect(rows[0]["external_id"] as? String == "participant-1")
    let definitions = try #require(document["definitions"] as? [[String: String]])
    for definition in definitions {
      #expect(rows[0].keys.contains(definition["figure"] ?? ""))
      #expect(Set(definition.keys) == ["figure", "numerator", "denominator", "exclusions"])
    }
    #expect(definitions.count == 4)
  }

  @Test func withoutRowsItSaysWhy() {
    let report = AdherenceReport(rows: [], period: .sevenDays, emptyText: "Nothing to do.")
    #expect(report.text(style: .plain) == "Nothing to do.\n")
  }
}
