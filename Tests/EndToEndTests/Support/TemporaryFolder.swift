import Foundation
import TestDatabases

/// A folder of its own for one test, and the database that commands in it take; removed with it.
final class TemporaryFolder: Sendable {
  let url: URL
  let database: TestDatabase
  /// Whether each command in it has a process of its own.
  let hasProcesses: Bool

  /// A folder without any file, and no database yet: commands create it.
  convenience init(_ kind: DatabaseKind = .sqlite, hasProcesses: Bool = false) throws {
    try self.init(hasProcesses: hasProcesses) { try kind.makeDatabase(in: $0) }
  }

  /// A folder with a database that has the current schema and no row.
  static func migrated(_ kind: DatabaseKind = .sqlite) throws -> TemporaryFolder {
    try TemporaryFolder { try kind.makeMigratedDatabase(in: $0) }
  }

  /// - Parameters:
  ///   - hasProcesses: Whether each command in it has a process of its own.
  ///   - makeDatabase: Gives the database; one that is a file lies in the folder at this path.
  init(
    hasProcesses: Bool = false, _ makeDatabase: (String) throws -> TestDatabase
  ) throws {
    self.hasProcesses = hasProcesses
    url = FileManager.default.temporaryDirectory.appending(path: "vigil-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    database = try makeDatabase(url.path)
  }

  /// Another folder, with a copy of the database only.
  func copyOfDatabase() throws -> TemporaryFolder {
    try TemporaryFolder(hasProcesses: hasProcesses) { try database.copy(in: $0) }
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    try? FileManager.default.removeItem(at: url)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
