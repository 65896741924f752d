import Foundation
import TestDatabases
import TestSupport
import Testing

/// Persons without data on the page, in the list and in its JSON: apart from those who need attention.
@Suite struct ReportPageSilencesTests {
  private static let days = 160

  /// Anna is worn to the end, Ben is silent for six days, Carl for forty; Dora was away for as long, and is back.
  private func backfilled(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(kind)
    var rows = ["person,date,source,steps"]
    let end = try #require(ISO8601DateFormatter().date(from: "2026-06-30T12:00:00Z"))
    for day in 0..<Self.days {
      let date = end.addingTimeInterval(Double(day - Self.days + 1) * 86_400)
        .formatted(.iso8601.year().month().day())
      let steps = 7_000 + 37 * (day % 11)
      let isAway = (Self.days - 46..<Self.days - 6).contains(day)
      rows.append("anna,\(date),ring,\(steps)")
      if day < Self.days - 6 { rows.append("ben,\(date),ring,\(steps)") }
      if day < Self.days - 40 { rows.append("carl,\(date),ring,\(steps)") }
      if !isAway { rows.append("dora,\(date),ring,\(steps)") }
    }
    try folder.write(rows.joined(separator: "\n") + "\n", to: "days.csv")
    for command in [
      ["import", "csv", "days.csv"],
      ["backfill", "--from", "2026-02-15", "--to", "2026-06-30", "--thresholds", "v3"],
    ] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      try #require(run.status == 0, "\(run.errors)")
    }
    return folder
  }

  @Test(arguments: DatabaseKind.allCases)
  func theyAreApartFromThoseWhoNeedAttention(kind: DatabaseKind) async throws {
    let folder = try await backfilled(kind)
    let file = folder.url.appending(path: "page.html")
    let report = try await CommandRun.vigil("report", "--out", file.path, in: folder)
    #expect(report.status == 0, "\(report.errors)")
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(page.contains("<h1>0 of 3 people need attention.</h1>"))
    #expect(
      page.contains("0 changed, 0 getting back to normal, 1 no data, 2 as usual.")
        && !page.contains("id=\"changed\""))
    #expect(page.contains("<h2 id=\"no-data\">No data</h2>"))
    let section = try #require(page.components(separatedBy: "id=\"no-data\"").last)
    let table = try #require(section.components(separatedBy: "</section>").first)
    #expect(table.contains("<td>24 June</td><td>6</td><td>0</td><td>–</td>"), "\(table)")
    #expect(table.components(separatedBy: "<tr>").count == 3, "a head and Ben")
    #expect(table.contains(">ben</th>"))
    #expect(page.contains("1 person has sent no data for a month and is not counted."))

    // On an earlier day, Carl had not left yet, and Dora was away.
    let early = folder.url.appending(path: "early.html")
    let then = try await CommandRun.vigil(
      "report", "--out", early.path, "--to", "2026-05-30", in: folder)
    #expect(then.status == 0, "\(then.errors)")
    let past = try String(contentsOf: early, encoding: .utf8)
    #expect(past.contains("0 changed, 0 getting back to normal, 2 no data, 2 as usual."))
    #expect(
      past.contains(">carl</th>") && past.contains(">dora</th>") && !past.contains("for a month"))

    let list = try await CommandRun.vigil("alerts", "list", in: folder)
    #expect(list.output.contains("No data") && list.output.contains("ben"))
    #expect(list.output.contains("2026-06-24"))
    #expect(!list.output.contains("carl") && !list.output.contains("dora"))
    #expect(list.output.contains("1 person has left: no data for a month."))
    let json = try await CommandRun.vigil("alerts", "list", "--format", "json", in: folder)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let silences = try #require(document["no_data"] as? [[String: Any]])
    #expect(silences.map { $0["external_id"] as? String } == ["ben"])
    #expect(silences.map { $0["silent_days"] as? Int } == [6])
    #expect(silences.map { $0["longest_pause_days"] as? Int } == [0])
    #expect(document["left"] as? Int == 1)
    #expect((document["alerts"] as? [Any])?.isEmpty == true)
    // A part of the list does not say who has left.
    let some = try await CommandRun.vigil(
      "alerts", "list", "--metric", "steps", "--format", "json", in: folder)
    #expect(some.output.contains("\"left\" : null") || some.output.contains("\"left\":null"))
  }
}
