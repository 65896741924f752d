import CFiles
import Foundation

/// The contents beside a file until they are complete.
///
/// A process at work holds a lock; what a killed one has left behind has none, and is removed by the next one.
struct PartialFile {
  let path: String
  let descriptor: Int32

  /// - Parameters:
  ///   - file: The file.
  ///   - waits: Whether to wait for another process that writes the file.
  init(of file: NewFile, waits: Bool) throws(NewFileError) {
    path = file.place + ".partial"
    let mode: mode_t = file.readers == .owner ? 0o600 : 0o644
    while true {
      let created = open(
        path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if created >= 0 {
        // Another process may take it for an abandoned one until it is locked.
        if Self.lock(created) != .others, vigil_is_named(path, created) != 0 {
          descriptor = created
          return
        }
        close(created)
        continue
      }
      guard errno == EEXIST else { throw NewFileError(.unwritable, file.path, errno) }
      guard try Self.removeAbandoned(path, of: file) else {
        guard waits else { throw NewFileError(.isBeingWritten, file.path) }
        usleep(10_000)
        continue
      }
    }
  }

  /// Removes what a process has left behind; false where one is at work.
  private static func removeAbandoned(
    _ path: String, of file: NewFile
  ) throws(NewFileError) -> Bool {
    switch NewFile.kind(at: path) {
    case .missing: return true
    case .regular: break
    case .folder, .stream, .other: throw NewFileError(.isObstructed, file.path)
    }
    let found = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    defer { if found >= 0 { close(found) } }
    if found >= 0 {
      guard lock(found) != .others else { return false }
      guard vigil_is_named(path, found) != 0 else { return true }
    }
    // A file that another user has prepared would let them read along, so none is used again.
    guard unlink(path) == 0 || errno == ENOENT else {
      throw NewFileError(.isObstructed, file.path)
    }
    return true
  }

  private enum Holder {
    case own
    case others
    /// The volume has no locks.
    case unknown
  }

  private static func lock(_ descriptor: Int32) -> Holder {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return .others
      default: return .unknown
      }
    }
    return .own
  }

  /// Removes the contents and ends the lock.
  static func remove(_ partial: PartialFile) {
    unlink(partial.path)
    close(partial.descriptor)
  }
}
