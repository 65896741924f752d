import CFiles
import Foundation
import VigilReport

/// The file of `--metrics-file`, which node_exporter's textfile collector reads at any moment: it is
/// replaced as a whole.
struct MetricsFile: Sendable {
  /// As the user named it.
  let path: String
  /// Its place in the file system.
  fileprivate let place: String

  /// More than Vigil ever writes; a larger file is not Vigil's.
  private static let largestSize = 1 << 20

  /// - Parameters:
  ///   - path: The name of the file.
  ///   - surroundings: Those of the command.
  init(path: String, in surroundings: CommandSurroundings = .current) {
    self.path = path
    place = surroundings.path(of: path)
  }

  /// Fails where `update` would fail, and leaves everything as it is.
  ///
  /// - Throws: `CommandFailure` (73).
  func requireWritable() throws {
    if try earlier().condition == .foreign {
      throw failure("what it holds is not Vigil's; name another file, or remove this one")
    }
    try Partial(of: self).remove()
  }

  /// The contents of the file; empty where there is no file.
  ///
  /// - Throws: `CommandFailure` (73) where it cannot be read or is no ordinary file.
  func earlier() throws -> EarlierRunMetrics {
    let size = vigil_size_at(place)
    guard size != -1 else {
      guard errno == ENOENT else { throw systemFailure("cannot be read") }
      return EarlierRunMetrics(text: "")
    }
    guard size >= 0 else {
      throw failure("is no ordinary file; name another one")
    }
    guard size <= Self.largestSize else {
      throw failure("what it holds is not Vigil's; name another file, or remove this one")
    }
    do {
      return EarlierRunMetrics(
        text: String(decoding: try Data(contentsOf: URL(filePath: place)), as: UTF8.self))
    } catch {
      throw failure("cannot be read; check its permissions")
    }
  }

  /// Replaces the file by what `metrics` makes of the present one; an error leaves it unchanged.
  ///
  /// - Throws: `CommandFailure` (73).
  func update(_ metrics: (EarlierRunMetrics) -> RunMetrics) throws {
    let partial = try Partial(of: self)
    do {
      try partial.write(metrics(earlier()).text)
      try partial.publish()
    } catch {
      partial.remove()
      throw error
    }
  }

  /// Replaces the file by `text`.
  ///
  /// - Throws: `CommandFailure` (73).
  func replace(by text: String) throws {
    let partial = try Partial(of: self)
    do {
      try partial.write(text)
      try partial.publish()
    } catch {
      partial.remove()
      throw error
    }
  }

  fileprivate func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.cannotCreate, "metrics file \(path): \(reason)")
  }

  /// A failure that `errno` explains.
  fileprivate func systemFailure(_ what: String) -> CommandFailure {
    let reason = String(cString: strerror(errno))
    return failure("\(what) (\(reason)); check its folder, permissions and free space")
  }
}

/// The new contents, beside the file, under a name that the collector does not read.
///
/// Locked from before the present contents are read until they are replaced: a command that is
/// refused because another one runs may end at the same moment as that one. A killed process may
/// leave an empty or half-written file, which the next process overwrites.
private struct Partial: ~Copyable {
  let file: MetricsFile
  private let path: String
  private let descriptor: Int32

  /// Waits for another process that is writing the same file.
  init(of file: MetricsFile) throws {
    let path = "\(file.place).partial"
    var locked = try Self.lockedDescriptor(path, file)
    while !Self.isNamed(path, locked) {
      // The process that had the lock has published or removed the file meanwhile.
      close(locked)
      locked = try Self.lockedDescriptor(path, file)
    }
    self.file = file
    self.path = path
    descriptor = locked
  }

  private static func lockedDescriptor(_ path: String, _ file: MetricsFile) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw file.systemFailure("cannot be written") }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let failure = file.systemFailure("cannot be written")
        close(descriptor)
        throw failure
      }
    }
    return descriptor
  }

  /// Whether `path` still names the open file.
  private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
    vigil_is_named(path, descriptor) != 0
  }

  deinit { close(descriptor) }

  /// Writes the whole contents over the remains of a killed process.
  borrowing func write(_ text: String) throws {
    guard ftruncate(descriptor, 0) == 0 else { throw file.systemFailure("cannot be written") }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count >= 0 || errno == EINTR else { throw file.systemFailure("cannot be written") }
      bytes = bytes.dropFirst(max(0, count))
    }
  }

  /// Gives the contents the file's name, once they are on the disk.
  borrowing func publish() throws {
    // The collector may run as another user, and a cron job may have a narrow umask.
    guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0, rename(path, file.place) == 0
    else { throw file.systemFailure("cannot be written") }
  }

  borrowing func remove() {
    unlink(path)
  }
}
