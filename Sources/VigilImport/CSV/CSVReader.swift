import Foundation

/// Reads a CSV file row by row in constant memory, however large the file.
///
/// The form is RFC 4180 in UTF-8: quoted fields may hold commas, doubled quotes and line breaks; lines
/// end in LF or CRLF; a byte order mark, blank lines and a last line without its end are fine.
///
/// A malformed row costs one line: reading goes on with the line after the one on which it began, so
/// that a quote left open does not swallow the rows behind it.
final class CSVReader {
  private(set) var header: [String] = []
  /// The byte between two fields.
  private(set) var delimiter: UInt8

  private let source: any ByteSource
  private let form: Form
  /// Bytes `position..<limit` are read from the file and not yet handed out.
  private let buffer: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private var position = 0
  private var limit = 0
  private var isAtEnd = false
  /// The line at `position`.
  private var line = 1
  private var ranges: UnsafeMutableBufferPointer<CSVFieldRange>

  /// The liberties that a file may take.
  struct Form {
    /// Lines before the header, such as a title or what a device says of itself.
    var skippedLines = 0
    /// Whether blanks around fields are no part of them, and a separator at the end of a line begins no field.
    var isLenient = false
    /// Whether a quote inside an unquoted field is a character like others, as in JSON between semicolons.
    var hasPlainQuotes = false
  }

  /// The path of the file, or another name of the input.
  var path: String { source.path }

  /// Opens the file and reads its header.
  ///
  /// - Parameters:
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  ///   - bufferSize: The number of bytes to read at once, which is also the longest row.
  ///   - didRead: Called with the number of bytes after each chunk.
  /// - Throws: `ImportError` where the file cannot be read or has no header.
  convenience init(
    path: String, in folder: String? = nil, bufferSize: Int = 1 << 20,
    didRead: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws {
    try self.init(
      FileBytes(path: path, in: folder, didRead: didRead), delimiter: comma, bufferSize: bufferSize)
  }

  /// Reads the header of `source`.
  ///
  /// - Parameters:
  ///   - delimiter: The byte between two fields; nil for the one that the first line has most of.
  ///   - form: The liberties that the file may take.
  ///   - bufferSize: The number of bytes to read at once, which is also the longest row.
  /// - Throws: `ImportError` where the input cannot be read or has no header.
  init(
    _ source: any ByteSource, delimiter: UInt8?, form: Form = Form(), bufferSize: Int = 1 << 20
  ) throws {
    self.source = source
    self.form = form
    self.delimiter = delimiter ?? comma
    capacity = bufferSize
    buffer = .allocate(capacity: bufferSize)
    ranges = .allocate(capacity: 64)
    try readHeader(sniffsDelimiter: delimiter == nil)
  }

  deinit {
    buffer.deallocate()
    ranges.deallocate()
  }

  private func readHeader(sniffsDelimiter: Bool) throws {
    let name = fileName(path)
    while limit < 3, try fill() {}
    if limit >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF {
      position = 3
    }
    for _ in 0..<form.skippedLines { try skipLine() }
    if sniffsDelimiter { try sniffDelimiter() }
    guard let row = try next() else {
      throw ImportError(.badData, "\(name) is empty; its first line must name the columns")
    }
    if let problem = row.problem {
      throw ImportError(.badData, "\(name):\(row.line): the header cannot be read: \(problem)")
    }
    header = (0..<row.count).map { row[$0].text }
    if form.isLenient, header.count > 1, header.last == "" { header.removeLast() }
    if header.contains(where: { $0.utf8.contains(carriageReturn) }) {
      throw ImportError(
        .badData, "\(name): its lines end in CR alone; save it with LF or CRLF line ends")
    }
  }

  private func skipLine() throws {
    while true {
      if let end = memchr(buffer + position, Int32(lineFeed), limit - position) {
        position = UnsafeMutableRawPointer(buffer).distance(to: end) + 1
        line += 1
        return
      }
      position = limit
      guard try fill() else { return }
    }
  }

  private func sniffDelimiter() throws {
    while memchr(buffer + position, Int32(lineFeed), limit - position) == nil,
      position > 0 || limit < capacity, try fill()
    {}
    delimiter = Self.likeliestDelimiter(
      in: UnsafeBufferPointer(start: buffer + position, count: limit - position))
  }

  /// Tab, semicolon or comma: the one that stands most often in the first line, outside quotes.
  ///
  /// Of equal counts the earlier in this list wins, because names of columns can hold a comma.
  static func likeliestDelimiter(in bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
    let candidates = [UInt8(ascii: "\t"), UInt8(ascii: ";"), comma]
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in bytes {
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == lineFeed { break }
      if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else {
      return comma
    }
    return candidates[index]
  }

  /// Calls `body` with every row after the header; the row is valid only during the call.
  func forEachRow(_ body: (CSVRow) throws -> Void) throws {
    while let row = try next() {
      try body(row)
    }
  }

  private func next() throws -> CSVRow? {
    while true {
      switch scan() {
      case .row(let end, var fieldCount, let lineCount, let isASCII):
        var problem: CSVProblem?
        if form.isLenient, fieldCount == header.count + 1, !header.isEmpty {
          let last = ranges[fieldCount - 1]
          if last.start == last.end, !last.isQuoted { fieldCount -= 1 }
        }
        if !isASCII {
          let bytes = UnsafeBufferPointer(start: buffer + position, count: end - position)
          if String(validating: bytes, as: UTF8.self) == nil {
            problem = .invalidUTF8
          }
        }
        if problem == nil, !header.isEmpty, fieldCount != header.count {
          problem = .fieldCount(fieldCount, expected: header.count)
        }
        let row = row(problem: problem, fieldCount: fieldCount)
        position = end
        line += lineCount
        return row
      case .blankLine(let end):
        position = end
        line += 1
      case .end:
        return nil
      case .incomplete:
        if position == 0, limit == capacity {
          return try skipLine(because: .tooLong(limit: capacity))
        }
        _ = try fill()
      case .malformed(let problem):
        return try skipLine(because: problem)
      }
    }
  }

  private func row(problem: CSVProblem?, fieldCount: Int) -> CSVRow {
    CSVRow(
      line: line, problem: problem, base: UnsafePointer(buffer),
      ranges: UnsafeBufferPointer(rebasing: ranges[..<fieldCount]))
  }

  private func skipLine(because problem: CSVProblem) throws -> CSVRow {
    let row = row(problem: problem, fieldCount: 0)
    while true {
      if let lineEnd = memchr(buffer + position, Int32(lineFeed), limit - position) {
        position = UnsafeMutableRawPointer(buffer).distance(to: lineEnd) + 1
        line += 1
        return row
      }
      position = limit
      guard try fill() else { return row }
    }
  }

  /// Moves the rest to the front and fills the buffer behind it; false at the end of the file.
  ///
  /// A row is scanned from its beginning each time, so a source that gives a few bytes at once is read until the
  /// buffer is full.
  private func fill() throws -> Bool {
    if position > 0 {
      memmove(buffer, buffer + position, limit - position)
      limit -= position
      position = 0
    }
    let before = limit
    while limit < capacity, !isAtEnd {
      let count = try source.read(
        into: UnsafeMutableRawBufferPointer(start: buffer + limit, count: capacity - limit))
      limit += count
      isAtEnd = count == 0
    }
    return limit > before
  }
}

extension CSVReader {
  private enum Scan {
    case row(end: Int, fieldCount: Int, lineCount: Int, isASCII: Bool)
    case blankLine(end: Int)
    case malformed(CSVProblem)
    /// The row goes on behind `limit`.
    case incomplete
    case end
  }

  /// Finds the fields of the row at `position`, without moving on.
  private func scan() -> Scan {
    let bytes = buffer
    let limit = limit
    let delimiter = delimiter
    // Every special byte is at most this one; with commas, digits and letters are above it.
    let highest = max(delimiter, quote)
    let hasPlainQuotes = form.hasPlainQuotes
    var cursor = position
    guard cursor < limit else { return isAtEnd ? .end : .incomplete }
    if let blank = scanBlankLine() { return blank }

    var fieldCount = 0
    var lineCount = 0
    var seenBits: UInt8 = 0
    var hasDoubledQuote = false
    while true {
      if fieldCount == ranges.count { growRanges() }
      if form.isLenient { while cursor < limit, bytes[cursor] == space { cursor += 1 } }
      let isQuoted = cursor < limit && bytes[cursor] == quote
      if isQuoted { cursor += 1 }
      let start = cursor
      var end: Int
      if isQuoted {
        while true {
          while cursor < limit, bytes[cursor] != quote {
            seenBits |= bytes[cursor]
            if bytes[cursor] == lineFeed { lineCount += 1 }
            cursor += 1
          }
          guard cursor < limit else {
            return isAtEnd ? .malformed(.unterminatedQuote) : .incomplete
          }
          if cursor + 1 == limit, !isAtEnd { return .incomplete }
          guard cursor + 1 < limit, bytes[cursor + 1] == quote else { break }
          hasDoubledQuote = true
          cursor += 2
        }
        end = cursor
        cursor += 1
        if form.isLenient { while cursor < limit, bytes[cursor] == space { cursor += 1 } }
        if cursor < limit, bytes[cursor] == carriageReturn {
          if cursor + 1 == limit, !isAtEnd { return .incomplete }
          if cursor + 1 == limit || bytes[cursor + 1] == lineFeed { cursor += 1 }
        }
        if cursor < limit, bytes[cursor] != delimiter, bytes[cursor] != lineFeed {
          return .malformed(.textAfterQuote)
        }
      } else {
        while cursor < limit {
          let byte = bytes[cursor]
          if byte <= highest,
            byte == delimiter || byte == lineFeed || byte == quote && !hasPlainQuotes
          {
            break
          }
          seenBits |= byte
          cursor += 1
        }
        if cursor < limit, bytes[cursor] == quote, !hasPlainQuotes {
          return .malformed(.quoteInsideField)
        }
        end = cursor
        let endsRow = cursor == limit || bytes[cursor] == lineFeed
        if endsRow, end > start, bytes[end - 1] == carriageReturn { end -= 1 }
        if form.isLenient { while end > start, bytes[end - 1] == space { end -= 1 } }
      }
      if cursor == limit, !isAtEnd { return .incomplete }
      ranges[fieldCount] = CSVFieldRange(
        start: Int32(start), end: Int32(end), isQuoted: isQuoted)
      fieldCount += 1
      let endsFile = cursor == limit
      if endsFile || bytes[cursor] == lineFeed {
        if hasDoubledQuote { mergeDoubledQuotes(fieldCount: fieldCount) }
        return .row(
          end: endsFile ? cursor : cursor + 1, fieldCount: fieldCount, lineCount: lineCount + 1,
          isASCII: seenBits < 0x80)
      }
      cursor += 1
    }
  }

  private func scanBlankLine() -> Scan? {
    switch buffer[position] {
    case lineFeed:
      return .blankLine(end: position + 1)
    case carriageReturn:
      if position + 1 == limit { return isAtEnd ? .blankLine(end: limit) : .incomplete }
      return buffer[position + 1] == lineFeed ? .blankLine(end: position + 2) : nil
    default:
      return nil
    }
  }

  /// Shortens quoted fields in place; only for a complete row, as a malformed one is scanned again.
  private func mergeDoubledQuotes(fieldCount: Int) {
    for index in 0..<fieldCount where ranges[index].isQuoted {
      var target = Int(ranges[index].start)
      var source = target
      let end = Int(ranges[index].end)
      while source < end {
        buffer[target] = buffer[source]
        source += buffer[source] == quote ? 2 : 1
        target += 1
      }
      ranges[index].end = Int32(target)
    }
  }

  private func growRanges() {
    let grown = UnsafeMutableBufferPointer<CSVFieldRange>.allocate(capacity: ranges.count * 2)
    _ = grown.update(fromContentsOf: ranges)
    ranges.deallocate()
    ranges = grown
  }
}

private let comma = UInt8(ascii: ",")
private let space = UInt8(ascii: " ")
private let quote = UInt8(ascii: "\"")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
