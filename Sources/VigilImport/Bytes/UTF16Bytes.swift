import Foundation

/// The UTF-8 of a text in UTF-16, which spreadsheets call Unicode text.
final class UTF16Bytes: ByteSource {
  private let source: any ByteSource
  private let isLittleEndian: Bool
  /// Bytes of a unit, or of a pair of them, that is not complete.
  private var rest: [UInt8] = []
  /// Bytes that are decoded and not passed on.
  private var decoded: [UInt8] = []
  private var isAtEnd = false

  init(_ source: any ByteSource, isLittleEndian: Bool) {
    self.source = source
    self.isLittleEndian = isLittleEndian
  }

  var path: String { source.path }

  func rewind() throws {
    try source.rewind()
    (rest, decoded, isAtEnd) = ([], [], false)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while decoded.isEmpty, !isAtEnd { try decode() }
    let count = min(decoded.count, buffer.count)
    decoded.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    decoded.removeFirst(count)
    return count
  }

  private func decode() throws {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
    isAtEnd = count == 0
    let bytes = rest + chunk[..<count]
    var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    rest = Array(bytes[(units.count * 2)...])
    if !isAtEnd, let last = units.last, UTF16.isLeadSurrogate(last) {
      units.removeLast()
      rest = Array(bytes[(units.count * 2)...])
    }
    // Half a pair of units becomes U+FFFD.
    decoded = Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
