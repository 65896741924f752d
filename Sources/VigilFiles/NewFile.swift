import Foundation

/// A file that a program writes: complete or not at all, and never in the place of anything but a regular file.
///
/// The contents are written beside the file and then get its name. A link is followed, so that its target is
/// replaced and the link stays. A FIFO or a character device stays as well, and takes the contents as a stream.
/// Folders, disks and sockets are refused.
public struct NewFile: Sendable {
  /// As the user named it.
  public let path: String
  /// Its place in the file system, behind links.
  public let place: String
  let readers: Readers
  let replaces: Bool
  let isStream: Bool

  /// The users who may read the file.
  public enum Readers: Sendable {
    /// Its owner alone.
    case owner
    /// The users whom the umask of the process leaves.
    case umask
    /// All, whatever the umask.
    case everyone
  }

  /// - Parameters:
  ///   - path: The name of the file, as messages show it.
  ///   - place: Where that is in the file system.
  ///   - replaces: Whether a regular file of this name may be there.
  ///   - readers: The users who may read the file.
  /// - Throws: `NewFileError` where the file cannot be created, so that long work begins only where its result can
  ///   be kept.
  public init(
    path: String, at place: String, replaces: Bool, readers: Readers = .umask
  ) throws(NewFileError) {
    self.path = path
    self.replaces = replaces
    self.readers = readers
    let (target, kind) = try Self.target(of: place, path: path)
    self.place = target
    isStream = kind == .stream
    switch kind {
    case .missing: break
    case .regular:
      guard replaces else { throw NewFileError(.isThere, path) }
    case .folder: throw NewFileError(.isFolder, path)
    case .stream:
      guard access(target, W_OK) == 0 else { throw NewFileError(.unwritable, path, errno) }
      return
    case .other: throw NewFileError(.isNoFile, path)
    }
    do throws(NewFileError) {
      PartialFile.remove(try PartialFile(of: self, waits: false))
    } catch {
      // Another process shows that the file can be created; whether to wait for it is for the stream to say.
      guard error.code == .isBeingWritten else { throw error }
    }
  }

  enum Kind {
    case missing
    case regular
    case folder
    /// A FIFO or a character device.
    case stream
    case other

    init(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .regular
      case S_IFDIR: self = .folder
      case S_IFIFO, S_IFCHR: self = .stream
      default: self = .other
      }
    }
  }

  /// The kind of what has this name itself, be it a link.
  static func kind(at path: String) -> Kind {
    var status = stat()
    return lstat(path, &status) == 0 ? Kind(status) : .missing
  }

  /// The place behind links, and what is there.
  private static func target(
    of place: String, path: String
  ) throws(NewFileError) -> (place: String, kind: Kind) {
    var named = stat()
    guard lstat(place, &named) == 0 else { return (place, .missing) }
    guard named.st_mode & S_IFMT == S_IFLNK else { return (place, Kind(named)) }
    // In a folder where all may write, the link of another user would choose what this user overwrites.
    guard named.st_uid == geteuid() || named.st_uid == 0 else {
      throw NewFileError(.isLinkOfOthers, path)
    }
    var meant = stat()
    guard stat(place, &meant) == 0 else { throw NewFileError(.isBrokenLink, path) }
    let kind = Kind(meant)
    // A stream needs no other name, and one such as /dev/stdout may have none.
    guard kind == .regular else { return (place, kind) }
    guard let resolved = realpath(place, nil) else { throw NewFileError(.isBrokenLink, path) }
    defer { free(resolved) }
    return (String(cString: resolved), kind)
  }

  /// Writes the whole contents.
  ///
  /// - Throws: `NewFileError`.
  public func write(_ text: String) throws {
    let stream = try NewFileStream(self)
    try stream.write(Array(text.utf8))
    try stream.publish()
  }

  /// Gives complete contents their name, which nothing but a regular file may have.
  ///
  /// - Parameters:
  ///   - partial: The contents, on the same volume.
  ///   - place: Their name.
  ///   - path: The name as messages show it.
  ///   - replaces: Whether a regular file of this name may be there.
  /// - Throws: `NewFileError`; the contents then keep the name that they have.
  public static func publish(
    _ partial: String, as place: String, path: String, replaces: Bool
  ) throws(NewFileError) {
    if !replaces {
      // A link takes a name that is free, and no other one.
      if link(partial, place) == 0 {
        unlink(partial)
        return
      }
      let reason = errno
      // Not every volume has links.
      guard reason != EEXIST, kind(at: place) == .missing else {
        throw NewFileError(.isThere, path, reason)
      }
    }
    switch kind(at: place) {
    case .missing, .regular: break
    case .folder: throw NewFileError(.isFolder, path)
    case .stream, .other: throw NewFileError(.isNoFile, path)
    }
    guard rename(partial, place) == 0 else { throw NewFileError(.unwritable, path, errno) }
  }
}
