import Foundation
import TestDatabases
import TestSupport
import Testing

/// Ids of persons with characters that have a meaning in JSON, SQL, CSV, HTML or a shell, from the import to a page.
@Suite struct QuotedIdsTests {
  static let ids = [
    #"quote"d"#, #"back\slash"#, #"\"both\\"#, "tab\there", "bell\u{7}", "apos'trophe", "a,b;c",
    "%_LIKE", "<b>&amp;</b>", "{}[]", #"\u0041"#, "$(id)`id`", "ünï\u{1F9B7}",
  ]

  private static let days = (1...30).map { "2026-06-\($0 < 10 ? "0" : "")\($0)" }

  private static func cell(_ text: String) -> String {
    "\"\(text.replacing("\"", with: "\"\""))\""
  }

  /// Ordinary steps, and a third of them in the last days.
  private static let metrics =
    (["user_id,metric_date,source,steps"]
    + ids.flatMap { id in
      days.enumerated().map { index, day in
        "\(cell(id)),\(day),\(cell(id)),\(index < 20 ? 9000 + index % 3 * 100 : 3000)"
      }
    }).joined(separator: "\n") + "\n"

  private func imported(_ kind: DatabaseKind) async throws -> ImportFolder {
    let folder = try ImportFolder(kind)
    try folder.write(Self.metrics)
    try folder.write(
      (["id,external_id"] + Self.ids.map { "\(Self.cell($0)),\(Self.cell($0))" })
        .joined(separator: "\n") + "\n", to: "users")
    for _ in 1...2 {
      // The second time all are found again.
      let run = try await folder.vigil("import", "csv", "in")
      try #require(run.status == 0, "\(run.errors)")
    }
    #expect(try folder.database.count("users") == Self.ids.count)
    return folder
  }

  @Test(arguments: DatabaseKind.allCases)
  func everyCommandFindsThePerson(kind: DatabaseKind) async throws {
    let folder = try await imported(kind)
    let first = try await folder.vigil("backfill", "--from", "2026-06-10", "--to", "2026-06-23")
    try #require(first.status == 0, "\(first.errors)")
    let live = try await folder.vigil("golive")
    try #require(live.status == 0, "\(live.errors)")
    let run = try await folder.vigil(
      "run", "--live", "--date", "2026-06-28", "--max-notified-persons", "1000")
    try #require(run.status == 0, "\(run.errors)")
    let queued = try await folder.vigil("queue", "list", "--format", "json", "--limit", "0")
    #expect(queued.status == 0, "\(queued.errors)")
    for id in Self.ids {
      for command in [
        ["alerts", "list", "--format", "json"], ["queue", "list", "--format", "json"],
        ["insights", "--all"], ["explain", "--metric", "steps"],
        ["run", "--date", "2026-06-28", "--max-notified-persons", "1000"],
      ] {
        let run = try await folder.vigil(arguments: command + ["--user", id])
        #expect(run.status == 0, "\(id) \(command): \(run.errors)")
      }
      let alerts = try await folder.vigil("alerts", "list", "--format", "json", "--user", id)
      let list = try #require(
        try JSONSerialization.jsonObject(with: Data(alerts.output.utf8)) as? [String: Any])
      let found = try #require(list["alerts"] as? [[String: Any]])
      #expect(found.count == 1 && found.first?["external_id"] as? String ?? id == id, "\(id)")
    }
    try folder.folder.write(
      Self.ids.joined(separator: "\n") + "\n", to: "persons")
    let export = try await folder.vigil(
      "export", "observations", "--users", "persons", "--format", "jsonl", "--out", "-")
    #expect(export.status == 0, "\(export.errors)")
    let rows = try export.output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(rows.count == Self.ids.count * Self.days.count)
    let page = try await folder.vigil("report", "--out", "page.html", "--users", "persons")
    #expect(page.status == 0, "\(page.errors)")
    let text = try String(
      contentsOf: folder.folder.url.appending(path: "page.html"), encoding: .utf8)
    #expect(!text.contains("<b>&amp;</b>"))
  }
}
