import Foundation
import Testing

@testable import VigilImport

@Suite struct ZipDirectoryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entries(_ name: String = "a.zip") throws -> [ZipEntry] {
    try ZipDirectory.entries(of: .file(folder.file(name)), named: name)
  }

  private func contents(_ entry: ZipEntry) throws -> String {
    let file = InputFile(entry)
    return String(decoding: try file.contents(), as: UTF8.self)
  }

  @Test(arguments: [true, false])
  func readsFilesWithoutUnpacking(isCompressed: Bool) throws {
    let long = String(repeating: "2026-06-01,8120\n", count: 10_000)
    try TestArchive.write(
      [
        ("b/sleep.csv", Data(long.utf8)), ("b/", Data()), ("__MACOSX/b/._sleep.csv", Data([1])),
        ("ä.txt", Data("x".utf8)),
      ], to: folder.file("a.zip"), isCompressed: isCompressed)
    let entries = try entries()
    #expect(entries.map(\.name) == ["b/sleep.csv", "ä.txt"])
    #expect(try contents(entries[0]) == long)
    #expect(try contents(entries[1]) == "x")
    let bytes = try ZipEntryBytes(entries[0], didRead: { _ in })
    var start = [UInt8](repeating: 0, count: 4)
    for _ in 1...2 {
      #expect(try start.withUnsafeMutableBytes { try bytes.read(into: $0) } == 4)
      #expect(start == Array("2026".utf8))
      try bytes.rewind()
    }
    #expect(try folder.fileNames == ["a.zip"])
  }

  @Test func refusesContentsThatGrowBeyondWhatDataCan() throws {
    try TestArchive.write(
      [("sleep.csv", Data(count: 100 << 20))], to: folder.file("a.zip"))
    let entry = try #require(try entries().first)
    let bytes = try ZipEntryBytes(entry, didRead: { _ in })
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let error = try #require(throws: ImportError.self) {
      while try buffer.withUnsafeMutableBytes({ try bytes.read(into: $0) }) > 0 {}
    }
    #expect(error.code == .badData)
    #expect(
      error.message.hasPrefix(
        "a.zip: sleep.csv holds more than 500 bytes for each compressed byte"))
  }

  @Test func refusesFilesThatAreTooLong() throws {
    try TestArchive.write([("a", Data(count: 5))], to: folder.file("a.zip"))
    let entry = try #require(try entries().first)
    let file = InputFile(path: "a", byteCount: 5, location: .entry(entry))
    #expect(try file.contents(limit: 5).count == 5)
    #expect(throws: ImportError.self) { try file.contents(limit: 4) }
  }

  /// The archive of one file, after a change of its bytes.
  private func changed(
    isCompressed: Bool = false, _ change: (inout [UInt8]) throws -> Void
  ) throws {
    let path = try TestArchive.write(
      [("a.csv", Data("date,steps".utf8))], to: folder.file("a.zip"), isCompressed: isCompressed)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    try change(&bytes)
    try folder.write(Data(bytes), to: "a.zip")
  }

  @Test func refusesWhatIsEncryptedOrDamaged() throws {
    try changed { bytes in
      let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
      bytes[directory.lowerBound + 8] |= 1
    }
    let entry = try #require(try entries().first)
    var error = try #require(throws: ImportError.self) { try contents(entry) }
    #expect(error.message.hasPrefix("a.zip: a.csv is encrypted"))

    try changed { bytes in
      let start = try #require(bytes.firstRange(of: Array("date".utf8)))
      bytes[start.lowerBound] = 0x44
    }
    let second = try #require(try entries().first)
    error = try #require(throws: ImportError.self) { try contents(second) }
    #expect(error.message.hasPrefix("a.zip: a.csv is damaged"))

    try changed { $0.removeLast(30) }
    error = try #require(throws: ImportError.self) { try entries() }
    #expect(error.message.hasPrefix("a.zip is no complete ZIP archive"))
    #expect(error.code == .badData)

    // A file that says to be longer than the archive shares its bytes with others.
    try changed { bytes in
      let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
      bytes[directory.lowerBound + 22] = 1
    }
    error = try #require(throws: ImportError.self) { try entries() }
    #expect(error.message.contains("take more room than the archive has"))
  }
}
