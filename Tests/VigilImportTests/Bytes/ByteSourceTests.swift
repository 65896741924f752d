import CZstd
import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilImport

@Suite struct ByteSourceTests {
  let folder: TemporaryFolder

  enum Kind: CaseIterable {
    case gzip
    case zstd
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func compressed(_ text: String, _ kind: Kind) throws -> Data {
    let bytes = Array(text.utf8)
    switch kind {
    case .gzip: return try TestArchive.gzipped(Data(bytes))
    case .zstd:
      let context = try #require(ZSTD_createCCtx())
      defer { ZSTD_freeCCtx(context) }
      ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
      var target = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
      let count = ZSTD_compress2(context, &target, target.count, bytes, bytes.count)
      #expect(ZSTD_isError(count) == 0)
      return Data(target[..<count])
    }
  }

  /// The contents of a file, read in chunks of `size` bytes.
  private func contents(_ data: Data, size: Int = 7, times: Int = 1) throws -> String {
    let bytes = try FileBytes(path: try folder.write(data, to: "\(UUID())")).decompressed()
    var all: [UInt8] = []
    for time in 0..<times {
      if time > 0 { try bytes.rewind() }
      all = []
      var chunk = [UInt8](repeating: 0, count: size)
      while true {
        let count = try chunk.withUnsafeMutableBytes { try bytes.read(into: $0) }
        if count == 0 { break }
        all += chunk[..<count]
      }
    }
    return String(decoding: all, as: UTF8.self)
  }

  private let text = (0..<2000).map { "p\($0 % 7),2026-06-01,ring,\($0 * 37 % 991)\n" }.joined()

  @Test(arguments: Kind.allCases, [1, 7, 1 << 16])
  func givesTheContentsAsOftenAsAsked(kind: Kind, size: Int) throws {
    let data = try compressed(text, kind)
    #expect(data.count < text.utf8.count / 2)
    #expect(try contents(data, size: size, times: 2) == text)
    #expect(try contents(try compressed("", kind), size: size) == "")
  }

  @Test(arguments: Kind.allCases)
  func joinsSeveralMembers(kind: Kind) throws {
    let data = try compressed("one,", kind) + compressed("", kind) + compressed("two\n", kind)
    #expect(try contents(data) == "one,two\n")
    #expect(try contents(data, size: 4) == "one,two\n")
  }

  @Test func acceptsPaddingBehindGzipAlone() throws {
    let data = try compressed("one", .gzip)
    #expect(try contents(data + Data(count: 100)) == "one")
    #expect(throws: ImportError.self) { try contents(data + Data(count: 3) + Data("x".utf8)) }
    #expect(throws: ImportError.self) { try contents(data + Data("garbage".utf8)) }
  }

  @Test(arguments: Kind.allCases)
  func refusesEveryTruncation(kind: Kind) throws {
    let data = try compressed(String(text.prefix(300)), kind)
    for count in 4..<data.count {
      let error = try #require(throws: ImportError.self, "\(count) bytes") {
        try contents(data.prefix(count), size: 64)
      }
      #expect(error.code == .badData)
      #expect(error.message.contains("ends in the middle of"))
    }
  }

  @Test(arguments: Kind.allCases)
  func refusesEveryChangedByteOfTheContents(kind: Kind) throws {
    let data = try compressed(String(text.prefix(300)), kind)
    let original = try contents(data, size: 64)
    // The first bytes hold the time and the system that compressed it.
    for index in 10..<data.count {
      var damaged = data
      damaged[index] ^= 0x10
      do {
        #expect(try contents(damaged, size: 64) == original, "byte \(index) of \(data.count)")
      } catch let error as ImportError {
        #expect(error.code == .badData)
      }
    }
  }

  @Test(arguments: ["", "a", "date,steps\n", "(\u{B5}/\u{FD}"])
  func leavesOtherFilesAsTheyAre(text: String) throws {
    #expect(try contents(Data(text.utf8)) == text)
  }

  @Test(arguments: Kind.allCases)
  func aCompressedFileGivesTheRowsOfThePlainOne(kind: Kind) throws {
    let options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system, isStrict: true)
    let table =
      "user,date,source,steps\n"
      + (0..<500).map { "p\($0),2026-06-01,ring,\($0)\n" }.joined()
    let request = DailyFileRequest()
    let plain = InputRecorder()
    let path = try folder.write(table, to: "daily.csv")
    _ = try DailyFileImport(path: path, request: request, options: options).load(into: plain)
    let packed = InputRecorder()
    let packedPath = try folder.write(try compressed(table, kind), to: "daily.bin")
    _ = try DailyFileImport(path: packedPath, request: request, options: options).load(into: packed)
    #expect(plain.rows["wearable_daily_metrics"]?.count == 500)
    #expect(packed.rows == plain.rows)
    let cut = try folder.write(try compressed(table, kind).dropLast(5), to: "daily.bin")
    let error = try #require(throws: ImportError.self) {
      try DailyFileImport(path: cut, request: request, options: options)
    }
    #expect(error.message.hasPrefix("daily.bin ends in the middle of its "))
  }

  // MARK: Limits

  @Test(arguments: Kind.allCases)
  func contentsOutOfProportionAreRefusedWithTheLimit(kind: Kind) throws {
    let zeros = String(repeating: "0", count: BoundedContents.freeBytes + (8 << 20))
    let data = try compressed(zeros, kind)
    let error = try #require(throws: ImportError.self) { try contents(data, size: 1 << 20) }
    #expect(error.code == .badData)
    #expect(
      error.message.contains("more than \(BoundedContents.largestRatio) bytes for each compressed"))
    // Few contents may be whatever they are.
    let few = String(repeating: "0", count: 1 << 20)
    #expect(try contents(try compressed(few, kind), size: 1 << 16, times: 2) == few)
  }

  @Test func aPipeIsReadAsOftenAsAFileAndADeviceIsRefused() async throws {
    let options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system)
    let path = folder.file("fifo")
    try #require(mkfifo(path, 0o600) == 0)
    let text = text
    Thread.detachNewThread { try? Data(text.utf8).write(to: URL(filePath: path)) }
    let bytes = try FileBytes.regular(path: path, options: options, didRead: { _ in })
    for _ in 1...2 {
      var all: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1000)
      while case let count = try chunk.withUnsafeMutableBytes({ try bytes.read(into: $0) }),
        count > 0
      {
        all += chunk[..<count]
      }
      #expect(String(decoding: all, as: UTF8.self) == text)
      try bytes.rewind()
    }
    let error = #expect(throws: ImportError.self) { try FileBytes(path: "/dev/zero") }
    #expect(error?.code == .usage)
    #expect(error?.message == "/dev/zero is a device; give a file")
  }
}
