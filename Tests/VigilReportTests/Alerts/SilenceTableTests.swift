import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilReport

@Suite struct SilenceTableTests {
  private func silence(_ person: Int, since: String, days: Int, pause: Int) throws
    -> PatternAlertState
  {
    var alert = try Samples.alert(
      person: person, metric: "inactivity", pattern: .silence, since: since, days: days,
      baseline: 0, recent: Double(days), isWithoutDeviation: true)
    alert.episode.silence = SilenceEvidence(
      openedOn: alert.episode.activeSince + 3, threshold: 4, longestPause: pause)
    return alert
  }

  private func report(left: Int?, others: [PatternAlertState] = []) throws -> AlertsReport {
    var report = AlertsReport(
      alerts: try [
        silence(2, since: "2026-06-25", days: 6, pause: 2),
        silence(1, since: "2026-06-10", days: 21, pause: 11),
      ] + others, externalIDs: [Samples.person(1): "participant-1"],
      today: try Samples.day("2026-06-30"), emptyHint: "Nothing to do.")
    report.left = left
    return report
  }

  @Test func theLongestSilenceComesFirstWithItsLastSignAndPause() throws {
    let lines = try report(left: 0).text(style: .plain).split(separator: "\n").map(String.init)
    let head = try #require(lines.firstIndex { $0.contains("Last sign") })
    for word in ["No data", "Person", "Silent days", "Longest pause"] {
      #expect(lines[head].contains(word))
    }
    let fields = lines[(head + 1)...].map { $0.split(separator: " ").suffix(4).map(String.init) }
    #expect(fields.count >= 2)
    #expect(fields[0] == ["(participant-1)", "2026-06-09", "21", "11"])
    #expect(Array(fields[1].suffix(3)) == ["2026-06-24", "6", "2"])
    #expect(!lines.contains { $0.contains("left") })
  }

  @Test func personsWhoHaveLeftAreACount() throws {
    #expect(
      try report(left: 1).text(style: .plain).contains("1 person has left: no data for a month."))
    #expect(
      try report(left: 1_200).text(style: .plain)
        .contains("1,200 people have left: no data for a month."))
    let alone = SilenceTable([], left: 3, externalIDs: [:])
    #expect(alone.text(.plain) == "3 people have left: no data for a month.\n")
    #expect(SilenceTable([], left: 0, externalIDs: [:]).text(.plain).isEmpty)
  }

  @Test func theDocumentHasThemApartFromTheAlerts() throws {
    let other = try Samples.alert(
      person: 3, since: "2026-06-05", days: 26, baseline: 58, recent: 66.5)
    let document = try JSON(text: try report(left: 4, others: [other]).json())
    let silences = try #require(document["no_data"]?.elements)
    #expect(silences.map { $0["last_sign"]?.string } == ["2026-06-09", "2026-06-24"])
    #expect(silences.map { $0["silent_days"] } == [.number(21), .number(6)])
    #expect(silences.map { $0["longest_pause_days"] } == [.number(11), .number(2)])
    #expect(silences.map { $0["opened_on"]?.string } == ["2026-06-13", "2026-06-28"])
    #expect(silences.first?["external_id"]?.string == "participant-1")
    #expect(document["left"] == .number(4))
    let alerts = try #require(document["alerts"]?.elements)
    #expect(alerts.map { $0["metric_type"]?.string } == ["resting_hr"])
    #expect(try JSON(text: try report(left: nil).json())["left"] == .null)
  }
}
