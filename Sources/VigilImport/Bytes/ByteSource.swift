import Foundation
import VigilModel

/// The bytes of one input, which can be read more than once.
protocol ByteSource: AnyObject {
  /// The path, or another name for messages.
  var path: String { get }

  /// Reads up to `buffer.count` bytes; 0 at the end.
  ///
  /// - Throws: `ImportError` where they cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

  /// Goes back to the first byte.
  func rewind() throws
}

/// The bytes of a file that stay where they are.
final class FileBytes: ByteSource {
  let path: String
  private let descriptor: Int32
  private let didRead: (_ bytes: Int) -> Void

  /// - Parameters:
  ///   - path: The file as the user named it.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  ///   - didRead: Called with the number of bytes after each chunk.
  /// - Throws: `ImportError` where the file cannot be opened.
  init(
    path: String, in folder: String? = nil, didRead: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws {
    let descriptor = open(path.path(startingIn: folder), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code: ImportError.Code = errno == ENOENT || errno == ENOTDIR ? .usage : .badData
      throw ImportError(code, "cannot open \(path): \(lastSystemError())")
    }
    self.path = path
    self.descriptor = descriptor
    self.didRead = didRead
    guard !isDevice else { throw ImportError(.usage, "\(path) is a device; give a file") }
  }

  /// The file, or a copy of what a FIFO gives.
  ///
  /// - Parameters:
  ///   - path: The file as the user named it.
  ///   - options: The folder of relative paths; asked whether to stop after each chunk of a FIFO.
  ///   - didRead: Called with the number of bytes after each chunk.
  /// - Throws: `ImportError` where the file cannot be opened, or is a device.
  static func regular(
    path: String, options: ImportOptions, didRead: @escaping (_ bytes: Int) -> Void
  ) throws -> FileBytes {
    let file = try FileBytes(path: path, in: options.currentFolder, didRead: didRead)
    guard file.isPipe else { return file }
    return try .copy(of: file.descriptor, name: path, options.shouldStop, didRead: didRead)
  }

  /// Takes an open file over, and closes it at the end.
  init(
    adopting descriptor: Int32, path: String, didRead: @escaping (_ bytes: Int) -> Void
  ) {
    self.path = path
    self.descriptor = descriptor
    self.didRead = didRead
  }

  deinit {
    close(descriptor)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { didRead(count) }
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw ImportError(.badData, "cannot read \(path): \(lastSystemError())")
      }
    }
  }

  func rewind() throws {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw ImportError(.badData, "cannot read \(path) again: \(lastSystemError())")
    }
  }

  private var kind: mode_t {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private var isPipe: Bool { kind == S_IFIFO }

  /// A device may have no end.
  private var isDevice: Bool { kind == S_IFCHR || kind == S_IFBLK }

  /// The size in bytes; 0 where the system does not say.
  var byteCount: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }
}
