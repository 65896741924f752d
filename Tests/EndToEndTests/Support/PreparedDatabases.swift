import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport

/// Databases that commands have filled once, of which each test gets a copy.
enum PreparedDatabases {
  private static let files = ValuesByName<Data>()

  /// Returns a copy of a database, in a folder of its own.
  ///
  /// - Parameters:
  ///   - name: The name of the contents.
  ///   - kind: The kind of database.
  ///   - make: Gives the database that is copied, which begins as `empty` or as another copy; called once
  ///     for each kind.
  static func copy(
    of name: String, _ kind: DatabaseKind, make: () throws -> TemporaryFolder
  ) throws -> TemporaryFolder {
    switch kind {
    case .sqlite:
      let bytes = try files.value(of: name) {
        let folder = try make()
        // A log beside it would hold the newest rows.
        guard try folder.names == ["vigil.sqlite"] else { throw CocoaError(.fileReadCorruptFile) }
        return try Data(contentsOf: folder.url.appending(path: "vigil.sqlite"))
      }
      return try TemporaryFolder { .sqlite(path: try write(bytes, in: $0)) }
    case .postgres:
      return try TemporaryFolder { _ in
        .postgres(
          try PostgresSchema(copyOf: name) { _ in
            guard case .postgres(let schema) = try make().database else {
              throw CocoaError(.featureUnsupported)
            }
            return schema
          })
      }
    }
  }

  /// A folder without a database yet, whose database can become one that is copied.
  static func empty(_ kind: DatabaseKind) throws -> TemporaryFolder {
    switch kind {
    case .sqlite: try TemporaryFolder()
    case .postgres:
      try TemporaryFolder { _ in .postgres(try PostgresSchema(inNewDatabaseOf: .shared())) }
    }
  }

  /// Writes a file as Vigil creates it: its owner's alone.
  private static func write(_ bytes: Data, in folder: String) throws -> String {
    let path = "\(folder)/vigil.sqlite"
    guard
      FileManager.default.createFile(
        atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    return path
  }
}
