import Foundation
import TestDatabases
import Testing

/// The output of `alerts list` for a member of a family.
///
/// In the sample's family 1 `synthetic-2`, `synthetic-6` and `synthetic-10` have accepted; the last two have alerts,
/// and `synthetic-6` has excluded `synthetic-2`.
/// In family 3 `synthetic-8` has not answered and `synthetic-12` has declined.
@Suite struct FamilyOptionsTests {
  private func evaluated(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind, then: [["backfill", "--from", "2026-06-01", "--to", "2026-06-30"]])
    return folder
  }

  private func list(
    _ family: String, _ viewer: String, _ more: String..., in folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await CommandRun.vigil(
      arguments: ["alerts", "list", "--family", family, "--viewer", viewer] + more, in: folder)
  }

  private func alerts(_ run: CommandRun) throws -> [[String: Any]] {
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    return try #require(json?["alerts"] as? [[String: Any]], "\(run.errors)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func membersReadWhatCallsForAttentionInTheirFamily(kind: DatabaseKind) async throws {
    let folder = try await evaluated(kind)
    // Of a person who has excluded them, members read nothing.
    let excluded = try await list("synthetic-family:212:1", "synthetic-2", in: folder)
    #expect(excluded.status == 0 && !excluded.output.contains("synthetic-6"), "\(excluded)")
    try folder.database.execute("DELETE FROM alert_recipient_exclusions")
    let text = try await list("synthetic-family:212:1", "synthetic-2", in: folder)
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("(synthetic-6)"))
    #expect(!text.output.contains("(synthetic-9)"))
    let json = try await list(
      "synthetic-family:212:1", "synthetic-2", "--format", "json", in: folder)
    let rows = try alerts(json)
    #expect(Set(rows.map { $0["external_id"] as? String }) == ["synthetic-6", "synthetic-10"])
    #expect(rows.count > 1)
    let metric = try #require(rows[0]["metric_type"] as? String)
    let id = try #require(rows[0]["id"] as? String)

    // By the ids of the database it is the same.
    let ids = try folder.database.rows(
      """
      SELECT family_id, user_id FROM family_members JOIN users ON users.id = user_id
      WHERE external_id = 'synthetic-2'
      """)[0].split(separator: "|").map(String.init)
    let byID = try await list(ids[0], ids[1], "--format", "json", in: folder)
    #expect(byID.output == json.output)

    let one = try await list(
      ids[0], ids[1], "--metric", metric, "--level", "3", "--limit", "1", "--format", "json",
      in: folder)
    #expect(try alerts(one).map { $0["metric_type"] as? String } == [metric])

    // No person sees their own alerts there.
    let own = try await list("synthetic-family:212:1", "synthetic-6", in: folder)
    #expect(!own.output.contains("(synthetic-6)"))

    for (change, isShown) in [
      ("snooze_until = '9999-01-01'", false), ("snooze_until = '2000-01-01'", true),
      ("dismissed_at = '2026-07-01T00:00:00.000000Z'", false),
    ] {
      try folder.database.execute("UPDATE pattern_alert_state SET \(change) WHERE id = '\(id)'")
      let left = try await list(ids[0], ids[1], "--format", "json", in: folder)
      #expect(try alerts(left).contains { $0["id"] as? String == id } == isShown, "\(change)")
      let shown = try await list(ids[0], ids[1], in: folder)
      #expect(!shown.output.contains("snoozed"))
    }
    try folder.database.execute("UPDATE pattern_alert_state SET snooze_until = '9999-01-01'")
    let none = try await list(ids[0], ids[1], in: folder)
    #expect(none.status == 0)
    #expect(
      none.output
        == "No alerts match. No other member of the family has one that is neither dismissed nor"
        + " snoozed.\n"
    )
  }

  @Test(arguments: DatabaseKind.allCases)
  func outsidersLearnNothingNotEvenOfTheFamily(kind: DatabaseKind) async throws {
    let folder = try await evaluated(kind)
    var errors: Set<String> = []
    for (family, viewer) in [
      ("synthetic-family:212:3", "synthetic-8"), ("synthetic-family:212:3", "synthetic-12"),
      ("synthetic-family:212:3", "synthetic-2"), ("nowhere", "synthetic-2"),
      ("00000000-0000-4000-8000-000000000000", "synthetic-2"),
    ] {
      let run = try await list(family, viewer, in: folder)
      run.expectFailure(77, mentioning: "not an accepted member")
      errors.insert(run.errors)
    }
    #expect(errors.count == 1)
    let unknown = try await list("synthetic-family:212:3", "unknown", in: folder)
    unknown.expectFailure(65, mentioning: "--viewer unknown")
  }
}
