import Foundation
import TestDatabases
import TestSupport
import Testing

/// The page of `vigil report` beside what the database holds.
@Suite struct ReportPageTests {
  private func backfilled(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.importedWithoutDoses(
      kind,
      then: [
        [
          "backfill", "--from", "2026-03-03", "--to", "2026-06-30", "--only", "patterns",
          "--thresholds", "v1",
        ]
      ])
    return folder
  }

  private func page(_ arguments: String..., in folder: TemporaryFolder) async throws -> String {
    let file = folder.url.appending(path: "page.html")
    let run = try await CommandRun.vigil(
      arguments: ["report", "--force", "--out", file.path] + arguments, in: folder)
    try #require(run.status == 0, "\(run.errors)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  private static let urgent =
    "FROM pattern_alert_state WHERE episode_status = 'active' AND dismissed_at IS NULL"

  private static func count(_ part: String, in page: String) -> Int {
    page.components(separatedBy: part).count - 1
  }

  @Test(arguments: DatabaseKind.allCases)
  func countsAreThoseOfTheDatabase(kind: DatabaseKind) async throws {
    let folder = try await backfilled(kind)
    let page = try await page(in: folder)
    let people = try folder.database.rows("SELECT count(DISTINCT user_id) \(Self.urgent)")
    let evaluated = try folder.database.rows(
      "SELECT count(DISTINCT user_id) FROM wearable_daily_metrics"
        + " WHERE metric_date BETWEEN '2026-05-02' AND '2026-06-30'")
    let summary = try #require(
      page.firstMatch(
        of:
          /<h1>([0-9]+) of ([0-9]+) people need attention.<\/h1>\n<p>([0-9]+) changed, ([0-9]+) getting back to normal, ([0-9]+) no data, ([0-9]+) as usual/
      ))
    let sizes = [summary.3, summary.4, summary.5, summary.6].compactMap { Int($0) }
    #expect(summary.2 == evaluated[0] && "\(sizes.reduce(0, +))" == evaluated[0])
    #expect("\(sizes[0] + sizes[1])" == summary.1)
    #expect("\(sizes[0] + sizes[1] + sizes[2])" == people[0])
    #expect(people[0] != "0")
    #expect("\(Self.count("<article", in: page))" == summary.1)
    // A chart for each alert of people who have data.
    if sizes[2] == 0 {
      let alerts = try folder.database.rows("SELECT count(*) \(Self.urgent)")
      #expect("\(Self.count("id=\"strip-", in: page) / 2)" == alerts[0])
    }
    #expect(!page.contains("://") && !page.contains("url("), "nothing is loaded")
    #expect(!page.contains("<script"))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.url.appending(path: "page.html").path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try await self.page(in: folder) == page, "the same rows give the same bytes")
  }

  @Test func theLegendHasOnlySymbolsThatAreDrawn() async throws {
    let page = try await page(in: try await backfilled(.sqlite))
    #expect(page.contains("</svg> day with a workout</li>"))
    #expect(!page.contains("</svg> left out, not plausible</li>"))
    #expect(!page.contains("</svg> notification sent</li>"))
  }

  /// 50 persons in detail and 10,000 counted stay below 5 MB: a person takes less than a fiftieth of it.
  @Test func aPersonTakesLittleRoom() async throws {
    let folder = try SampleDatabase.imported(
      .sqlite,
      then: [["backfill", "--from", "2026-03-03", "--to", "2026-06-30", "--thresholds", "v1"]])
    let whole = try await page("--to", "2026-06-20", in: folder)
    let shown = Self.count("<article", in: whole)
    try #require(shown > 5)
    let counted = try await page("--to", "2026-06-20", "--details", "0", in: folder)
    #expect(counted.utf8.count < 25_000, "\(counted.utf8.count)")
    let perPerson = (whole.utf8.count - counted.utf8.count) / shown
    #expect(perPerson < 90_000, "\(perPerson) bytes for each of \(shown) persons")
    let one = try await page("--to", "2026-06-20", "--details", "1", in: folder)
    #expect(Self.count("<article", in: one) == 1)
    #expect(one.contains("\(shown - 1) more people in the tables below."))
  }

  @Test func pagesForOthersNameNoPerson() async throws {
    let folder = try await backfilled(.sqlite)
    let ids =
      try folder.database.rows("SELECT external_id FROM users WHERE external_id IS NOT NULL")
      + folder.database.rows("SELECT substr(id, 1, 8) FROM users")
    let named = try await page(in: folder)
    #expect(ids.contains { named.contains($0) })
    for option in ["--pseudonymise", "--share"] {
      let page = try await page(option, in: folder)
      for id in ids { #expect(!page.contains(id), "\(option)") }
    }
    let shared = try await page("--share", in: folder)
    #expect(!shared.contains("<article"))
    #expect(!shared.contains("<svg"))
    // Of 12 people, either those who need attention or the others are few.
    #expect(
      shared.ranges(of: /<h1>How many of about 1[05] people need attention is not shown.<\/h1>/)
        .count == 1)
    #expect(!shared.contains("<td>"))
  }

  @Test func aPageForOthersNeedsElevenPeople() async throws {
    let folder = try await backfilled(.sqlite)
    let people = try folder.database.rows("SELECT id FROM users ORDER BY id LIMIT 10")
    try people.joined(separator: "\n").write(
      to: folder.url.appending(path: "some.txt"), atomically: true, encoding: .utf8)
    let run = try await CommandRun.vigil(
      "report", "--out", "some.html", "--share", "--users", "some.txt", in: folder)
    run.expectFailure(65, mentioning: "--share", "at least 11")
    #expect(try !folder.names.contains("some.html"))
  }

  @Test func alertsHaveADrawing() async throws {
    let folder = try await backfilled(.sqlite)
    let id = try folder.database.rows("SELECT id \(Self.urgent) ORDER BY id")[0]
    let run = try await CommandRun.vigil("alerts", "show", id, "--svg", "alert.svg", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let svg = try String(contentsOf: folder.url.appending(path: "alert.svg"), encoding: .utf8)
    #expect(svg.hasPrefix("<svg xmlns="))
    #expect(svg.contains("class=\"episode\""))
  }

  /// A page of an earlier day is that of a database that was evaluated up to that day, in all counts.
  @Test func anEarlierDayIsShownAsItStood() async throws {
    let now = try await backfilled(.sqlite)
    let then = try SampleDatabase.importedWithoutDoses(
      .sqlite,
      then: [
        [
          "backfill", "--from", "2026-03-03", "--to", "2026-05-20", "--only", "patterns",
          "--thresholds", "v1",
        ]
      ])
    func counts(_ page: String) -> [String] {
      page.matches(
        of: /<h1>[^<]*<\/h1>|<p>[0-9]+ changed[^<]*<\/p>|<span class="badge[^<]*<\/span>/
      ).map { String($0.output) }
        // Alerts as serious as each other stand in the order of figures, of which those of earlier days are not kept.
        .sorted()
    }
    let found = counts(try await page("--to", "2026-05-20", in: now))
    #expect(found == counts(try await page(in: then)))
    #expect(found.count > 3, "\(found)")
    let early = try await CommandRun.vigil(
      "report", "--out", "early.html", "--to", "2020-01-01", in: now)
    early.expectFailure(64, mentioning: "evaluated from 2026-03-03 to 2026-06-30")
  }

  /// No command that writes a file replaces the database, even when it may replace a file.
  @Test(arguments: [
    ["report", "--out"], ["export", "alerts", "--format", "csv", "--out"], ["calibrate", "--out"],
    [
      "compare", "--thresholds", "v1", "--thresholds", "v3", "--from", "2026-05-01", "--to",
      "2026-05-02", "--csv",
    ],
    ["explain", "--user", "synthetic-1", "--metric", "steps", "--svg"],
    ["alerts", "show", "00000000", "--svg"],
  ])
  func theDatabaseIsNoFileToWrite(command: [String]) async throws {
    let folder = try await backfilled(.sqlite)
    let before = try folder.database.rows("SELECT count(*) FROM pattern_alert_state")
    let file = folder.url.appending(path: "vigil.sqlite").path
    let run = try await CommandRun.vigil(arguments: command + [file, "--force"], in: folder)
    run.expectFailure(64, mentioning: "is the database; choose another name")
    #expect(try folder.database.rows("SELECT count(*) FROM pattern_alert_state") == before)
  }

  @Test func aFileThatIsThereStays() async throws {
    let folder = try await backfilled(.sqlite)
    let file = folder.url.appending(path: "kept.html")
    try Data("mine".utf8).write(to: file)
    let run = try await CommandRun.vigil("report", "--out", file.path, in: folder)
    run.expectFailure(73, mentioning: "is there already")
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
  }

  @Test func aDatabaseThatWasNeverEvaluatedSaysSo() async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let run = try await CommandRun.vigil("report", "--out", "page.html", in: folder)
    run.expectFailure(65, mentioning: "no run", "vigil backfill")
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "page.html").path))
  }
}
