public import Foundation
import GRDB
import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func withErasureSession<Result>(
    _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    try write(table: RunRow.table) { db in
      // Zeros take the place of what is removed.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
      return try body(SQLiteSession(db: db, file: file))
    }
  }

  public func traces(of person: UUID) throws -> [PersonTrace] {
    let tables = try tableTraces(of: person)
    // A file with rows of the person holds the id, of course.
    let files = tables.isEmpty ? try fileTraces(of: person) : []
    let backups = try DatabaseBackup(of: file).existing().filter {
      try FileSearch(for: person).finds(in: $0)
    }
    return tables + files + backups.map { .backup($0) }
  }

  private func fileTraces(of person: UUID) throws -> [PersonTrace] {
    try ["", "-wal", "-journal"].map { file.path + $0 }.filter {
      try FileSearch(for: person).finds(in: $0)
    }.map { .file($0) }
  }

  public func overwriteRemovedRows(of person: UUID) throws {
    guard mode != .existingReadOnly else { throw StorageError.readOnly(file) }
    try file.mappingErrors {
      try database.writeWithoutTransaction { db in
        _ = try db.checkpoint(.truncate)
        // Pages that earlier changes have freed are not overwritten; writing the file anew leaves them out.
        guard try !fileTraces(of: person).isEmpty else { return }
        try RawStatement(FileStatement.rewriteFile, on: db).run()
        _ = try db.checkpoint(.truncate)
      }
    }
  }
}

/// A search for the id of a person in the bytes of a file.
private struct FileSearch {
  private let texts: [[UInt8]]

  init(for person: UUID) {
    texts = [Array(person.lowercased.utf8), Array(person.uuidString.utf8)]
  }

  /// - Throws: `StorageError` for a file that is there and cannot be read.
  func finds(in path: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    guard let contents = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else {
      throw StorageError(
        .unreachable, "\(path) cannot be searched for the person", remedy: "check its permissions")
    }
    return contents.withUnsafeBytes { bytes in texts.contains { Self.finds($0, in: bytes) } }
  }

  private static func finds(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard var place = bytes.baseAddress else { return false }
    let end = place + bytes.count
    while end - place >= text.count,
      let found = memchr(place, Int32(text[0]), end - place - text.count + 1)
    {
      if memcmp(found, text, text.count) == 0 { return true }
      place = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
