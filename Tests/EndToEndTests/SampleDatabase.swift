import Foundation
import TestDatabases
import TestSupport
import Testing

/// A database in a folder of its own that holds the repository's sample: 12 persons in 4 families,
/// 2026-03-03 to 2026-06-30.
enum SampleDatabase {
  static func imported(_ kind: DatabaseKind = .sqlite) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(kind)
    let sample = SharedFolder.repository.appending(path: "datasets/sample").path
    let run = try await CommandRun.vigil("import", "csv", sample, in: folder)
    try #require(run.status == 0, "\(run.errors)")
    return folder
  }
}
