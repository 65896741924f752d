import Foundation

/// An export as Apple writes it, without what keeps a parser from reading it.
///
/// That is the document type, whose declarations are broken since iOS 16, and characters that XML forbids. The
/// attributes `device` are left out, too.
///
/// Lines stay where they are. A file that declares entities is refused: a few lines of them can stand for gigabytes of
/// text.
final class HealthText: ByteSource {
  /// Whether there was a document type.
  private(set) var hasDocumentType = false
  /// Forbidden characters so far.
  private(set) var droppedCount = 0

  private let source: any ByteSource
  /// Bytes that are read and not passed on.
  private var pending: [UInt8] = []
  private var isAtStart = true
  private var isAtEnd = false
  /// Two bytes a character are no text of this kind; the parser reads it as it is.
  private var isWide = false

  /// Bytes before the first element, the document type included.
  private static let longestPrologue = 1 << 20
  /// The longest reference to a character that is looked at, `&#x10FFFF;` with some zeros.
  private static let longestReference = 16

  init(_ source: any ByteSource) {
    self.source = source
  }

  var path: String { source.path }

  func rewind() throws {
    try source.rewind()
    (pending, isAtStart, isAtEnd, isWide) = ([], true, false, false)
    (hasDocumentType, droppedCount) = (false, 0)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    if isAtStart { try readPrologue(by: buffer.count) }
    while true {
      var count = min(pending.count, buffer.count)
      pending.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      pending.removeFirst(count)
      if pending.isEmpty, !isAtEnd, count < buffer.count {
        let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        isAtEnd = read == 0
        count += read
      }
      if !isWide { count = Self.cutDevices(from: buffer, count: count) }
      let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      let kept = isWide ? count : clean(bytes, isLast: isAtEnd && pending.isEmpty)
      if kept > 0 || (isAtEnd && pending.isEmpty) { return kept }
    }
  }

  // MARK: Document type

  /// Reads up to the first element, and takes the document type out of it.
  private func readPrologue(by size: Int) throws {
    isAtStart = false
    var chunk = [UInt8](repeating: 0, count: size)
    while !isAtEnd, pending.count < Self.longestPrologue {
      let read = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      isAtEnd = read == 0
      pending += chunk[..<read]
      if pending.starts(with: [0xFF, 0xFE]) || pending.starts(with: [0xFE, 0xFF]) {
        isWide = true
        return
      }
      if Self.prologue(of: pending, isWhole: false).end != nil { break }
    }
    let (type, end) = Self.prologue(of: pending, isWhole: true)
    guard let type else { return }
    hasDocumentType = true
    let range = type..<(end ?? pending.count)
    if let entity = pending[range].firstRange(of: Array("<!ENTITY".utf8)) {
      let line = pending[..<entity.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
      throw ImportError(
        .badData,
        "\(fileName(path)):\(line): the file declares entities, which no export needs; nothing was imported"
      )
    }
    pending.replaceSubrange(range, with: pending[range].filter { $0 == UInt8(ascii: "\n") })
  }

  /// The places where the document type and the first element begin; nil where there is none.
  ///
  /// The type goes up to the element: that its brackets match cannot be relied on.
  ///
  /// - Parameter isWhole: Whether a remark without an end will have none.
  private static func prologue(
    of bytes: [UInt8], isWhole: Bool
  ) -> (type: Int?, end: Int?) {
    var type: Int?
    var index = 0
    while let mark = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[mark...]
      index = mark + 1
      if rest.starts(with: "<!--".utf8) {
        if let end = rest.firstRange(of: Array("-->".utf8)) {
          index = end.upperBound
        } else if !isWhole {
          return (type, nil)
        }
      } else if rest.starts(with: "<!DOCTYPE".utf8) {
        type = type ?? mark
      } else if let next = rest.dropFirst().first, isNameStart(next) {
        return (type, mark)
      }
    }
    return (type, nil)
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  // MARK: Devices

  private static let device: StaticString = " device=\""

  /// Moves the bytes together between attributes `device`: a third of an export, full of references, and not read.
  ///
  /// Only what is there as a whole is left out, so that nothing needs to be known of the bytes before and behind.
  ///
  /// - Returns: The number of bytes that stay.
  private static func cutDevices(
    from bytes: UnsafeMutableRawBufferPointer, count: Int
  ) -> Int {
    guard let base = bytes.baseAddress else { return count }
    func index(of byte: Unicode.Scalar, in range: Range<Int>) -> Int? {
      memchr(base + range.lowerBound, Int32(byte.value), range.count).map { $0 - base }
    }
    let length = device.utf8CodeUnitCount
    var (kept, start, place) = (0, 0, 0)
    while let sign = index(of: "=", in: place..<count) {
      let first = sign - (length - 2)
      place = sign + 1
      guard first >= start, first + length <= count,
        memcmp(base + first, device.utf8Start, length) == 0
      else { continue }
      place = first + length
      guard let end = index(of: "\"", in: place..<count) else { break }
      // The value of an attribute has no tag, and Apple's has one line: this is something else.
      if index(of: "<", in: place..<end) != nil || index(of: "\n", in: place..<end) != nil {
        continue
      }
      memmove(base + kept, base + start, first - start)
      kept += first - start
      (start, place) = (end + 1, end + 1)
    }
    guard start > 0 else { return count }
    memmove(base + kept, base + start, count - start)
    return kept + count - start
  }

  // MARK: Forbidden characters

  /// Bytes with which a forbidden character, or a reference to one, may begin.
  private static let suspects: [Bool] = (0...255).map { byte in
    let isControl = byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte)
    return isControl || byte == 0xED || byte == 0xEF || byte == Int(UInt8(ascii: "&"))
  }

  /// Whether one of the eight bytes of a word may have one of the marks of a suspect: a control character, `&`, or a byte
  /// of another alphabet that may be none.
  ///
  /// The arithmetic on eight bytes at once is that of Mycroft's search for a zero byte: it may also find a byte behind a
  /// suspect, never less than there is.
  @inline(__always)
  private static func mayHaveSuspect(_ word: UInt64) -> Bool {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    func zero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let control = (word &- ones &* 0x20) & ~word
    let others = zero(word ^ ones &* 0xED) | zero(word ^ ones &* 0xEF) | zero(word ^ ones &* 0x26)
    return (control | others) & highs != 0
  }

  /// Moves the bytes that stay together; what may go on behind the end becomes pending again.
  ///
  /// - Returns: The number of bytes that stay.
  private func clean(_ bytes: UnsafeMutableRawBufferPointer, isLast: Bool) -> Int {
    Self.suspects.withUnsafeBufferPointer { suspects in
      var (kept, start, index) = (0, 0, 0)
      func keep(to end: Int) {
        guard end > start else { return }
        if kept != start, let base = bytes.baseAddress {
          memmove(base + kept, base + start, end - start)
        }
        kept += end - start
      }
      while index < bytes.count {
        if index + 8 <= bytes.count,
          !Self.mayHaveSuspect(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        {
          index += 8
          continue
        }
        guard suspects[Int(bytes[index])] else {
          index += 1
          continue
        }
        switch Self.forbidden(UnsafeRawBufferPointer(rebasing: bytes[index...]), isLast: isLast) {
        case .no: index += 1
        case .length(let length):
          keep(to: index)
          index += length
          start = index
          droppedCount += 1
        case .unknown:
          keep(to: index)
          pending.insert(contentsOf: bytes[index...], at: 0)
          return kept
        }
      }
      keep(to: index)
      return kept
    }
  }

  private enum Verdict {
    case no
    /// A forbidden character of so many bytes.
    case length(Int)
    /// More bytes are needed.
    case unknown
  }

  private static func forbidden(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Verdict {
    switch bytes[0] {
    case 0xED, 0xEF:
      guard bytes.count >= 3 else { return isLast ? .no : .unknown }
      let isSurrogate = bytes[0] == 0xED && bytes[1] >= 0xA0
      let isNoCharacter = bytes[0] == 0xEF && bytes[1] == 0xBF && bytes[2] >= 0xBE
      return isSurrogate || isNoCharacter ? .length(3) : .no
    case UInt8(ascii: "&"):
      guard bytes.count >= 2 else { return isLast ? .no : .unknown }
      guard bytes[1] == UInt8(ascii: "#") else { return .no }
      let head = bytes.prefix(longestReference)
      guard let end = head.firstIndex(of: UInt8(ascii: ";")) else {
        return isLast || head.count == longestReference ? .no : .unknown
      }
      let text = String(decoding: head[2..<end], as: UTF8.self)
      let number = text.hasPrefix("x") ? UInt32(text.dropFirst(), radix: 16) : UInt32(text)
      return number.map(isCharacter) ?? true ? .no : .length(end + 1)
    default: return .length(1)
    }
  }

  /// Whether XML 1.0 has this character (section 2.2).
  private static func isCharacter(_ number: UInt32) -> Bool {
    switch number {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
