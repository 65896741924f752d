import Foundation
import VigilModel

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

  /// Writes the buffer and closes the file.
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
  func append(_ text: consuming String) throws {
    try text.withUTF8 { try append($0) }
  }

  /// Appends at most 4096 bytes.
  func append(_ bytes: some Collection<UInt8>) throws {
    let length = bytes.count
    if count + length > capacity { try flush() }
    let target = UnsafeMutableBufferPointer(start: buffer + count, count: length)
    _ = target.initialize(fromContentsOf: bytes)
    count += length
  }

  /// Appends as many bytes as `write` fills.
  func append(count length: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void) throws {
    if count + length > capacity { try flush() }
    write(UnsafeMutableBufferPointer(start: buffer + count, count: length))
    count += length
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

extension OutputFile {
  /// Appends an instant of the years 1000 to 9999 as `YYYY-MM-DDTHH:MM:SSZ`.
  ///
  /// - Parameter seconds: Since 1970-01-01T00:00:00Z.
  func append(time seconds: Int) throws {
    let ordinal = floorDivided(seconds, by: 86_400)
    let ofDay = seconds - ordinal * 86_400
    let date = Day(ordinal: Int32(ordinal)).components
    try append(count: 20) { text in
      func put(_ value: Int, at place: Int) {
        text[place] = UInt8(ascii: "0") + UInt8(value / 10)
        text[place + 1] = UInt8(ascii: "0") + UInt8(value % 10)
      }
      put(date.year / 100, at: 0)
      put(date.year % 100, at: 2)
      text[4] = UInt8(ascii: "-")
      put(date.month, at: 5)
      text[7] = UInt8(ascii: "-")
      put(date.day, at: 8)
      text[10] = UInt8(ascii: "T")
      put(ofDay / 3600, at: 11)
      text[13] = UInt8(ascii: ":")
      put(ofDay / 60 % 60, at: 14)
      text[16] = UInt8(ascii: ":")
      put(ofDay % 60, at: 17)
      text[19] = UInt8(ascii: "Z")
    }
  }
}
