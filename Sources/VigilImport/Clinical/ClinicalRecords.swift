import Foundation

/// The objects of a file: one on each line, or those of one document.
struct ClinicalRecords {
  private let file: InputFile
  private let didRead: (_ bytes: Int) -> Void

  /// No record has more bytes.
  private static let longestRecord = 16 << 20
  private static let chunkSize = 1 << 18

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

  private func forEachChunk(
    of source: any ByteSource, _ body: (_ chunk: ArraySlice<UInt8>) throws -> Bool
  ) throws {
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      guard count > 0, try body(chunk[..<count]) else { return }
    }
  }

  /// Whether each line is a record: by the name of the file, or else where its first line is a whole object without a list
  /// of entries.
  private func hasLines() throws -> Bool {
    let name = file.nameOfContents.lowercased()
    if [".ndjson", ".jsonl"].contains(where: name.hasSuffix) { return true }
    var scanner = ListScanner(limit: Self.longestRecord)
    var answer: Bool?
    try forEachChunk(of: file.open()) { chunk in
      for byte in chunk {
        if scanner.depth == 0, byte > 0x20, byte != UInt8(ascii: "{") {
          answer = false
        } else if scanner.depth > 0, byte == 0x0A {
          answer = false
        } else {
          do {
            try scanner.take(CollectionOfOne(byte)) { _, _ in }
          } catch is ListScanner.Fault {
            answer = false
          }
          if scanner.hasList { answer = false }
          if scanner.depth == 0, byte == UInt8(ascii: "}") { answer = answer ?? true }
        }
        if answer != nil { return false }
      }
      return true
    }
    return answer ?? false
  }

  private func forEachLine(_ body: (_ object: [String: Any]?, _ line: Int) throws -> Void) throws {
    var rest: [UInt8] = []
    var number = 0
    func take(_ line: ArraySlice<UInt8>) throws {
      number += 1
      guard line.contains(where: { $0 > 0x20 }) else { return }
      try body(Self.value(line) as? [String: Any], number)
    }
    try forEachChunk(of: file.open(didRead: didRead)) { chunk in
      var start = chunk.startIndex
      while let end = chunk[start...].firstIndex(of: 0x0A) {
        if rest.isEmpty {
          try take(chunk[start..<end])
        } else {
          rest += chunk[start..<end]
          try take(rest[...])
          rest.removeAll(keepingCapacity: true)
        }
        start = end + 1
      }
      rest += chunk[start...]
      guard rest.count <= Self.longestRecord else {
        throw ImportError(
          .badData,
          "\(fileName(file.path)):\(number + 1): the line has more than 16 MiB; nothing was imported"
        )
      }
      return true
    }
    if !rest.isEmpty { try take(rest[...]) }
  }

  private func forEachOfDocument(
    _ body: (_ object: [String: Any]?, _ line: Int) throws -> Void
  ) throws {
    let damage = ImportError(
      .badData, "\(fileName(file.path)) is not JSON; nothing was imported; copy it again")
    var scanner = ListScanner(limit: Self.longestRecord)
    var number = 0
    do {
      try forEachChunk(of: file.open(didRead: didRead)) { chunk in
        try scanner.take(chunk) { element, isOfBundle in
          number += 1
          guard let value = Self.value(element[...]) else { throw damage }
          let object = value as? [String: Any]
          try body(isOfBundle ? object?["resource"] as? [String: Any] : object, number)
        }
        return true
      }
    } catch let fault as ListScanner.Fault {
      switch fault {
      case .malformed: throw damage
      case .tooLong:
        throw ImportError(
          .badData,
          "\(fileName(file.path)) is one document of JSON, in which record \(number + 1) has more than 16 MiB; nothing was"
            + " imported; give it a record a line")
      }
    }
    // An export may have a file of a kind without a record.
    guard scanner.rest.contains(where: { $0 > 0x20 }) else { return }
    guard scanner.isComplete, let document = Self.value(scanner.rest[...]) else { throw damage }
    if !scanner.hasList { try body(document as? [String: Any], 1) }
  }

  private static func value(_ bytes: ArraySlice<UInt8>) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }
}
