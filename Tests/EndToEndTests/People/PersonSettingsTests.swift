import Foundation
import TestDatabases
import Testing

/// The choices of persons about calls, and whether senders can act upon it, as an operator sees it.
@Suite struct PersonSettingsTests {
  /// Three persons of one family, and one without any; each has chosen.
  private func folder(_ kind: DatabaseKind) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.migrated(kind)
    let ids = (1...4).map { "77777777-0000-4000-8000-00000000000\($0)" }
    let now = "2026-06-30T10:00:00.000000Z"
    try folder.database.execute(
      ids.enumerated().map { place, id in
        """
        INSERT INTO users (id, external_id, created_at, updated_at) VALUES ('\(id)', 'p\(place + 1)', '\(now)', '\(now)');
        INSERT INTO escalation_settings (user_id, level, window_minutes) VALUES ('\(id)', 14, 30), ('\(id)', 3, NULL);
        """
      }.joined() + """
        INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES
          ('\(ids[3])', '\(ids[0])', 'admin', 'accepted'), ('\(ids[3])', '\(ids[1])', 'responder', 'accepted'),
          ('\(ids[3])', '\(ids[2])', 'dependent', 'accepted');
        INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES ('\(ids[0])', '\(ids[1])');
        INSERT INTO user_profiles (user_id, notify_push, notify_email) VALUES
          ('\(ids[0])', \(kind == .sqlite ? "1, 1" : "TRUE, TRUE")), ('\(ids[1])', \(kind == .sqlite ? "0, 0" : "FALSE, FALSE"));
        """)
    return folder
  }

  private func providers(_ more: String, channel: String = "push", in folder: TemporaryFolder)
    throws
  {
    try folder.write(
      #"{"channels": {"\#(channel)": {"command": ["/bin/true"]}}\#(more)}"#, to: "providers.json")
  }

  private func doctor(_ folder: TemporaryFolder) async throws -> [String: String] {
    let run = try await CommandRun.vigil(
      "doctor", "--format", "json", in: folder, environment: ["VIGIL_PROVIDERS": "providers.json"])
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let rows = try #require((document as? [String: Any])?["findings"] as? [[String: Any]])
    return Dictionary(
      rows.map { row in
        (row["check"] as? String ?? "", "\(row["status"] ?? "") \(row["detail"] ?? "")")
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test(arguments: DatabaseKind.allCases)
  func choicesWithoutAnEffectAreNamed(kind: DatabaseKind) async throws {
    let folder = try folder(kind)
    func settings(_ arguments: String...) async throws -> CommandRun {
      try await CommandRun.vigil(arguments: ["person", "settings"] + arguments, in: folder)
    }
    // p1 has excluded the one responder, and p4 has no family. Of p3, a dependent, others are called.
    let unknown = try await settings("--format", "csv")
    #expect(unknown.status == 0, "\(unknown.errors)")
    let idle = unknown.output.split(whereSeparator: \.isNewline).filter { $0.contains("no_one") }
    #expect(idle.count == 2 && idle.allSatisfy { $0.contains(",14,30,") }, "\(unknown.output)")
    let one = try await settings("p1")
    #expect(one.output.contains("none: no one can be called"), "\(one.output)")
    #expect(one.output.contains("never") && one.output.contains("not known here"))
    try await settings("p9").expectFailure(65, mentioning: "belong to no person")

    try providers("", in: folder)
    let silent = try await settings("--providers", "providers.json", "--format", "json")
    #expect(silent.output.split(separator: "\n").count { $0.contains("no_calls") } == 8)
    try providers(#", "escalation": {}"#, in: folder)
    let calling = try await settings("--providers", "providers.json")
    #expect(!calling.output.contains("not known here"), "\(calling.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func doctorComparesProvidersWithPersons(kind: DatabaseKind) async throws {
    let folder = try folder(kind)
    try providers("", in: folder)
    var found = try await doctor(folder)
    // Persons without a profile have push on.
    #expect(
      found["providers"]
        == "warning persons have channels on that the file has no provider of, and are not notified there: email (1 person)",
      "\(found)")
    #expect(
      found["escalation choices"]?.hasPrefix("warning the file has no object escalation") == true)

    try folder.write(
      #"{"channels": {"push": {"command": ["/bin/true"]}, "email": {"command": ["/bin/true"]}, "call": {"command": ["/bin/true"]}}, "escalation": {}}"#,
      to: "providers.json")
    found = try await doctor(folder)
    #expect(
      found["providers"]
        == "warning no person has a channel on that the file has a provider of: call",
      "\(found)")
    #expect(
      found["escalation choices"]
        == "warning 2 of 8 rows of escalation_settings cannot take effect: about 2 persons no one can be called",
      "\(found)")

    try folder.write(
      #"{"channels": {"push": {"command": ["/bin/true"]}, "email": {"command": ["/bin/true"]}}, "escalation": {}}"#,
      to: "providers.json")
    try folder.database.execute("DELETE FROM escalation_settings WHERE window_minutes IS NOT NULL")
    found = try await doctor(folder)
    #expect(found["providers"] == "ok push and email", "\(found)")
    #expect(
      found["escalation choices"] == "ok all of 4 rows of escalation_settings can take effect")

    try folder.write("{", to: "providers.json")
    found = try await doctor(folder)
    #expect(found["providers"]?.hasPrefix("failure providers file ") == true, "\(found)")
  }

  @Test func withoutProvidersDoctorSaysNothingAboutThem() async throws {
    let folder = try folder(.sqlite)
    let run = try await CommandRun.vigil("doctor", in: folder)
    #expect(!run.output.contains("providers") && !run.output.contains("escalation choices"))
  }
}
