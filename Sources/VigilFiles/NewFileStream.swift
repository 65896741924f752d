import Foundation

/// The contents of a new file, piece after piece; those of a regular file are gone unless they are published.
public final class NewFileStream {
  private let file: NewFile
  private let descriptor: Int32
  /// Nil for a FIFO or a device, which gets each piece at once.
  private let partial: PartialFile?
  private var isPublished = false

  /// Opens the file; of a FIFO, waits for its reader.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - waits: Whether to wait for another process that writes the file.
  /// - Throws: `NewFileError`.
  public init(_ file: NewFile, waits: Bool = false) throws(NewFileError) {
    self.file = file
    if file.isStream {
      partial = nil
      descriptor = open(file.place, O_WRONLY | O_NOCTTY | O_CLOEXEC)
      guard descriptor >= 0 else { throw NewFileError(.unwritable, file.path, errno) }
    } else {
      let partial = try PartialFile(of: file, waits: waits)
      self.partial = partial
      descriptor = partial.descriptor
    }
  }

  deinit {
    guard !isPublished else { return }
    if let partial { PartialFile.remove(partial) } else { close(descriptor) }
  }

  /// The name that the contents have until they are published; nil for a FIFO or a device.
  ///
  /// For a library that writes to a path.
  public var partialPath: String? { partial?.path }

  /// - Throws: `NewFileError`.
  public func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }

  /// - Throws: `NewFileError`.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(NewFileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      guard count >= 0 || errno == EINTR else {
        throw NewFileError(.unwritable, file.path, errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
    }
  }

  /// Waits until the contents are on the disk.
  ///
  /// - Throws: `NewFileError`.
  public func synchronize() throws(NewFileError) {
    guard !file.isStream else { return }
    // The umask of a cron job may be narrow.
    if file.readers == .everyone, fchmod(descriptor, 0o644) != 0 {
      throw NewFileError(.unwritable, file.path, errno)
    }
    guard fsync(descriptor) == 0 else { throw NewFileError(.unwritable, file.path, errno) }
  }

  /// Gives the complete contents the file's name.
  ///
  /// - Throws: `NewFileError`.
  public func publish() throws(NewFileError) {
    try synchronize()
    if let partial {
      try NewFile.publish(
        partial.path, as: file.place, path: file.path, replaces: file.replaces)
    }
    isPublished = true
    close(descriptor)
  }
}
