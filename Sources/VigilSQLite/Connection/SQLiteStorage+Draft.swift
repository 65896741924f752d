import Foundation
import GRDB
import VigilStorage

extension SQLiteStorage {
  /// Begins a database that gets its name only with `publish()`; until then nothing is there by that name.
  ///
  /// The file is written beside the place that it is for. End it with `publish()` or `discard()`.
  ///
  /// - Returns: Nil where there is already something at `path`.
  /// - Throws: `StorageError` as `init(path:mode:)`.
  public static func draft(of path: String) throws -> SQLiteStorage? {
    var status = stat()
    guard lstat(DatabaseFile(path).path, &status) != 0, errno == ENOENT else { return nil }
    return try SQLiteStorage(DatabaseFile(draftOf: path), mode: .createIfMissing)
  }

  /// Closes a draft and gives it its name.
  ///
  /// - Throws: `StorageError` with `.locked` where a file of this name has appeared in the meantime, which
  ///   stays as it is, and with the code of the system's reason where it cannot be named.
  public func publish() throws {
    // The last connection to close may be one that only reads, which leaves the WAL as it is.
    try file.mappingErrors {
      try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try database.close()
    }
    precondition(
      !file.hasWAL, "a checkpoint leaves nothing in the WAL of a file that no one else knows")
    let final = DatabaseFile(file.givenPath).path
    if link(file.path, final) != 0 {
      let reason = errno
      // Not every volume has links.
      var status = stat()
      guard reason != EEXIST, lstat(final, &status) != 0 else {
        throw StorageError(
          .locked, "\(displayName) was created by another process in the meantime",
          remedy: "run the command again, which then adds to it")
      }
      guard rename(file.path, final) == 0 else {
        throw StorageError(creating: displayName, errno: reason, file: file)
      }
    }
    removeFiles()
  }

  /// Closes a draft and removes its files; does nothing about one that is published.
  public func discard() {
    try? database.close()
    removeFiles()
  }

  private func removeFiles() {
    for suffix in ["", "-wal", "-shm"] { unlink(file.path + suffix) }
  }
}

extension DatabaseFile {
  /// A file beside `path` that errors call by that path.
  init(draftOf path: String) {
    self.init(
      givenPath: path, path: "\(DatabaseFile(path).path).draft-\(getpid())")
  }
}
