/// The messages of a FIT file, Garmin's Flexible and Interoperable Data Transfer.
///
/// A file is a header, definitions of messages with the messages that follow them, and a checksum; several such files may
/// follow each other. The meaning of messages is that of `FITLayout`.
struct FITFile {
  /// A fault by which a file cannot be read to its end.
  struct Fault: Error, Hashable {
    /// Such as `ends in the middle of message 12`.
    let reason: String
  }

  /// The newest version of the protocol whose files are read.
  private static let newestVersion: UInt8 = 2
  private static let smallestHeader = 12
  private static let sizeOfChecksum = 2

  /// Whether the first bytes of a file are those of a FIT file.
  static func isFIT(_ start: [UInt8]) -> Bool {
    start.count >= smallestHeader && start[8..<12].elementsEqual(".FIT".utf8)
  }

  private let bytes: [UInt8]
  /// The place of the next byte.
  private var place = 0
  /// The place behind the messages of the present file.
  private var end = 0
  private var definitions: [FITMessage.Definition?] = Array(repeating: nil, count: 16)
  private var latestTime: UInt32?
  private var position = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Calls `body` with each data message.
  ///
  /// Messages come before it is known whether the rest of the file is sound: what they said does not count where this
  /// throws.
  ///
  /// - Throws: `Fault`, and what `body` throws.
  static func forEachMessage(
    in bytes: [UInt8], _ body: (FITMessage) throws -> Void
  ) throws {
    var file = FITFile(bytes)
    repeat { try file.readOne(body) } while file.place < bytes.count
  }

  /// Reads a header, the messages and their checksum.
  private mutating func readOne(_ body: (FITMessage) throws -> Void) throws {
    let start = place
    let rest = bytes[start...]
    guard rest.count >= Self.smallestHeader else { throw Fault(reason: "ends in its header") }
    let size = Int(rest[start])
    guard size >= Self.smallestHeader, rest[(start + 8)..<(start + 12)].elementsEqual(".FIT".utf8)
    else {
      throw Fault(reason: start == 0 ? "has no header of FIT" : "goes on behind its end")
    }
    guard rest[start + 1] >> 4 <= Self.newestVersion else {
      throw Fault(reason: "is of version \(rest[start + 1] >> 4) of FIT, which is not known")
    }
    guard rest.count >= size else { throw Fault(reason: "ends in its header") }
    if size >= 14, case let stored = integer(at: start + 12, bytes: 2), stored != 0,
      stored != UInt32(Self.checksum(of: rest[start..<(start + 12)]))
    {
      throw Fault(reason: "has a wrong checksum of its header")
    }
    place = start + size
    // Below 2 to the power of 33.
    end = place + Int(integer(at: start + 4, bytes: 4))
    let isShort = bytes.count < end + Self.sizeOfChecksum
    end = min(end, bytes.count)
    definitions = Array(repeating: nil, count: 16)
    latestTime = nil
    while place < end { try readRecord(body) }
    guard !isShort else { throw Fault(reason: "is shorter than its header says") }
    guard integer(at: end, bytes: 2) == UInt32(Self.checksum(of: bytes[start..<end])) else {
      throw Fault(reason: "has a wrong checksum")
    }
    place = end + Self.sizeOfChecksum
  }

  private mutating func readRecord(_ body: (FITMessage) throws -> Void) throws {
    let header = try byte()
    if header & 0x80 != 0 {
      // Five bits of a time that follows the latest one.
      guard let latest = latestTime else {
        throw Fault(reason: "has a part of a time before a whole one, in message \(position + 1)")
      }
      let step = (UInt32(header & 0x1F) &- latest) & 0x1F
      try readMessage(Int(header >> 5 & 3), time: latest &+ step, body)
    } else if header & 0x40 != 0 {
      try readDefinition(Int(header & 0x0F), hasDeveloperFields: header & 0x20 != 0)
    } else {
      try readMessage(Int(header & 0x0F), time: nil, body)
    }
  }

  private mutating func readDefinition(_ local: Int, hasDeveloperFields: Bool) throws {
    _ = try byte()
    let isBigEndian = try byte() == 1
    let (first, second) = (UInt16(try byte()), UInt16(try byte()))
    var definition = FITMessage.Definition(
      number: isBigEndian ? first << 8 | second : second << 8 | first, isBigEndian: isBigEndian,
      fields: [], size: 0)
    for _ in 0..<Int(try byte()) {
      let (number, size, type) = (try byte(), Int(try byte()), try byte())
      definition.fields.append(
        FITMessage.Field(
          number: number, size: size, type: FITBaseType(number: type), start: definition.size))
      definition.size += size
    }
    if hasDeveloperFields {
      // Their meaning is that of an app, and no metric.
      for _ in 0..<Int(try byte()) {
        _ = try byte()
        definition.size += Int(try byte())
        _ = try byte()
      }
    }
    definitions[local] = definition
  }

  private mutating func readMessage(
    _ local: Int, time: UInt32?, _ body: (FITMessage) throws -> Void
  ) throws {
    position += 1
    guard let definition = definitions[local] else {
      throw Fault(reason: "does not define message \(position)")
    }
    guard place + definition.size <= end else {
      throw Fault(reason: "ends in the middle of message \(position)")
    }
    let message = FITMessage(
      definition, position: position, time: time, bytes: bytes[place..<place + definition.size])
    place += definition.size
    if let time = message.time { latestTime = time }
    try body(message)
  }

  private mutating func byte() throws -> UInt8 {
    guard place < end else { throw Fault(reason: "ends in the middle of a definition") }
    defer { place += 1 }
    return bytes[place]
  }

  private func integer(at place: Int, bytes count: Int) -> UInt32 {
    bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The checksum of 16 bits that FIT has: that of ARC.
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { $0 >> 8 ^ parts[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }

  private static let parts: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { part, _ in part & 1 == 1 ? part >> 1 ^ 0xA001 : part >> 1 }
  }
}
