import Foundation
import PostgresTestServer
import TestDatabases
import Testing

/// A candidate writes to no queue: a login that may not is enough for one that finds a hundred alerts.
@Suite struct CandidateRightsTests {
  /// A profile that finds nothing, so that a run's only alerts are those of its candidate.
  private static let silent = """
    {
      "version": "silent", "metrics": {
        "steps": {
          "unit": "count", "pattern_type": "drop_vs_baseline",
          "rules": [{ "percent_drop_at_least": 0.9999 }]
        }
      }
    }
    """
  private static let queues = [
    "notification_queue", "shadow_notification_queue", "held_notifications", "escalation_log",
    "spent_notifications",
  ]

  /// A sample whose queues the role may not write to, and the variables of commands that log in as one like it.
  private func sample(
    as role: String, in parent: String
  ) async throws -> (folder: TemporaryFolder, environment: [String: String]) {
    let folder = try SampleDatabase.importedWithoutDoses(.postgres)
    try folder.write(Self.silent, to: "silent.json")
    guard case .postgres(let schema) = folder.database else { return (folder, [:]) }
    try schema.session().execute(
      """
      DROP ROLE IF EXISTS \(role); CREATE ROLE \(role) LOGIN IN ROLE \(parent);
      REVOKE INSERT, UPDATE ON \(Self.queues.joined(separator: ", ")) FROM \(parent)
      """)
    return (folder, ["VIGIL_DATABASE": schema.url(as: role)])
  }

  private static let backfill = [
    "backfill", "--from", "2026-05-01", "--to", "2026-06-30", "--only", "patterns",
  ]

  @Test(arguments: ["vigil_engine", "vigil_backfill"])
  func aLoginWithoutRightsOnQueuesFollowsACandidate(parent: String) async throws {
    let (folder, environment) = try await sample(as: "e2e_beside_\(parent)", in: parent)
    let run = try await CommandRun.vigil(
      arguments: Self.backfill + ["--thresholds", "silent.json", "--candidate", "v1"], in: folder,
      environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    let alerts = try folder.database.rows(
      "SELECT thresholds_version, count(*) FROM pattern_alert_state GROUP BY thresholds_version")
    #expect(alerts.count == 1 && alerts[0].hasPrefix("v1|"), "\(alerts)")
    #expect(try folder.database.count("pattern_alert_state") > 100)
    for queue in Self.queues { #expect(try folder.database.count(queue) == 0, "\(queue)") }
  }

  /// The rights that suffice for a candidate do not suffice for the same alerts as a run's own.
  @Test(arguments: ["vigil_engine", "vigil_backfill"])
  func theSameLoginCannotFollowTheProfileAsItsOwn(parent: String) async throws {
    let (folder, environment) = try await sample(as: "e2e_alone_\(parent)", in: parent)
    let run = try await CommandRun.vigil(
      arguments: Self.backfill + ["--thresholds", "v1"], in: folder, environment: environment)
    run.expectFailure(77, mentioning: "shadow_notification_queue")
    for queue in Self.queues { #expect(try folder.database.count(queue) == 0, "\(queue)") }
  }
}
