import Foundation
import TestDatabases
import TestSupport
import Testing

/// A database in a folder of its own that holds the repository's sample: 12 persons in 4 families,
/// 2026-03-03 to 2026-06-30.
enum SampleDatabase {
  private static let sample = SharedFolder.repository.appending(path: "datasets/sample")

  /// A copy of the sample.
  ///
  /// - Parameter commands: Carried out in it, each with success.
  static func imported(
    _ kind: DatabaseKind = .sqlite, then commands: [[String]] = []
  ) throws -> TemporaryFolder {
    try copy(of: "sample", kind, then: commands) { try importFiles(into: $0) }
  }

  /// The same without medications.
  static func importedWithoutDoses(
    _ kind: DatabaseKind = .sqlite, then commands: [[String]] = []
  ) throws -> TemporaryFolder {
    try copy(of: "sample without doses", kind, then: commands) { try importWithoutDoses(into: $0) }
  }

  private static func copy(
    of name: String, _ kind: DatabaseKind, then commands: [[String]],
    importing: (TemporaryFolder) throws -> Void
  ) throws -> TemporaryFolder {
    guard let last = commands.last else {
      return try PreparedDatabases.copy(of: name, kind) {
        let folder = try PreparedDatabases.empty(kind)
        try importing(folder)
        return folder
      }
    }
    return try PreparedDatabases.copy(of: "\(name), \(commands)", kind) {
      let folder = try copy(of: name, kind, then: commands.dropLast(), importing: importing)
      let run = try CommandRun.blocking(last, in: folder)
      try #require(run.status == 0, "\(run.errors)")
      return folder
    }
  }

  /// Leaves medications out: each day of a backfill adds rows for them, and one over centuries would
  /// not end.
  static func importWithoutDoses(into folder: TemporaryFolder) throws {
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
    try importFiles(in: URL(fileURLWithPath: files.path), into: folder)
  }

  static func importFiles(in files: URL = sample, into folder: TemporaryFolder) throws {
    let run = try CommandRun.blocking(["import", "csv", files.path], in: folder)
    try #require(run.status == 0, "\(run.errors)")
  }
}
