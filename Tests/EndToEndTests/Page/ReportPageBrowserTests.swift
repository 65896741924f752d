import Foundation
import TestDatabases
import TestSupport
import Testing

/// The pages of `vigil report`, opened in a browser: on a phone, at a desk, light, dark and printed.
@Suite(.enabled(if: BrowserCheck.isPresent, "scripts/setup --tests installs no browser here"))
struct ReportPageBrowserTests {
  private func page(
    _ name: String, _ arguments: String..., in folder: TemporaryFolder
  ) async throws -> String {
    let run = try await CommandRun.vigil(
      arguments: ["report", "--out", name] + arguments, in: folder)
    try #require(run.status == 0, "\(run.errors)")
    return folder.url.appending(path: name).path
  }

  @Test func pagesAreShownWithoutAFault() async throws {
    let folder = try SampleDatabase.imported(
      .sqlite,
      then: [
        ["backfill", "--from", "2026-03-03", "--to", "2026-06-30", "--thresholds", "v3-strict"]
      ])
    let pages = try await [
      page("full.html", "--to", "2026-06-20", in: folder),
      page("compared.html", "--to", "2026-06-20", "--compare", "v1", in: folder),
      page("shared.html", "--share", in: folder),
      page("nameless.html", "--to", "2026-06-20", "--pseudonymise", in: folder),
      page("deutsch.html", "--to", "2026-06-20", "--language", "de", in: folder),
      page("espanol.html", "--to", "2026-06-20", "--language", "es", in: folder),
    ]
    let full = try String(contentsOfFile: pages[0], encoding: .utf8)
    for part in [
      "In personal spreads from usual; up is worse.", "<h3>Each dose</h3>",
      "<h3>Vitality scores</h3>", "; z ",
    ] {
      #expect(full.contains(part), "\(part)")
    }
    #expect(try String(contentsOfFile: pages[1], encoding: .utf8).contains("<h2 id=\"comparison\""))
    try folder.database.execute(
      """
      UPDATE users SET external_id = '<script>alert(1)</script>"''&amp;<b>' || substr(id, 1, 8)
      WHERE external_id LIKE 'synthetic-_';
      UPDATE users SET external_id = char(1513) || hex(zeroblob(90)) || char(8238) || 'x' WHERE external_id LIKE 'synthetic-__'
      """)
    let hostile = try await page("hostile.html", "--to", "2026-06-20", in: folder)
    let text = try String(contentsOfFile: hostile, encoding: .utf8)
    #expect(!text.contains("<script"))
    #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;"))
    let check = try await BrowserCheck.run(pages + [hostile], in: folder)
    #expect(check.status == 0, "\(check.errors)")
    #expect(check.output == "7 pages, 35 views, 0 problems\n")
  }

  /// An alert of several metrics is drawn with a strip of each, one below the other.
  @Test func metricsTogetherAreDrawnOneBelowTheOther() async throws {
    let folder = try SampleDatabase.importedWithoutDoses(
      .sqlite,
      then: [
        [
          "backfill", "--from", "2026-03-03", "--to", "2026-06-30", "--only", "patterns",
          "--thresholds", "v3-strict",
        ]
      ])
    let ids = try folder.database.rows(
      """
      SELECT id FROM pattern_alert_state WHERE metric_type = 'combined'
        AND user_id = (SELECT id FROM users WHERE external_id = 'synthetic-3')
      """)
    let run = try await CommandRun.vigil(
      "alerts", "show", try #require(ids.first), "--svg", "alert.svg", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("several metrics together, worse than usual"))
    let svg = try String(contentsOf: folder.url.appending(path: "alert.svg"), encoding: .utf8)
    #expect(svg.contains(">sleep</tspan>") && svg.contains(">resting heart rate</tspan>"))
    #expect(
      svg.components(separatedBy: "class=\"episode\"").count == 4, "two metrics and the legend")
    let page = try String(
      contentsOfFile: await page("page.html", "--to", "2026-06-20", in: folder), encoding: .utf8)
    #expect(page.contains("Found together with sleep."))
  }

  @Test func faultsOfAPageAreFound() async throws {
    let folder = try TemporaryFolder()
    let framed = folder.url.appending(path: "framed.html")
    try Data("<html><iframe src=\"http://example.invalid/frame.html\"></iframe></html>".utf8)
      .write(to: framed)
    let file = folder.url.appending(path: "bad.html")
    try Data(
      """
      <html><body style="width: 2000px"><img src="http://example.invalid/a.png">
      <script>console.error("a message")</script></body></html>
      """.utf8
    ).write(to: file)
    let check = try await BrowserCheck.run([file.path, framed.path], in: folder)
    #expect(check.status == 1)
    for fault in [
      "px wide", "image-alt", "a message", "asks for http://example.invalid/a.png",
      "has a frame", "asks for http://example.invalid/frame.html",
    ] {
      #expect(check.errors.contains(fault), "\(fault)")
    }
  }
}

/// `scripts/check-page`, which opens pages in a browser without a screen.
private enum BrowserCheck {
  private static let script = SharedFolder.repository.appending(path: "scripts/check-page").path

  /// A machine of CI that has none fails the tests instead of leaving them out.
  static let isPresent =
    ProcessInfo.processInfo.environment["CI"] != nil
    || ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  static func run(_ pages: [String], in folder: TemporaryFolder) async throws -> CommandRun {
    try await CommandRun.command([script] + pages, in: folder)
  }
}
