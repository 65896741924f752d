import Foundation

/// A text file that a command creates, complete or not at all.
struct NewFile {
  let path: String

  /// - Parameter replaces: Whether a file of this name may be there.
  /// - Throws: `CommandFailure` (73) where the file is there or cannot be created.
  init(path: String, replaces: Bool) throws {
    self.path = path
    var isFolder = ObjCBool(false)
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue {
      throw CommandFailure(.cannotCreate, "\(path) is a folder; give the name of a file")
    }
    if isThere, !replaces {
      throw CommandFailure(
        .cannotCreate, "\(path) is there already; choose another name, or replace it with --force")
    }
    // Work of minutes begins only where its result can be kept.
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    close(descriptor)
    unlink(partial)
  }

  private var partial: String { path + ".partial" }

  /// Writes the text beside the file and then gives it the file's name.
  ///
  /// - Throws: `CommandFailure` (73).
  func write(_ text: String) throws {
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    defer { unlink(partial) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count >= 0 || errno == EINTR else {
        let failure = failure()
        close(descriptor)
        throw failure
      }
      bytes = bytes.dropFirst(max(0, count))
    }
    let isSafe = fsync(descriptor) == 0
    guard close(descriptor) == 0, isSafe, rename(partial, path) == 0 else { throw failure() }
  }

  private func failure() -> CommandFailure {
    CommandFailure(
      .cannotCreate,
      "\(path) cannot be written (\(String(cString: strerror(errno)))); check its folder,"
        + " permissions and free space")
  }
}
