import Foundation

/// A text file that a command creates, complete or not at all.
struct NewFile {
  /// As the user named it.
  let path: String
  /// Its place in the file system.
  fileprivate let place: String
  private let isPrivate: Bool

  /// - Parameters:
  ///   - path: The name of the file.
  ///   - option: The option that names it, such as `--out`.
  ///   - replaces: Whether a file of this name may be there.
  ///   - isPrivate: Whether the file is its owner's alone, as the database is.
  ///   - database: The database of the command, which no new file may replace.
  ///   - surroundings: Those of the command.
  /// - Throws: `CommandFailure`: 64 where the file is the database, 73 where it is there or cannot be created.
  init(
    path: String, option: String, replaces: Bool, isPrivate: Bool,
    besides database: DatabaseLocation, in surroundings: CommandSurroundings = .current
  ) throws {
    self.path = path
    place = surroundings.path(of: path)
    if case .sqlite(let database) = database,
      Self.belongs(place, to: surroundings.path(of: database))
    {
      throw CommandFailure(.usage, "\(option) \(path) is the database; choose another name")
    }
    self.isPrivate = isPrivate
    var isFolder = ObjCBool(false)
    let isThere = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
    if isFolder.boolValue {
      throw CommandFailure(.cannotCreate, "\(path) is a folder; give the name of a file")
    }
    if isThere, !replaces {
      throw CommandFailure(
        .cannotCreate, "\(path) is there already; choose another name, or replace it with --force")
    }
    // Work of minutes begins only where its result can be kept.
    close(try openPartial(O_CREAT))
    unlink(partial)
  }

  /// Whether a name is that of a database file, or of one that SQLite keeps beside it.
  private static func belongs(_ path: String, to database: String) -> Bool {
    let own = URL(filePath: database).resolvingSymlinksInPath().path
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    return ["", "-wal", "-shm", "-journal"].contains { own + $0 == file }
  }

  fileprivate var partial: String { place + ".partial" }

  /// - Throws: `CommandFailure` (73).
  fileprivate func openPartial(_ flags: Int32) throws -> Int32 {
    let descriptor = open(
      partial, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, isPrivate ? 0o600 : 0o644)
    guard descriptor >= 0 else { throw failure() }
    return descriptor
  }

  /// Writes the text beside the file and then gives it the file's name.
  ///
  /// - Throws: `CommandFailure` (73).
  func write(_ text: String) throws {
    let stream = try NewFileStream(self)
    try stream.write(Array(text.utf8))
    try stream.publish()
  }

  fileprivate func failure() -> CommandFailure {
    CommandFailure(
      .cannotCreate,
      "\(path) cannot be written (\(String(cString: strerror(errno)))); check its folder,"
        + " permissions and free space")
  }
}

/// The contents of a new file, piece after piece, beside the file; gone unless they are published.
final class NewFileStream {
  private let file: NewFile
  /// Below 0 once it is closed.
  private var descriptor: Int32

  /// - Throws: `CommandFailure` (73).
  init(_ file: NewFile) throws {
    self.file = file
    // A file that another user has prepared would let them read along.
    unlink(file.partial)
    descriptor = try file.openPartial(O_CREAT | O_EXCL)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(file.partial)
  }

  /// - Throws: `CommandFailure` (73).
  func write(_ bytes: [UInt8]) throws {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count >= 0 || errno == EINTR else { throw file.failure() }
      bytes = bytes.dropFirst(max(0, count))
    }
  }

  /// Gives the complete contents the file's name.
  ///
  /// - Throws: `CommandFailure` (73).
  func publish() throws {
    let isSafe = fsync(descriptor) == 0
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isSafe, isClosed, rename(file.partial, file.place) == 0 else {
      let failure = file.failure()
      unlink(file.partial)
      throw failure
    }
  }
}
