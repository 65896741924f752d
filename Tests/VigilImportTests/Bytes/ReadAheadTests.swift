import Foundation
import TestSupport
import Testing

@testable import VigilImport

@Suite struct ReadAheadTests {
  /// Bytes in pieces of random sizes, with an error in the place of the end where one is given.
  private final class Pieces: ByteSource {
    let path = "pieces"
    let bytes: [UInt8]
    let error: ImportError?
    private var place = 0
    private var random: TestSupport.SeededGenerator

    init(_ bytes: [UInt8], error: ImportError? = nil, seed: Int) {
      (self.bytes, self.error) = (bytes, error)
      random = TestSupport.SeededGenerator(seed: seed)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      if place == bytes.count, let error { throw error }
      let most = Int.random(in: 1...300_000, using: &random)
      let count = min(most, buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<place + count])
      place += count
      return count
    }

    func rewind() { place = 0 }
  }

  private func all(_ source: any ByteSource, by size: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { return all }
      all += buffer[..<count]
    }
  }

  @Test func givesTheSameBytesAsOftenAsWanted() throws {
    var random = TestSupport.SeededGenerator(seed: 8)
    for seed in 1...6 {
      let bytes = (0..<Int.random(in: 0...3_000_000, using: &random)).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
      }
      let ahead = ReadAhead(Pieces(bytes, seed: seed))
      var start = [UInt8](repeating: 0, count: 10)
      // A reader that stops in the middle, and one that comes to the end, begin again.
      _ = try start.withUnsafeMutableBytes { try ahead.read(into: $0) }
      try ahead.rewind()
      for size in [1 << 18, 77_777] {
        #expect(try all(ahead, by: size) == bytes, "seed \(seed)")
        #expect(try start.withUnsafeMutableBytes { try ahead.read(into: $0) } == 0)
        try ahead.rewind()
      }
    }
  }

  @Test func theErrorComesBehindTheBytesBeforeIt() throws {
    let bytes = [UInt8](repeating: 7, count: 1_500_000)
    let error = ImportError(.badData, "it is damaged")
    let ahead = ReadAhead(Pieces(bytes, error: error, seed: 3))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    let thrown = #expect(throws: ImportError.self) {
      while true { count += try buffer.withUnsafeMutableBytes { try ahead.read(into: $0) } }
    }
    #expect(thrown?.message == error.message)
    #expect(count == bytes.count)
  }

  @Test func aReaderThatLeavesLeavesNoThread() throws {
    for seed in 1...50 {
      let pieces = Pieces([UInt8](repeating: 1, count: 2_000_000), seed: seed)
      let ahead = ReadAhead(pieces)
      var buffer = [UInt8](repeating: 0, count: 10)
      #expect(try buffer.withUnsafeMutableBytes { try ahead.read(into: $0) } == 10)
      ahead.stop()
      // The source is the caller's again.
      pieces.rewind()
      #expect(try all(pieces, by: 1 << 18).count == 2_000_000)
    }
  }
}
