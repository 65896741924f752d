import Foundation

/// The objects of a file: one on each line, or those of one document.
struct ClinicalRecords {
  private let file: InputFile
  private let didRead: (_ bytes: Int) -> Void

  /// No record has a longer line; a longer one is a document.
  private static let longestLine = 16 << 20

  init(_ file: InputFile, didRead: @escaping (_ bytes: Int) -> Void) {
    self.file = file
    self.didRead = didRead
  }

  /// Calls `body` with each object and its line, or its number in a document; with nil for a line that is none.
  ///
  /// - Throws: What `body` throws; `ImportError` where the file cannot be read.
  func forEach(_ body: (_ object: [String: Any]?, _ line: Int) throws -> Void) throws {
    if try hasLines() {
      try forEachLine(body)
    } else {
      try forEachOfDocument(body)
    }
  }

  /// Whether each line is a record: by the name of the file, or else by its first line.
  private func hasLines() throws -> Bool {
    let name = file.path.lowercased()
    if [".ndjson", ".jsonl"].contains(where: { name.hasSuffix($0) || name.hasSuffix($0 + ".gz") }) {
      return true
    }
    let source = try file.open().decompressed()
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while line.count < Self.longestLine, !line.contains(0x0A) {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { break }
      line += chunk[..<count]
    }
    let end = line.firstIndex(of: 0x0A) ?? line.endIndex
    guard let object = Self.object(line[..<end]) else { return false }
    return object["resourceType"] as? String != "Bundle"
  }

  private func forEachLine(_ body: (_ object: [String: Any]?, _ line: Int) throws -> Void) throws {
    let source = try file.open(didRead: didRead).decompressed()
    var rest: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var number = 0
    func take(_ line: ArraySlice<UInt8>) throws {
      number += 1
      guard line.contains(where: { $0 > 0x20 }) else { return }
      try body(Self.object(line), number)
    }
    while true {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { break }
      rest += chunk[..<count]
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: 0x0A) {
        try take(rest[start..<end])
        start = end + 1
      }
      rest.removeSubrange(..<start)
      guard rest.count <= Self.longestLine else {
        throw ImportError(
          .badData,
          "\(fileName(file.path)):\(number + 1): the line has more than 16 MiB; nothing was imported"
        )
      }
    }
    if !rest.isEmpty { try take(rest[...]) }
  }

  private func forEachOfDocument(
    _ body: (_ object: [String: Any]?, _ line: Int) throws -> Void
  ) throws {
    let source = try file.open(didRead: didRead).decompressed()
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { break }
      data.append(contentsOf: chunk[..<count])
      guard data.count <= 256 << 20 else {
        throw ImportError(
          .badData,
          "\(fileName(file.path)) is one document of more than 256 MiB; nothing was imported; give it a record a line"
        )
      }
    }
    // An export may have a file of a kind without a record.
    guard data.contains(where: { $0 > 0x20 }) else { return }
    guard let document = try? JSONSerialization.jsonObject(with: data) else {
      throw ImportError(
        .badData, "\(fileName(file.path)) is not JSON; nothing was imported; copy it again")
    }
    let bundle = (document as? [String: Any])?["entry"] as? [[String: Any]]
    let objects =
      bundle?.map { $0["resource"] } ?? document as? [Any?] ?? [document]
    for (number, object) in objects.enumerated() {
      try body(object as? [String: Any], number + 1)
    }
  }

  private static func object(_ bytes: ArraySlice<UInt8>) -> [String: Any]? {
    try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
  }
}
