import Foundation
import TestDatabases

/// Files to be imported, and the database that is to take them.
struct ImportFolder {
  let folder: TemporaryFolder

  static let header = "user_id,metric_date,source,steps"

  init(_ kind: DatabaseKind) throws {
    folder = try TemporaryFolder(kind)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
  }

  var database: TestDatabase { folder.database }

  func write(_ text: String, to table: String = "wearable_daily_metrics") throws {
    try folder.write(text, to: "in/\(table).csv")
  }

  func vigil(_ arguments: String...) async throws -> CommandRun {
    try await vigil(arguments: arguments)
  }

  func vigil(arguments: [String]) async throws -> CommandRun {
    try await CommandRun.vigil(arguments: arguments, in: folder)
  }
}
