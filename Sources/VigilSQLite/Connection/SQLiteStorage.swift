import Foundation
import GRDB
import GRDBSQLite
public import VigilSQL
public import VigilStorage

/// A Vigil database in one SQLite file.
///
/// ```swift
/// import VigilSQL
/// import VigilStorage
///
/// guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
/// let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
/// defer { try? FileManager.default.removeItem(at: file) }
/// let storage = try SQLiteStorage(path: file.path, mode: .createIfMissing)
/// _ = try storage.migrate(at: now)
/// print(try storage.runs(limit: 10).count)  // 0
/// do {
///   _ = try SQLiteStorage(path: "/no/such/folder/vigil.sqlite", mode: .existing)
/// } catch let error as StorageError {
///   print(error.code)  // notFound
/// }
/// ```
///
/// The file is in WAL mode: readers never wait for the writer. Files beside it (`-wal`, `-shm`) are
/// gone when the last connection closes.
public final class SQLiteStorage: SQLStorage {
  let file: DatabaseFile
  let mode: OpenMode
  /// One connection that writes and two that read; made by `makeReader` come on top.
  let database: any DatabaseWriter
  /// The name that further connections open: the path, or a URI with it.
  let connectionPath: String
  /// The file that was opened.
  private let identity: FileIdentity?
  /// Held while this is a draft, which others may remove when its process is gone.
  private let draftLock: FileLock?

  public enum OpenMode: Sendable {
    /// A file that must be there.
    case existing
    /// A file that must be there and is only looked at.
    case existingReadOnly
    case createIfMissing
  }

  /// Opens the file at `path`; creates it only where `mode` says so.
  ///
  /// - Parameters:
  ///   - path: The path, as messages show it.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  ///   - mode: Whether the file is created or changed.
  /// - Throws: `StorageError` with `.notFound`, `.notADatabase`, `.readOnly`, `.diskFull`,
  ///   `.corrupt` or `.unreachable`.
  public convenience init(path: String, in folder: String? = nil, mode: OpenMode) throws {
    try self.init(DatabaseFile(path, in: folder), mode: mode)
  }

  init(_ file: DatabaseFile, mode: OpenMode, draftLock: FileLock? = nil) throws {
    self.file = file
    self.mode = mode
    self.draftLock = draftLock
    switch (file.kind, mode) {
    case (.folder, _):
      throw StorageError(
        .unreachable, "\(file.displayName) is a folder",
        remedy: "give the path of a file in it, such as \(file.givenPath)/vigil.sqlite")
    case (.missing, .existing), (.missing, .existingReadOnly):
      throw StorageError(
        .notFound, "there is no database \(file.displayName)",
        remedy: .createDatabase)
    case (.missing, .createIfMissing):
      guard FileManager.default.fileExists(atPath: file.folder) else {
        throw StorageError(
          .notFound, "\(file.displayName) cannot be created: there is no folder \(file.folder)",
          remedy: "create the folder first")
      }
      try file.create()
    case (.file, _) where !file.isReadable:
      throw StorageError.cannotBeRead(file)
    case (.file, .existing), (.file, .createIfMissing):
      // SQLite would leave files beside it that belong to this user, and lock its owner out.
      if file.isUnwritable { throw StorageError.readOnly(file) }
    case (.file, .existingReadOnly):
      break
    }
    let identity = FileIdentity(at: file.path)
    self.identity = identity
    (database, connectionPath) = try file.mappingErrors {
      mode == .existingReadOnly ? try Self.openForLooking(file) : try Self.openForWriting(file)
    }
    guard FileIdentity(at: file.path) == identity else { throw StorageError.moved(file) }
  }

  deinit {
    if mode != .existingReadOnly, draftLock == nil, FileIdentity(at: file.path) != identity {
      settleMovedFile()
    }
  }

  private static func openForWriting(
    _ file: DatabaseFile
  ) throws -> (any DatabaseWriter, path: String) {
    let pool = try DatabasePool(path: file.path, configuration: configuration(isReadOnly: false))
    // SQLite opens a file that it may not write to for reading and says nothing.
    try pool.writeWithoutTransaction { db in
      if sqlite3_db_readonly(db.sqliteConnection, "main") == 1 { throw StorageError.readOnly(file) }
    }
    return (pool, file.path)
  }

  /// A connection that only reads would leave the `-wal` and `-shm` files behind that it needs, so
  /// it is one that could write where that is possible; `write` sees to it that it does not.
  private static func openForLooking(
    _ file: DatabaseFile
  ) throws -> (any DatabaseWriter, path: String) {
    var path = file.path
    if file.isUnwritable, !file.hasWAL {
      // Without a place for a `-shm` file SQLite reads a database in WAL mode only on the promise
      // that no process writes to it.
      path = "\(URL(fileURLWithPath: path).absoluteString)?immutable=1"
    }
    let queue = try DatabaseQueue(
      path: path, configuration: configuration(isReadOnly: file.isUnwritable))
    // Opening alone reads nothing: the header is looked at with the first query.
    try queue.read {
      try RawStatement(FileStatement.countSchemaObjects, on: $0).forEachRow { _ in }
    }
    return (queue, path)
  }

  public var displayName: String { file.displayName }

  public func makeReaders(count: Int) throws -> [any StorageReader] {
    try (0..<count).map { _ in try SQLiteReader(storage: self) }
  }

  public func makeResultReader() throws -> any ResultReader { try SQLiteReader(storage: self) }

  /// The settings of every connection.
  ///
  /// Caches are bounded, not sized by the data: a run has a handful of connections and shall stay
  /// far below 300 MiB.
  static func configuration(isReadOnly: Bool) -> Configuration {
    _ = StatementJournals.areInMemory
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    // Shards of a run take turns at writing, and a large batch can take seconds.
    configuration.busyMode = .timeout(60)
    configuration.maximumReaderCount = 2
    configuration.prepareDatabase { db in
      // In KiB where negative. The pool's readers come through here as well, and ask for little.
      let isReader = isReadOnly || sqlite3_db_readonly(db.sqliteConnection, "main") == 1
      try db.execute(sql: "PRAGMA cache_size = \(isReader ? -8_000 : -48_000)")
      // In pages, 64 MiB: ids are random, so batches touch the same index pages again and again, and
      // each checkpoint would write them anew.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 16384")
    }
    return configuration
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try file.mappingErrors { try database.read(body) }
  }

  func write<Result>(table: String? = nil, _ body: (Database) throws -> Result) throws -> Result {
    guard mode != .existingReadOnly else { throw StorageError.readOnly(file) }
    let result = try file.mappingErrors(table: table) {
      try database.write { db in
        let result = try body(db)
        try requireInPlace()
        return result
      }
    }
    // The file may have gone between the look above and the end of the commit.
    try requireInPlace()
    return result
  }

  /// Refuses to go on where the name of the database has gone to another file, or to none: rows would be written
  /// to a file that no one looks at.
  private func requireInPlace() throws {
    guard FileIdentity(at: file.path) != identity else { return }
    throw StorageError.moved(file)
  }

  /// Takes the log of a file that was moved into it.
  ///
  /// SQLite does not when it closes such a file, and would replay the log, whose name stays, into the file that has
  /// the name of the database now.
  private func settleMovedFile() {
    try? database.writeWithoutTransaction { db in
      // Another reader of the moved file is not waited for.
      sqlite3_busy_timeout(db.sqliteConnection, 1_000)
      _ = try db.checkpoint(.truncate)
    }
  }
}
