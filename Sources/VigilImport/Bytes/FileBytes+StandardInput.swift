import Foundation

extension FileBytes {
  /// The name of standard input in messages.
  static let standardInputName = "standard input"

  /// Copies standard input into a file without a name, which is gone with this value.
  ///
  /// Dates and numbers are understood only from the whole column, so that input is read twice.
  ///
  /// - Parameters:
  ///   - descriptor: The input.
  ///   - shouldStop: Asked after each chunk of up to 1 MiB.
  ///   - didRead: Called with the number of bytes after each chunk of the copy that is read.
  /// - Throws: `ImportError` where it cannot be read or copied, or is a terminal.
  static func standardInput(
    _ descriptor: Int32, shouldStop: () -> Bool,
    didRead: @escaping (_ bytes: Int) -> Void
  ) throws -> FileBytes {
    guard isatty(descriptor) == 0 else {
      throw ImportError(
        .usage, "standard input is a terminal; give a file, or pipe one into the command")
    }
    return try copy(of: descriptor, name: standardInputName, shouldStop, didRead: didRead)
  }

  /// Copies what a pipe gives into a file without a name.
  ///
  /// - Parameters:
  ///   - descriptor: The input.
  ///   - name: Its name in messages.
  ///   - shouldStop: Asked after each chunk of up to 1 MiB.
  ///   - didRead: Called with the number of bytes after each chunk of the copy that is read.
  /// - Throws: `ImportError` where it cannot be read or copied.
  static func copy(
    of descriptor: Int32, name: String, _ shouldStop: () -> Bool,
    didRead: @escaping (_ bytes: Int) -> Void
  ) throws -> FileBytes {
    let copy = try unnamedFile(for: name)
    let bytes = FileBytes(adopting: copy, path: name, didRead: didRead)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if shouldStop() { throw ImportError.interruption }
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw ImportError(.badData, "cannot read \(name): \(lastSystemError())")
      }
      try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: copy, of: name)
    }
    try bytes.rewind()
    return bytes
  }

  /// Opens a new file in the folder for temporary files, which is gone when it is closed.
  ///
  /// - Parameter name: What is copied there, for messages.
  static func unnamedFile(for name: String) throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory
    var template = Array(folder.appendingPathComponent("vigil-import-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw ImportError(
        .cannotCreateOutput,
        "cannot copy \(name) into \(folder.path): \(lastSystemError()); set TMPDIR")
    }
    unlink(&template)
    return descriptor
  }

  /// Writes all bytes at the place where the last ones ended.
  ///
  /// - Parameter name: What is copied, for messages.
  static func append(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, of name: String
  ) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        throw ImportError(
          .cannotCreateOutput,
          "cannot copy \(name): \(lastSystemError()); set TMPDIR to a folder with more room")
      }
    }
  }
}
