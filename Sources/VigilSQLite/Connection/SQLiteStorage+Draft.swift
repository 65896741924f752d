import Foundation
import GRDB
import VigilFiles
import VigilModel
import VigilStorage

extension SQLiteStorage {
  /// Begins a database that gets its name only with `publish()`; until then nothing is there by that name.
  ///
  /// The file is written beside the place that it is for. End it with `publish()` or `discard()`. What killed
  /// processes have left of theirs is removed.
  ///
  /// - Parameters:
  ///   - path: The path, as messages show it.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  /// - Returns: Nil where there is already something at `path`.
  /// - Throws: `StorageError` as `init(path:mode:)`, and with `.locked` where another process writes a draft of
  ///   the same name, as one with the same number in another container may.
  public static func draft(of path: String, in folder: String? = nil) throws -> SQLiteStorage? {
    let final = DatabaseFile(path, in: folder)
    var status = stat()
    guard lstat(final.path, &status) != 0, errno == ENOENT else { return nil }
    removeAbandonedDrafts(of: final)
    let draft = DatabaseFile(draftOf: final)
    var lock: FileLock?
    do {
      lock = try FileLock(draft, run: UUID(name: "draft"), sharing: .exclusive)
    } catch let error as StorageError where error.code != .locked {
      // Some volumes have no locks, and opening the file below says what the folder lacks.
    }
    do {
      return try SQLiteStorage(draft, mode: .createIfMissing, draftLock: lock)
    } catch {
      if lock != nil { draft.removeDraft() }
      throw error
    }
  }

  /// Removes drafts of `final` whose lock no process holds; one without a lock file stays.
  private static func removeAbandonedDrafts(of final: DatabaseFile) {
    for draft in final.drafts {
      FileLock.claimingAbandoned(draft.lockPath) { draft.removeDraft() }
    }
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
    let final = file.finalPath
    do {
      try NewFile.publish(file.path, as: final, path: displayName, replaces: false)
    } catch {
      guard error.code == .isThere else {
        throw StorageError(creating: displayName, errno: error.systemError, file: file)
      }
      throw StorageError(
        .locked, "\(displayName) was created by another process in the meantime",
        remedy: "run the command again, which then adds to it")
    }
    file.removeDraft()
  }

  /// Closes a draft and removes its files; does nothing about one that is published.
  public func discard() {
    try? database.close()
    file.removeDraft()
  }
}

extension DatabaseFile {
  private static let draftMark = ".draft-"

  /// A file beside `final` that errors call by the path of that.
  init(draftOf final: DatabaseFile) {
    self.init(
      givenPath: final.givenPath, path: "\(final.path)\(Self.draftMark)\(getpid())")
  }

  /// The path that a draft is for.
  fileprivate var finalPath: String {
    path.range(of: Self.draftMark, options: .backwards).map { String(path[..<$0.lowerBound]) }
      ?? path
  }

  /// The drafts of this file that exist, of any process.
  fileprivate var drafts: [DatabaseFile] {
    let prefix = "\((path as NSString).lastPathComponent)\(Self.draftMark)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // A process that is killed early leaves only the lock file.
    let numbers = names.filter { $0.hasPrefix(prefix) }.map { name in
      name.dropFirst(prefix.count).prefix(while: \.isNumber)
    }
    return Set(numbers).filter { !$0.isEmpty }.map {
      DatabaseFile(givenPath: givenPath, path: "\(path)\(Self.draftMark)\($0)")
    }
  }

  /// Removes the files of a draft; the lock file, which says that it is abandoned, at last.
  fileprivate func removeDraft() {
    // A process that is killed before its file is in WAL mode leaves a rollback journal.
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    unlink(lockPath)
  }
}
