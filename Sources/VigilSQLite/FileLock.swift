public import Foundation
import VigilModel
public import VigilStorage

extension SQLiteStorage {
  public func acquireRunLock(for run: UUID) throws -> any RunLock {
    try FileLock(file, run: run)
  }
}

/// An `flock` on a file beside the database.
///
/// The kernel drops the lock when its process ends, however it ends. It is a file of its own because
/// closing any descriptor of the database file would drop the locks that SQLite holds on it. The
/// file goes away with the lock; what a killed process leaves behind locks nothing.
final class FileLock: RunLock {
  private let path: String
  private let descriptor: Int32

  /// How often the lock is tried for: a holder may be about to go.
  private static let attempts = 10

  init(_ file: DatabaseFile, run: UUID) throws {
    path = file.lockPath
    var attempt = 1
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw Self.openError(errno, file) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // The holder before may have removed the file between the two calls above.
        if Self.isOpen(descriptor, at: path) {
          self.descriptor = descriptor
          Self.write(RunLockHolder(run: run), to: descriptor)
          return
        }
        close(descriptor)
        continue
      }
      close(descriptor)
      guard attempt < Self.attempts else { throw Self.lockedError(file) }
      attempt += 1
      usleep(10_000)
    }
  }

  deinit {
    unlink(path)
    close(descriptor)
  }

  /// The run that holds the lock of `file`, as it has signed; nil while nobody does.
  static func holder(of file: DatabaseFile) -> RunLockHolder? {
    let descriptor = open(file.lockPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return RunLockHolder(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
  }

  private static func write(_ holder: RunLockHolder, to descriptor: Int32) {
    // On a full disk the lock still holds; only its message would be poorer.
    ftruncate(descriptor, 0)
    let text = Array(holder.description.utf8)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  private static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    var present = stat()
    return fstat(descriptor, &opened) == 0 && stat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }

  private static func lockedError(_ file: DatabaseFile) -> StorageError {
    let holder = holder(of: file)?.description ?? "another run"
    return StorageError(
      .locked, "\(file.displayName) is locked by \(holder)",
      hint: "try again when that run has ended; the lock ends with its process")
  }

  private static func openError(_ code: Int32, _ file: DatabaseFile) -> StorageError {
    switch code {
    case EROFS, EACCES, EPERM: .readOnly(file)
    case ENOSPC, EDQUOT: .diskFull(file)
    default:
      StorageError(
        .unreachable,
        "the lock file \(file.lockPath) cannot be opened (\(String(cString: strerror(code))))")
    }
  }
}

/// Who holds a run lock, as the lock file says.
struct RunLockHolder: CustomStringConvertible {
  /// One line, which is also what the file holds.
  let description: String

  init(run: UUID) {
    description = "run \(run.lowercased) (process \(getpid()) on \(Self.hostName))"
  }

  init(_ text: String) {
    description = text.isEmpty ? "another run" : text
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
