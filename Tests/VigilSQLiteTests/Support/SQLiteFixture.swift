import Foundation
import GRDB
import StorageConformance
import TestDatabases
import TestSupport
import VigilSQLite
import VigilStorage

/// A migrated database in a folder of its own.
struct SQLiteFixture: StorageFixture {
  let directory: TemporaryDirectory
  let storage: any Storage

  var path: String { directory.path("vigil.sqlite") }

  init(in directory: TemporaryDirectory) throws {
    self.directory = directory
    storage = try DatabaseKind.sqlite.makeMigratedDatabase(in: directory.path).open()
  }

  static func with(_ body: (SQLiteFixture) throws -> Void) throws {
    try TemporaryDirectory.with { try body(SQLiteFixture(in: $0)) }
  }

  func reopened() throws -> any Storage {
    try SQLiteStorage(path: path, mode: .existing)
  }

  func execute(_ sql: String) throws {
    // SQLite spells the type of PostgreSQL in one word.
    let sql = sql.replacingOccurrences(of: "DOUBLE PRECISION", with: "REAL")
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  func executeWithoutReferences(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(path: path, configuration: configuration).write { try $0.execute(sql: sql) }
  }

  func strings(_ sql: String) throws -> [String?] {
    try DatabaseQueue(path: path).read { try String?.fetchAll($0, sql: sql) }
  }
}
