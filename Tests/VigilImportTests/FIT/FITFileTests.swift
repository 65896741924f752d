import TestSupport
import Testing

@testable import VigilImport

@Suite struct FITFileTests {
  /// Messages as `number time field=value ...`.
  private func messages(_ bytes: [UInt8], fields: [UInt8] = [0, 1, 2, 3]) throws -> [String] {
    var texts: [String] = []
    try FITFile.forEachMessage(in: bytes) { message in
      let values = fields.compactMap { field in message.value(field).map { "\(field)=\($0)" } }
      let time = message.time.map { "\($0)" } ?? "-"
      texts.append(([String(message.number), time] + values).joined(separator: " "))
    }
    return texts
  }

  private func fault(_ bytes: [UInt8]) throws -> String {
    try #require(throws: FITFile.Fault.self) { try messages(bytes) }.reason
  }

  private func simple() -> FITBuilder {
    var builder = FITBuilder()
    builder.define(0, as: 300, [.time, .uint16(0), .uint8(1)])
    builder.add(0, FITBuilder.bytes(UInt32(1_000_000_000)), FITBuilder.bytes(UInt16(513)), [7])
    builder.add(0, FITBuilder.bytes(UInt32(1_000_000_060)), [0xFF, 0xFF], [8])
    return builder
  }

  @Test func theChecksumIsThatOfARC() {
    #expect(FITFile.checksum(of: Array("123456789".utf8)[...]) == 0xBB3D)
    #expect(FITFile.checksum(of: []) == 0)
  }

  @Test func readsMessagesWithTheirTimesAndLeavesOutWhatHasNoValue() throws {
    let expected = ["300 1000000000 0=513.0 1=7.0", "300 1000000060 1=8.0"]
    #expect(try messages(simple().file()) == expected)
    #expect(try messages(simple().file(headerSize: 12)) == expected)
    #expect(try messages(simple().file(headerSize: 20, version: 0x10)) == expected)
    // Files may follow each other.
    #expect(try messages(simple().file() + simple().file(headerSize: 12)) == expected + expected)
    #expect(try messages(FITBuilder().file()) == [])
  }

  @Test func readsBothOrdersOfBytesAndEachType() throws {
    var builder = FITBuilder()
    builder.define(
      5, as: 20,
      [
        .init(number: 0, size: 2, type: 0x83), .init(number: 1, size: 4, type: 0x88),
        .init(number: 2, size: 8, type: 0x8F), .init(number: 3, size: 1, type: 0x01),
      ], isBigEndian: true)
    builder.add(
      5, FITBuilder.bytes(Int16(-2), isBigEndian: true),
      FITBuilder.bytes(Float(1.5).bitPattern, isBigEndian: true),
      FITBuilder.bytes(UInt64(1) << 40, isBigEndian: true), [0x80])
    #expect(try messages(builder.file()) == ["20 - 0=-2.0 1=1.5 2=1099511627776.0 3=-128.0"])
    // What says that there is no value, for each type of integers.
    builder = FITBuilder()
    builder.define(
      1, as: 20,
      [
        .init(number: 0, size: 2, type: 0x83), .init(number: 1, size: 4, type: 0x8C),
        .init(number: 2, size: 4, type: 0x88), .init(number: 3, size: 1, type: 0x07),
      ])
    builder.add(
      1, FITBuilder.bytes(Int16.max), [0, 0, 0, 0], FITBuilder.bytes(Float.nan.bitPattern), [65])
    #expect(try messages(builder.file()) == ["20 -"])
  }

  @Test func skipsFieldsThatItDoesNotKnow() throws {
    var builder = FITBuilder()
    builder.define(
      2, as: 20,
      [
        // A type that there is not, a list, and a size that is no multiple of its type.
        .init(number: 0, size: 3, type: 0x1E), .init(number: 1, size: 4, type: 0x84),
        .init(number: 2, size: 3, type: 0x84), .uint8(3),
      ], developerFields: [4, 2])
    builder.add(2, [1, 2, 3], [9, 0, 8, 0], [1, 2, 3], [6], [0, 0, 0, 0], [0, 0])
    builder.define(2, as: 0xFFFE, [])
    builder.add(2)
    #expect(try messages(builder.file()) == ["20 - 1=9.0 3=6.0", "65534 -"])
  }

  @Test func readsTimesOfFiveBits() throws {
    var builder = FITBuilder()
    builder.define(0, as: 1, [.time])
    builder.define(3, as: 2, [.uint8(0)])
    let start: UInt32 = 1_000_000_020
    builder.add(0, FITBuilder.bytes(start))
    for step: UInt32 in [0, 5, 31, 32] {
      builder.add(3, lowTime: UInt8(truncatingIfNeeded: start + step), [1])
    }
    // Each follows the one before: 32 s later the five bits are the same.
    #expect(
      try messages(builder.file()).dropFirst().map { $0.split(separator: " ")[1] }
        == ["1000000020", "1000000025", "1000000051", "1000000052"])
    builder = FITBuilder()
    builder.define(3, as: 2, [.uint8(0)])
    builder.add(3, lowTime: 7, [1])
    #expect(try fault(builder.file()).contains("a part of a time before a whole one"))
  }

  // MARK: Damage

  @Test func refusesEveryTruncation() throws {
    let bytes = simple().file()
    for count in 0..<bytes.count {
      #expect(throws: FITFile.Fault.self, "\(count) bytes") {
        try messages(Array(bytes.prefix(count)))
      }
    }
  }

  @Test func refusesEveryChangedBit() throws {
    let bytes = simple().file()
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        #expect(throws: FITFile.Fault.self, "byte \(index), bit \(bit)") { try messages(damaged) }
      }
    }
  }

  @Test func namesTheFault() throws {
    let bytes = simple().file()
    #expect(try fault([]) == "ends in its header")
    #expect(try fault(Array("no file of this kind".utf8)) == "has no header of FIT")
    #expect(try fault(simple().file(version: 0x30)).contains("version 3"))
    #expect(try fault(Array(bytes.dropLast())) == "is shorter than its header says")
    #expect(try fault(bytes + [0]) == "ends in its header")
    #expect(try fault(bytes + Array(repeating: 0, count: 20)) == "goes on behind its end")
    var builder = FITBuilder()
    builder.add(4, [1])
    #expect(try fault(builder.file()) == "does not define message 1")
    builder = simple()
    builder.append([0, 1, 2])
    #expect(try fault(builder.file()) == "ends in the middle of message 3")
    builder = simple()
    builder.append([0x43, 0, 0, 1])
    #expect(try fault(builder.file()) == "ends in the middle of a definition")
  }

  @Test(arguments: [0, 1, 15, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
  func sizesThatAreWrongReadNothingBehindTheFile(size: UInt32) throws {
    #expect(throws: FITFile.Fault.self) { try messages(simple().file(size: size)) }
  }

  @Test func rubbishIsRefusedOrReadAndEndsNothing() throws {
    for seed in 1...Repetitions.count(fast: 20, long: 1_000) {
      var random = TestSupport.SeededGenerator(seed: seed)
      for _ in 0..<100 {
        // A sound header, so that the records are looked at.
        var builder = Bool.random(using: &random) ? simple() : FITBuilder()
        builder.append(
          (0..<Int.random(in: 0...200, using: &random)).map { _ in
            Bool.random(using: &random)
              ? .random(in: 0...3, using: &random) : .random(in: 0...255, using: &random)
          })
        var bytes = builder.file()
        if Bool.random(using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = 0xFF
        }
        var count = 0
        do {
          try FITFile.forEachMessage(in: bytes) { message in
            count += 1
            for field in 0...UInt8.max { _ = message.value(field) }
          }
        } catch is FITFile.Fault {}
        #expect(count <= bytes.count, "seed \(seed)")
      }
    }
  }
}
