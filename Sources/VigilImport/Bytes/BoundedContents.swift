/// The contents of compressed bytes, refused where they grow beyond what rows of data can.
///
/// A few megabytes can stand for terabytes of one byte.
final class BoundedContents: ByteSource {
  var path: String { contents.path }

  private let compressed: CountedBytes
  private let contents: any ByteSource
  private var bytesRead = 0

  /// Bytes of contents for each compressed byte; tables of people have 3 to 30, and one value over and over 300.
  static let largestRatio = 500
  /// Contents up to here may have any ratio.
  static let freeBytes = 64 << 20

  /// - Parameters:
  ///   - source: The compressed bytes.
  ///   - decompress: Makes the contents of them.
  init(of source: any ByteSource, _ decompress: (any ByteSource) -> any ByteSource) {
    compressed = CountedBytes(source)
    contents = decompress(compressed)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = try contents.read(into: buffer)
    bytesRead += count
    guard
      bytesRead <= Self.freeBytes || bytesRead / Self.largestRatio <= compressed.bytesRead
    else {
      throw ImportError(
        .badData,
        "\(fileName(path)) holds more than \(Self.largestRatio) bytes for each compressed byte, from its first"
          + " \(bytesRead >> 20) MiB on; nothing was imported; decompress it first, if it is meant")
    }
    return count
  }

  func rewind() throws {
    try contents.rewind()
    bytesRead = 0
    compressed.bytesRead = 0
  }
}

/// Bytes that are counted.
private final class CountedBytes: ByteSource {
  var path: String { source.path }
  var bytesRead = 0
  private let source: any ByteSource

  init(_ source: any ByteSource) { self.source = source }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = try source.read(into: buffer)
    bytesRead += count
    return count
  }

  func rewind() throws { try source.rewind() }
}
