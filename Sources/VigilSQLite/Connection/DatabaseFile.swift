import Foundation
import VigilModel
import VigilStorage

/// The place of a database, and the state of the file system there.
struct DatabaseFile: Sendable {
  /// As the user wrote it.
  let givenPath: String
  /// Absolute, links resolved, so that every name of a file leads to the same lock and backups.
  let path: String

  init(givenPath: String, path: String) {
    self.givenPath = givenPath
    self.path = path
  }

  /// - Parameters:
  ///   - path: As the user wrote it.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  init(_ path: String, in folder: String? = nil) {
    givenPath = path
    let url = URL(fileURLWithPath: path.path(startingIn: folder))
    if let resolved = realpath(url.path, nil) {
      self.path = String(cString: resolved)
      free(resolved)
    } else if let folder = realpath(url.deletingLastPathComponent().path, nil) {
      let parent = String(cString: folder)
      free(folder)
      self.path = (parent == "/" ? "" : parent) + "/" + url.lastPathComponent
    } else {
      self.path = url.path
    }
  }

  var displayName: String { "sqlite:\(givenPath)" }

  var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  var lockPath: String { path + ".lock" }

  func lockPath(of shard: RunShard) -> String {
    "\(lockPath)-\(shard.index)-of-\(shard.count)"
  }

  /// The lock file of the evaluation of one person, whose id it does not show.
  func lockPath(of person: UUID) -> String {
    "\(lockPath)-person-\(UUID(name: "lock:\(person.lowercased)").lowercased)"
  }

  /// The lock files of all shards and persons that exist.
  var partLockPaths: [String] {
    let prefix = "\((lockPath as NSString).lastPathComponent)-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter {
      $0.hasPrefix(prefix) && ($0.contains("-of-") || $0.hasPrefix(prefix + "person-"))
    }.map { "\(folder)/\($0)" }
  }

  enum Kind {
    case missing
    case file
    case folder
  }

  var kind: Kind {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return .missing
    }
    return isFolder.boolValue ? .folder : .file
  }

  /// Whether this process may not write to the file, or not create the files SQLite puts beside it.
  var isUnwritable: Bool {
    !isAccessible(folder, W_OK) || (kind == .file && !isAccessible(path, W_OK))
  }

  /// Creates an empty file where there is none: health data are their owner's to read, whatever the umask,
  /// and SQLite gives the files beside it the mode that this one has.
  func create() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, Self.ownersOnly)
    guard descriptor >= 0 else {
      throw StorageError(creating: displayName, errno: errno, file: self)
    }
    close(descriptor)
  }

  /// The mode of every file that is created here.
  static let ownersOnly: mode_t = 0o600

  var isReadable: Bool { isAccessible(path, R_OK) }

  private func isAccessible(_ path: String, _ mode: Int32) -> Bool {
    // The effective user counts, as it does when the file is opened.
    faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
  }

  /// Whether changes lie in the `-wal` file that are not in the database file yet.
  var hasWAL: Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Bytes that this user can still write to the volume; nil where the system does not say.
  var freeBytes: Int64? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }

  /// Whether the volume has less room than SQLite's own bookkeeping files take.
  var volumeIsFull: Bool {
    guard let freeBytes else { return false }
    return freeBytes < 64 * 1024
  }

  var byteCount: Int64? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Int64(status.st_size)
  }
}
