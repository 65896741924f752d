import Foundation
import GRDBSQLite
import VigilModel

/// An export that is a SQLite database, opened for reading alone.
///
/// SQLite reads a file, so one in an archive or a compressed one is first copied into the folder for temporary files, without
/// a name once it is open.
final class SQLiteExport {
  private let file: InputFile
  private var database: OpaquePointer?
  private let shouldStop: () -> Bool

  /// Steps of SQLite's machine between two questions whether to stop.
  private static let stepsBetweenChecks: Int32 = 100_000
  /// An export of ten years of heart rates has 1 GiB.
  private static let largestCopy = 8 << 30

  /// - Throws: `ImportError` where the file is no database, or cannot be copied.
  init(_ file: InputFile, shouldStop: @escaping () -> Bool) throws {
    self.file = file
    self.shouldStop = shouldStop
    guard try file.beginning(16) == Array("SQLite format 3\0".utf8) else { throw damage }
    switch file.location {
    case .path(let path) where try !file.isCompressed(): try open(path)
    case .path, .entry:
      let copy = try copied()
      defer { unlink(copy) }
      try open(copy)
    }
  }

  deinit {
    sqlite3_close_v2(database)
  }

  private var damage: ImportError {
    ImportError(
      .badData,
      "\(fileName(file.path)) is no SQLite database, or a damaged one; nothing was imported; copy it again"
    )
  }

  private func copied() throws -> String {
    let folder = FileManager.default.temporaryDirectory
    var template = Array(folder.appendingPathComponent("vigil-import-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&template)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else {
      throw ImportError(
        .cannotCreateOutput,
        "cannot copy \(file.path) into \(folder.path): \(lastSystemError()); set TMPDIR")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let source = try file.open()
      var chunk = [UInt8](repeating: 0, count: 1 << 20)
      var size = 0
      while true {
        if shouldStop() { throw ImportError.interruption }
        let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
        if count == 0 { return path }
        size += count
        guard size <= Self.largestCopy else {
          throw ImportError(.badData, "\(file.path) has more than 8 GiB; nothing was imported")
        }
        do {
          try handle.write(contentsOf: chunk[..<count])
        } catch {
          throw ImportError(
            .cannotCreateOutput,
            "cannot copy \(file.path): \(lastSystemError()); set TMPDIR to a folder with more room")
        }
      }
    } catch {
      unlink(path)
      throw error
    }
  }

  private func open(_ path: String) throws {
    // No other process writes the file, and it may lie where no lock can be taken.
    let address = URL(fileURLWithPath: path).absoluteString + "?immutable=1"
    guard
      sqlite3_open_v2(address, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK,
      // Functions in a schema that others have written must not run.
      sqlite3_exec(database, "PRAGMA trusted_schema = OFF", nil, nil, nil) == SQLITE_OK,
      sqlite3_exec(database, "PRAGMA schema_version", nil, nil, nil) == SQLITE_OK
    else { throw damage }
    sqlite3_progress_handler(
      database, Self.stepsBetweenChecks,
      { context in
        guard let context else { return 0 }
        return Unmanaged<SQLiteExport>.fromOpaque(context).takeUnretainedValue().shouldStop()
          ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Calls `body` with each row of a query, by the names of its columns; with none where the export lacks the tables.
  ///
  /// - Throws: What `body` throws; `ImportError` where the database is damaged, or the import is to stop.
  func forEachRow(
    of query: String,
    _ body: (
      _ record: @escaping ArchiveRecords.Record, _ line: Int, _ problem: String?
    ) throws -> Void
  ) throws {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    switch sqlite3_prepare_v2(database, query, -1, &statement, nil) {
    case SQLITE_OK: break
    // The tables and columns of an export depend on the version of Android.
    case SQLITE_ERROR: return
    default: throw damage
    }
    var places: [String: Int32] = [:]
    for place in 0..<sqlite3_column_count(statement) {
      if let name = sqlite3_column_name(statement, place) {
        places[String(cString: name)] = place
      }
    }
    var number = 0
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: break
      case SQLITE_DONE: return
      case SQLITE_INTERRUPT: throw ImportError.interruption
      default: throw damage
      }
      number += 1
      try body(
        { column in
          places[column].flatMap { sqlite3_column_text(statement, $0) }.map { String(cString: $0) }
        }, number, nil)
    }
  }

  /// The text of a named query of a file.
  static func query(_ name: String, in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "-- name: \(name)" }.dropFirst()
      .prefix { !$0.hasPrefix("-- name:") }.filter { !$0.hasPrefix("--") }
      .joined(separator: "\n")
  }
}
