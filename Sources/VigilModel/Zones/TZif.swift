/// The contents of a compiled zone file (RFC 9636), of any version.
///
/// Of a file of version 2 or later, this is its second block, with 64-bit times, and the footer.
struct TZif {
  /// Changes of the clock in order of time; `offset` is what holds from then on.
  private(set) var transitions: [(second: Int64, offset: Int)] = []
  /// The offset before the first change, in seconds ahead of UTC: local time type 0.
  private(set) var firstOffset: Int
  /// The rule for times after the last change; nil where the file has none.
  private(set) var footer: POSIXZone?

  /// Real files have at most some hundred.
  private static let mostTransitions = 10_000

  init(_ bytes: [UInt8]) throws(TZifError) {
    var reader = Reader(bytes)
    var header = try Header(&reader)
    let timeSize: Int
    if header.version == 0 {
      timeSize = 4
    } else {
      try reader.skip(header.size(timeSize: 4))
      let version = header.version
      header = try Header(&reader)
      guard header.version == version else { throw .unknownVersion }
      timeSize = 8
    }
    try header.check()
    let times = try (0..<header.times).mapOrThrow { _ throws(TZifError) in
      Int64(try reader.integer(bytes: timeSize))
    }
    let types = try (0..<header.times).mapOrThrow { _ throws(TZifError) in
      Int(try reader.byte())
    }
    let offsets = try (0..<header.types).mapOrThrow { _ throws(TZifError) in
      try Self.offset(&reader, characters: header.characters)
    }
    try reader.skip(header.characters + header.standardFlags + header.utFlags)
    firstOffset = offsets[0]
    for (index, (second, type)) in zip(times, types).enumerated() {
      guard index == 0 || times[index - 1] < second else { throw .unorderedTransitions }
      guard offsets.indices.contains(type) else { throw .unknownType }
      transitions.append((second, offsets[type]))
    }
    if header.version != 0 { footer = try Self.footer(&reader, version: header.version) }
  }

  /// Reads one local time type.
  private static func offset(
    _ reader: inout Reader, characters: Int
  ) throws(TZifError) -> Int {
    let offset = try reader.integer(bytes: 4)
    let isDaylight = try reader.byte()
    let name = try reader.byte()
    guard abs(offset) < 86_400, isDaylight <= 1, Int(name) < characters else {
      throw .invalidType
    }
    return offset
  }

  private static func footer(
    _ reader: inout Reader, version: UInt8
  ) throws(TZifError) -> POSIXZone? {
    guard try reader.byte() == newline else { throw .invalidFooter }
    var text: [UInt8] = []
    while true {
      let byte = try reader.byte()
      if byte == newline { break }
      text.append(byte)
    }
    if text.isEmpty { return nil }
    guard let zone = POSIXZone(text, allowsLongTimes: version >= UInt8(ascii: "3")) else {
      throw .invalidFooter
    }
    return zone
  }

  private static let newline = UInt8(ascii: "\n")

  /// The counts that a block announces.
  private struct Header {
    var version: UInt8
    var utFlags: Int
    var standardFlags: Int
    var leapSeconds: Int
    var times: Int
    var types: Int
    var characters: Int

    init(_ reader: inout Reader) throws(TZifError) {
      for expected in "TZif".utf8 {
        guard let byte = try? reader.byte(), byte == expected else { throw .notTZif }
      }
      version = try reader.byte()
      // Later versions promise to be readable as the latest that a reader knows.
      guard version == 0 || version >= UInt8(ascii: "2") else { throw .unknownVersion }
      try reader.skip(15)
      utFlags = try reader.count()
      standardFlags = try reader.count()
      leapSeconds = try reader.count()
      times = try reader.count()
      types = try reader.count()
      characters = try reader.count()
    }

    /// Bytes of the block that follows.
    func size(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4)
        + standardFlags + utFlags
    }

    /// Checks what RFC 9636 demands of a block that is used.
    func check() throws(TZifError) {
      guard leapSeconds == 0 else { throw .countsLeapSeconds }
      guard (1...256).contains(types), characters > 0, times <= TZif.mostTransitions,
        standardFlags == 0 || standardFlags == types, utFlags == 0 || utFlags == types
      else { throw .invalidCounts }
    }
  }

  /// Takes bytes one after the other; never reads past the end.
  private struct Reader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func skip(_ count: Int) throws(TZifError) {
      guard count <= bytes.count - position else { throw .truncated }
      position += count
    }

    mutating func byte() throws(TZifError) -> UInt8 {
      guard position < bytes.count else { throw .truncated }
      defer { position += 1 }
      return bytes[position]
    }

    /// Reads a signed number, the highest byte first.
    mutating func integer(bytes count: Int) throws(TZifError) -> Int {
      var value = Int(Int8(bitPattern: try byte()))
      for _ in 1..<count { value = value << 8 | Int(try byte()) }
      return value
    }

    /// Reads one of the header's counts, which have 32 bits and no sign.
    mutating func count() throws(TZifError) -> Int { try integer(bytes: 4) & 0xFFFF_FFFF }
  }
}

extension Range<Int> {
  /// The values that a reader gives, one for each index; `map` with a typed error.
  fileprivate func mapOrThrow<Value>(
    _ read: (Int) throws(TZifError) -> Value
  ) throws(TZifError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for index in self { values.append(try read(index)) }
    return values
  }
}
