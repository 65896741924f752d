import Foundation
import TestDatabases
import TestSupport
import Testing

/// A database in a folder of its own that holds the repository's sample: 12 persons in 4 families,
/// 2026-03-03 to 2026-06-30.
enum SampleDatabase {
  private static let sample = SharedFolder.repository.appending(path: "datasets/sample")

  static func imported(_ kind: DatabaseKind = .sqlite) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(kind)
    try await importFiles(in: sample, into: folder)
    return folder
  }

  static func importedWithoutDoses(_ kind: DatabaseKind = .sqlite) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(kind)
    try await importWithoutDoses(into: folder)
    return folder
  }

  /// Leaves medications out: each day of a backfill adds rows for them, and one over centuries would
  /// not end.
  static func importWithoutDoses(into folder: TemporaryFolder) async throws {
    let files = try TemporaryDirectory()
    defer { files.remove() }
    for name in [
      "users", "user_profiles", "family_members", "alert_recipient_exclusions",
      "wearable_daily_metrics", "exercise_sessions",
    ] {
      let file = "\(name).csv"
      try FileManager.default.copyItem(
        at: sample.appending(path: file),
        to: URL(fileURLWithPath: files.path).appending(path: file))
    }
    try await importFiles(in: URL(fileURLWithPath: files.path), into: folder)
  }

  private static func importFiles(in files: URL, into folder: TemporaryFolder) async throws {
    let run = try await CommandRun.vigil("import", "csv", files.path, in: folder)
    try #require(run.status == 0, "\(run.errors)")
  }
}
