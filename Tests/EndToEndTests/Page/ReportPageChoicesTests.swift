import Foundation
import TestDatabases
import Testing

/// Pages of some persons, and pages with another profile.
@Suite struct ReportPageChoicesTests {
  @Test(arguments: DatabaseKind.allCases)
  func aFamilyIsItsAcceptedMembers(kind: DatabaseKind) async throws {
    let folder = try SamplePage.evaluated(kind)
    let rows = PageRows(database: folder.database, first: SamplePage.first, last: SamplePage.last)
    let needing = Set(
      try folder.database.rows(
        "SELECT DISTINCT user_id FROM pattern_alert_state WHERE episode_status = 'active'"))
    var shown = 0
    for family in try folder.database.rows("SELECT DISTINCT family_id FROM family_members") {
      let members = try folder.database.rows(
        """
        SELECT user_id FROM family_members
        WHERE family_id = '\(family)' AND invite_status = 'accepted'
        """)
      let page = try await SamplePage.page("--family", family, in: folder)
      let wanted = members.filter(needing.contains)
      #expect(
        page.html.contains(
          "<h1>\(wanted.count) of \(members.count) people \(wanted.count == 1 ? "needs" : "need") attention.</h1>"
        ))
      let names = try wanted.map { try rows.name(of: $0) }
      #expect(Set(page.persons.keys) == Set(names), "\(family)")
      shown += names.count
    }
    #expect(shown > 0)
    // No invited person who has not accepted is shown.
    try folder.database.execute("UPDATE family_members SET invite_status = 'pending'")
    let family = try #require(
      try folder.database.rows("SELECT family_id FROM family_members").first)
    let none = try await CommandRun.vigil(
      "report", "--out", "none.html", "--family", family, in: folder)
    none.expectFailure(65, mentioning: "no accepted member of such a family")
    for arguments in [["--users", "x.txt"], ["--family", ""]] {
      let run = try await CommandRun.vigil(
        arguments: ["report", "--out", "none.html", "--family", family] + arguments, in: folder)
      #expect(run.status == 64, "\(arguments): \(run.errors)")
    }
    #expect(try !folder.names.contains("none.html"))
  }

  @Test func anotherProfileIsComparedAsByCompare() async throws {
    let folder = try SamplePage.evaluated(.sqlite)
    let page = try await SamplePage.page("--compare", "v1", in: folder)
    let run = try await CommandRun.vigil(
      "compare", "--thresholds", "v3-strict", "--thresholds", "v1", "--from", SamplePage.first,
      "--to",
      SamplePage.last, "--format", "json", in: folder)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let total = try #require(document["total"] as? [String: Any])
    let (both, only) = try (
      #require(total["both"] as? Int), #require(total["only"] as? [String: Int])
    )
    let quantities = page.rows(under: "X").merging(page.rows(under: "v1")) { $1 }
    #expect(
      quantities["Episodes"]
        == [
          SamplePage.text(Double(both + (only["first"] ?? 0))),
          SamplePage.text(Double(both + (only["second"] ?? 0))),
        ])
    // The own profile's episodes are the rows of the database.
    let rows = try folder.database.rows(
      """
      SELECT count(*) FROM pattern_alert_state
      WHERE medication_id IS NULL AND (resolved_on IS NULL OR resolved_on >= '\(SamplePage.first)')
      """
    )
    #expect("\(both + (only["first"] ?? 0))" == rows.first)
    #expect(page.html.contains("Only in"))
    #expect(try await SamplePage.page(in: folder).html.contains("id=\"comparison\"") == false)
    let shared = try await CommandRun.vigil(
      "report", "--out", "shared.html", "--share", "--compare", "v1", in: folder)
    shared.expectFailure(64, mentioning: "--share leaves out")
    let wrong = try await CommandRun.vigil(
      "report", "--out", "wrong.html", "--compare", "v9", in: folder)
    #expect(wrong.status != 0 && wrong.errors.contains("v9"))
    #expect(try !folder.names.contains("wrong.html"))
  }
}
