import Foundation
public import PostgresTestServer
import VigilModel
import VigilPostgres
import VigilSQLite

extension DatabaseKind {
  /// A database of this kind that nothing else uses, with the current schema and no row.
  ///
  /// It is a copy of one that was migrated before; a test of migrations begins with `makeDatabase`.
  ///
  /// - Parameter folder: Where a kind that is a file puts it, as `vigil.sqlite`.
  public func makeMigratedDatabase(in folder: String) throws -> TestDatabase {
    switch self {
    case .sqlite:
      let path = "\(folder)/vigil.sqlite"
      try MigratedFile.write(to: path)
      return .sqlite(path: path)
    case .postgres: return .postgres(try .migrated())
    }
  }
}

extension PostgresSchema {
  /// A schema with the current tables and no row.
  ///
  /// - Parameter server: Where it is; nil for the server that tests share.
  public static func migrated(on server: PostgresServer? = nil) throws -> PostgresSchema {
    try PostgresSchema(copyOf: "migrated", on: server, madeBy: newlyMigrated)
  }

  fileprivate static func newlyMigrated(on server: PostgresServer) throws -> PostgresSchema {
    let schema = try PostgresSchema(inNewDatabaseOf: server)
    _ = try PostgresStorage(url: schema.url, schema: schema.name).migrate(at: .ofMigrations)
    return schema
  }
}

extension PostgresServer {
  /// A server of a test's own, with the roles of Vigil, on which a migrated schema is a copy from the first on.
  public static func migrated() throws -> PostgresServer {
    try PostgresServer(copyOf: "migrated") {
      try $0.keepTemplate("migrated", madeBy: PostgresSchema.newlyMigrated)
    }
  }
}

/// A SQLite file with the current schema, made once for all tests of the process.
private enum MigratedFile {
  private static let bytes = Result {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "vigil-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A draft is closed, and its log emptied, when it is published.
    let path = folder.appending(path: "vigil.sqlite").path
    let draft = try SQLiteStorage.draft(of: path)
    _ = try draft?.migrate(at: .ofMigrations)
    try draft?.publish()
    return try Data(contentsOf: URL(filePath: path))
  }

  /// Its owner's alone, as a file is that Vigil creates.
  static func write(to path: String) throws {
    let bytes = try bytes.get()
    guard
      FileManager.default.createFile(
        atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
  }
}

extension Timestamp {
  /// 2026-01-01T00:00:00Z.
  fileprivate static let ofMigrations = Timestamp(microseconds: 1_767_225_600_000_000)
}
