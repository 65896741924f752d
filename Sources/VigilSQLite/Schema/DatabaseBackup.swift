import Foundation
import GRDB
import VigilModel
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
    let unfinished = path + ".unfinished"
    do {
      try file.mappingErrors {
        try database.writeWithoutTransaction { db in
          try requireSpace(db)
          try createAnew(unfinished)
          let copying = try RawStatement(FileStatement.copyDatabase, on: db)
          copying.put(unfinished)
          try copying.run()
        }
      }
      // SQLite does not wait for the disk when it writes such a copy.
      try synchronize(unfinished)
      guard rename(unfinished, path) == 0 else { throw writeError(errno) }
    } catch {
      unlink(unfinished)
      guard var reason = error as? StorageError else { throw error }
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

  /// Creates an empty file for SQLite to fill, so that no other user can read it for a moment.
  private func createAnew(_ path: String) throws {
    unlink(path)
    let descriptor = open(
      path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, DatabaseFile.ownersOnly)
    guard descriptor >= 0 else { throw writeError(errno) }
    close(descriptor)
  }

  /// Waits until the copy is on the disk.
  private func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw writeError(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw writeError(errno) }
  }

  private func writeError(_ code: Int32) -> StorageError {
    code == ENOSPC
      ? .diskFull(file)
      : StorageError(
        .unreachable,
        "the backup of \(file.displayName) cannot be written (\(String(cString: strerror(code))))")
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
    return names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".unfinished") }
      .sorted()
      .map { "\(file.folder)/\($0)" }
  }

  private func removeOldest() {
    for path in existing().dropLast(Self.keptCount) { unlink(path) }
  }
}
