import Foundation
import VigilFiles
import VigilModel
import VigilReport

/// The destination of exported rows, which holds no more than some of them: a file, complete or not at all,
/// or standard output.
final class ExportOutput<Row> {
  private let encode: (Row, inout [UInt8]) throws -> Void
  private let stream: NewFileStream?
  private let surroundings = CommandSurroundings.current
  private var buffer: [UInt8] = []
  private(set) var rows = 0

  /// Bytes that are written at once.
  private static var bufferSize: Int { 1 << 18 }

  /// - Parameters:
  ///   - columns: The columns, in their order.
  ///   - format: The form of the rows.
  ///   - file: Nil for standard output.
  /// - Throws: `NewFileError`.
  init(_ columns: [ExportColumn<Row>], as format: ExportFormat, to file: NewFile?) throws {
    let encoder = RowEncoder(columns, as: format)
    encode = { encoder.append($0, to: &$1) }
    stream = try file.map { try NewFileStream($0) }
    buffer.reserveCapacity(Self.bufferSize + 4096)
    encoder.appendHeader(to: &buffer)
  }

  /// Rows of another form, without a header.
  ///
  /// - Throws: `NewFileError`.
  init(to file: NewFile?, encode: @escaping (Row, inout [UInt8]) throws -> Void) throws {
    self.encode = encode
    stream = try file.map { try NewFileStream($0) }
    buffer.reserveCapacity(Self.bufferSize + 4096)
  }

  /// - Throws: `NewFileError`; `CommandFailure` of a signal; `StandardOutput.ReaderHasGone`.
  func append(_ row: Row) throws {
    try encode(row, &buffer)
    rows += 1
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is left, and gives a file its name.
  ///
  /// - Throws: As `append`.
  func finish() throws {
    try flush()
    try stream?.publish()
  }

  private func flush() throws {
    try surroundings.interruption.check()
    if let stream {
      try stream.write(buffer)
    } else {
      try surroundings.standardOutput.write(rows: buffer)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
