import VigilPostgres
import VigilSQLite
import VigilStorage

/// The purpose for which a command opens a database.
enum DatabaseAccess: Sendable {
  /// To read and write a database that must exist.
  case existing
  /// To read a database that must exist.
  case existingReadOnly
  case createIfMissing
}

extension Settings {
  /// Opens the database; no other code knows the drivers.
  ///
  /// - Parameters:
  ///   - access: The purpose.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  ///   - waiting: Called before waiting for a server that does not answer, with its database and the
  ///     reason.
  func openDatabase(
    _ access: DatabaseAccess, in folder: String?,
    waiting: (_ database: String, _ reason: String) -> Void
  ) throws -> any Storage {
    switch self.database {
    case .sqlite(let path):
      let mode: SQLiteStorage.OpenMode =
        switch access {
        case .existing: .existing
        case .existingReadOnly: .existingReadOnly
        case .createIfMissing: .createIfMissing
        }
      return try SQLiteStorage(path: path, in: folder, mode: mode)
    case .postgres(let url):
      // Only an administrator creates the database of a server; the role's rights control access.
      return try PostgresStorage(
        url: url, schema: self.schema, retryTimeout: self.databaseRetry, waiting: waiting)
    }
  }
}

extension Settings {
  /// Begins the database of the settings where it is a file that is not there.
  ///
  /// - Parameter folder: As for `openDatabase`.
  /// - Returns: Nil for a database that is there, and for one of a server.
  func draftDatabase(in folder: String?) throws -> DraftDatabase? {
    guard case .sqlite(let path) = self.database else { return nil }
    return try SQLiteStorage.draft(of: path, in: folder).map { draft in
      DraftDatabase(storage: draft, publish: draft.publish, discard: draft.discard)
    }
  }
}

/// A database that is not there by its name until it is complete.
struct DraftDatabase {
  let storage: any Storage
  /// Gives it its name.
  let publish: () throws -> Void
  /// Removes it.
  let discard: () -> Void
}
