import Foundation

/// A text file that appears under its name only when it is complete.
final class OutputFile {
  let path: String
  private let partialPath: String
  private var descriptor: Int32
  private let buffer: UnsafeMutablePointer<UInt8>
  private let capacity = 1 << 20
  private var count = 0

  /// Creates `<name>.partial` in `folder`.
  init(name: String, folder: String) throws {
    path = VigilImport.path(of: name, in: folder)
    partialPath = path + ".partial"
    descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ImportError(.cannotCreateOutput, "cannot create \(path): \(lastSystemError())")
    }
    buffer = .allocate(capacity: capacity)
  }

  deinit {
    discard()
    buffer.deallocate()
  }

  /// Writes what is buffered and closes the file.
  func close() throws {
    guard descriptor >= 0 else { return }
    try flush()
    let status = Foundation.close(descriptor)
    descriptor = -1
    guard status == 0 else { throw failure() }
  }

  /// Gives the closed file its name.
  func publish() throws {
    guard rename(partialPath, path) == 0 else { throw failure() }
  }

  /// Removes the file unless it is published.
  func discard() {
    if descriptor >= 0 {
      _ = Foundation.close(descriptor)
      descriptor = -1
    }
    unlink(partialPath)
  }

  private func failure() -> ImportError {
    ImportError(.cannotCreateOutput, "cannot write \(path): \(lastSystemError())")
  }

  private func flush() throws {
    var written = 0
    while written < count {
      let result = write(descriptor, buffer + written, count - written)
      if result >= 0 {
        written += result
      } else if errno != EINTR {
        throw failure()
      }
    }
    count = 0
  }
}

extension OutputFile {
  /// Appends a text of at most 4096 bytes.
  func append(_ text: String) throws {
    var text = text
    try text.withUTF8 { try append($0) }
  }

  func append(_ bytes: some Collection<UInt8>) throws {
    if count + bytes.count > capacity { try flush() }
    for byte in bytes {
      buffer[count] = byte
      count += 1
    }
  }

  func append(byte: UInt8) throws {
    if count == capacity { try flush() }
    buffer[count] = byte
    count += 1
  }

  /// Appends a number that is not negative, in decimal.
  func append(_ number: Int) throws {
    if number >= 10 { try append(number / 10) }
    try append(byte: UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Appends a number that is not negative, rounded to one decimal.
  func append(tenthsOf number: Double) throws {
    let tenths = Int((number * 10).rounded())
    try append(tenths / 10)
    try append(byte: UInt8(ascii: "."))
    try append(tenths % 10)
  }
}
