import Foundation
import VigilFiles
import VigilModel

/// A file of a synthetic data set, which appears under its name only when it is complete.
final class SyntheticTable {
  private let stream: NewFileStream
  private let buffer: UnsafeMutablePointer<UInt8>
  private let capacity = 1 << 20
  private var count = 0

  /// - Parameters:
  ///   - name: The name of the file.
  ///   - folder: Its folder.
  ///   - replaces: Whether a file of this name may be there.
  /// - Throws: `NewFileError`.
  init(name: String, folder: String, replaces: Bool) throws {
    let path = VigilImport.path(of: name, in: folder)
    stream = try NewFileStream(NewFile(path: path, at: path, replaces: replaces))
    buffer = .allocate(capacity: capacity)
  }

  deinit {
    buffer.deallocate()
  }

  /// Writes what is left, and waits until all of it is on the disk.
  func complete() throws {
    try flush()
    try stream.synchronize()
  }

  /// Gives the complete file its name.
  func publish() throws { try stream.publish() }

  private func flush() throws {
    try stream.write(UnsafeRawBufferPointer(start: buffer, count: count))
    count = 0
  }
}

extension SyntheticTable {
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

extension SyntheticTable {
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
