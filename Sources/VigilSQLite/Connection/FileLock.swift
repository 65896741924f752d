public import Foundation
import VigilModel
public import VigilStorage

extension SQLiteStorage {
  public func acquireRunLock(for run: UUID, shard: RunShard) throws -> any RunLock {
    if shard.isWhole {
      let lock = try FileLock(file, run: run, sharing: .exclusive)
      FileLock.removeLeftovers(of: file)
      return lock
    }
    // Shards share the lock of the whole, so that none begins while a run of everybody is going on.
    let common = try FileLock(file, run: run, sharing: .shared)
    let own = try FileLock(file, run: run, sharing: .exclusive, path: file.lockPath(of: shard))
    FileLock.removeLeftovers(of: file)
    return ShardLock(common: common, own: own)
  }

  public func runsAtWork() throws -> Set<UUID>? {
    // A shard holds the common lock as well, with the id of the run that it shares.
    let holder = FileLock.holder(of: file)
    return holder?.isOfAnotherUser == true ? nil : Set([holder?.run].compactMap { $0 })
  }

  /// A process that may write to the file has all rights.
  public func requireRights(for mode: RunRecord.Mode) throws {}

  public func requireRightsForPersons() throws {}

  public func acquirePersonLock(for person: UUID) throws -> any PersonLock {
    do {
      return try FileLock(
        file, run: UUID(name: "lock"), sharing: .exclusive, path: file.lockPath(of: person))
    } catch let error as StorageError where error.code == .locked {
      throw StorageError.personLocked(in: displayName)
    }
  }

  public func isLocked(_ shard: RunShard) throws -> Bool {
    FileLock.holder(of: file.lockPath(of: shard)) != nil
  }
}

/// An `flock` on a file beside the database.
///
/// The kernel drops the lock when its process ends, however it ends. It is a file of its own because
/// closing any descriptor of the database file would drop the locks that SQLite holds on it. The
/// file goes away with the last of its locks; what a killed process leaves behind locks nothing.
final class FileLock: RunLock, PersonLock {
  enum Sharing {
    case exclusive
    /// With others that share it.
    case shared
  }

  private let path: String
  private let descriptor: Int32

  /// The number of attempts to get the lock: a holder may be about to release it.
  private static let attempts = 10

  /// - Parameters:
  ///   - file: The database.
  ///   - run: The run that the lock is of, as its holder signs.
  ///   - sharing: Whether others may share it.
  ///   - path: The file to lock; nil for that of the whole database.
  init(_ file: DatabaseFile, run: UUID, sharing: Sharing, path: String? = nil) throws {
    let path = path ?? file.lockPath
    self.path = path
    let operation = sharing == .exclusive ? LOCK_EX : LOCK_SH
    var attempt = 1
    while true {
      // Where others may create files, a link would make this process write into one of theirs.
      let descriptor = open(
        path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, DatabaseFile.ownersOnly)
      guard descriptor >= 0 else { throw Self.openError(errno, file, path) }
      if flock(descriptor, operation | LOCK_NB) == 0 {
        // The holder before may have removed the file between the two calls above.
        if Self.isOpen(descriptor, at: path) {
          self.descriptor = descriptor
          sign(run)
          return
        }
        close(descriptor)
        continue
      }
      close(descriptor)
      guard attempt < Self.attempts else { throw Self.lockedError(file, path) }
      attempt += 1
      usleep(10_000)
    }
  }

  deinit {
    // Others that share the lock need the file; the last of them gets it for itself.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isOpen(descriptor, at: path) { unlink(path) }
    close(descriptor)
  }

  /// The run that holds the lock of a database file, as it has signed; nil while none does.
  static func holder(of file: DatabaseFile) -> RunLockHolder? { holder(of: file.lockPath) }

  static func holder(of path: String) -> RunLockHolder? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == EACCES ? .ofAnotherUser : nil }
    defer { close(descriptor) }
    // A shared lock could be taken with the others, so an exclusive attempt shows whether any
    // process holds it.
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return RunLockHolder(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
  }

  /// Removes the lock files that killed shards and evaluations of persons have left behind.
  static func removeLeftovers(of file: DatabaseFile) {
    for path in file.partLockPaths { claimingAbandoned(path) { unlink(path) } }
  }

  /// Calls `body` with the lock at `path` held, where a process has left the file behind.
  static func claimingAbandoned(_ path: String, _ body: () -> Void) {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isOpen(descriptor, at: path) { body() }
  }

  func sign(_ run: UUID) {
    // On a full disk the lock still holds; only its message would be poorer.
    ftruncate(descriptor, 0)
    let text = Array(RunLockHolder(run: run).description.utf8)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  private static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    var present = stat()
    return fstat(descriptor, &opened) == 0 && lstat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }

  private static func lockedError(_ file: DatabaseFile, _ path: String) -> StorageError {
    let holder = holder(of: path)?.description ?? "another run"
    return StorageError(
      .locked, "\(file.displayName) is locked by \(holder)",
      remedy: "try again when that run has ended; the lock ends with its process")
  }

  private static func openError(
    _ code: Int32, _ file: DatabaseFile, _ path: String
  ) -> StorageError {
    var status = stat()
    let isThere = lstat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFLNK {
      return StorageError(
        .unreachable, "the lock file \(path) is a symbolic link, through which nothing is written",
        remedy: "see who has put it there, and remove it: rm \(path.shellWord)")
    }
    if isThere, code == EACCES {
      return StorageError(
        .readOnly, "the lock file \(path) belongs to another user",
        remedy: "run as that user, or remove it where no run of theirs is going on")
    }
    return StorageError(creating: "the lock file \(path)", errno: code, file: file)
  }
}

/// The locks that a shard holds: one that it shares with the others, and its own.
private final class ShardLock: RunLock {
  private let common: FileLock
  private let own: FileLock

  init(common: FileLock, own: FileLock) {
    self.common = common
    self.own = own
  }

  func sign(_ run: UUID) {
    common.sign(run)
    own.sign(run)
  }
}

/// The holder of a run lock, according to the lock file.
struct RunLockHolder: CustomStringConvertible {
  /// One line, which is also what the file holds.
  let description: String

  init(run: UUID) {
    description = "run \(run.lowercased) (process \(getpid()) on \(Self.hostName))"
  }

  init(_ text: String) {
    description = text.isEmpty ? "another run" : text
  }

  /// Of a lock file that this user may not open, and may be what a killed process has left behind.
  static let ofAnotherUser = RunLockHolder("a run of another user, or by none any more")

  var isOfAnotherUser: Bool { description == Self.ofAnotherUser.description }

  /// Nil where it does not say.
  var run: UUID? {
    description.firstMatch(of: /^run ([0-9a-f-]{36})/).flatMap { UUID(uuidString: String($0.1)) }
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
