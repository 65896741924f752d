import Foundation
import GRDB
import VigilFiles
import VigilModel
import VigilSQL
import VigilStorage

/// Copies of a database file that lie beside it, named by the time they were made.
struct DatabaseBackup {
  let file: DatabaseFile

  /// The number of copies to keep.
  static let keptCount = 3

  init(of file: DatabaseFile) {
    self.file = file
  }

  /// Writes a copy, removes the oldest ones, and returns the path of the new one.
  ///
  /// A copy that cannot be completed leaves nothing behind.
  func write(from database: any DatabaseWriter, at now: Timestamp) throws -> String {
    let path = freePath(at: now)
    do {
      let stream = try NewFileStream(
        NewFile(path: path, at: path, replaces: false, readers: .owner))
      guard let unfinished = stream.partialPath else { preconditionFailure("the name was free") }
      try file.mappingErrors {
        try database.writeWithoutTransaction { db in
          try requireSpace(db)
          let copying = try RawStatement(FileStatement.copyDatabase, on: db)
          copying.put(unfinished)
          try copying.run()
        }
      }
      // SQLite does not wait for the disk when it writes such a copy.
      try stream.publish()
    } catch {
      var reason: StorageError
      switch error {
      case let error as NewFileError: reason = storageError(error)
      case let error as StorageError: reason = error
      default: throw error
      }
      reason.message =
        "no backup could be made before the migration, which has not begun: "
        + reason.message
      throw reason
    }
    removeOldest()
    return path
  }

  private func requireSpace(_ db: Database) throws {
    var needed = 0
    try RawStatement(FileStatement.findUsedBytes, on: db).forEachRow { needed = $0.int(0) }
    if let free = file.freeBytes, free < needed { throw StorageError.diskFull(file) }
  }

  private func storageError(_ error: NewFileError) -> StorageError {
    error.systemError == ENOSPC
      ? .diskFull(file)
      : StorageError(
        .unreachable, "the backup of \(file.displayName) \(error.fault)",
        remedy: .advice(error.advice))
  }

  private func freePath(at now: Timestamp) -> String {
    // 2026-11-21T04:12:21.123456Z becomes 20261121T041221.123456Z: no colons in file names.
    let time = now.description.filter { $0 != "-" && $0 != ":" }
    let path = "\(file.path).backup-\(time)"
    var free = path
    var copy = 2
    while access(free, F_OK) == 0 {
      free = "\(path)-\(copy)"
      copy += 1
    }
    return free
  }

  /// Paths of the copies there are, oldest first.
  func existing() -> [String] {
    let prefix = URL(fileURLWithPath: file.path).lastPathComponent + ".backup-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: file.folder)) ?? []
    return names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".partial") }
      .sorted()
      .map { "\(file.folder)/\($0)" }
  }

  /// Removes all but the newest copies and those that alone hold rows of some table.
  private func removeOldest() {
    var held: Set<String> = []
    for (age, path) in existing().reversed().enumerated() {
      // A copy that cannot be read may be all there is.
      guard let tables = try? Self.tablesWithRows(in: path) else { continue }
      if age >= Self.keptCount, tables.isSubset(of: held) {
        unlink(path)
      } else {
        held.formUnion(tables)
      }
    }
  }

  private static func tablesWithRows(in path: String) throws -> Set<String> {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration).read { db in
      let session = SQLiteSession(db: db, file: DatabaseFile(path))
      let tables = try session.rows(FileStatement.listTables) { $0.text() }
      return Set(
        try tables.filter { table in
          let statement = session.statements.statement(
            FileStatement.countFirstRows, ["table": .name(table)])
          return try session.rows(statement, []) { $0.int() }.first ?? 0 > 0
        })
    }
  }
}
