import VigilPostgres
import VigilSQLite
import VigilStorage

/// What a command wants with a database.
enum DatabaseAccess: Sendable {
  /// To read and write one that must be there.
  case existing
  /// To look at one that must be there.
  case existingReadOnly
  case createIfMissing
}

extension Settings {
  /// Opens the database; the only place that knows the drivers.
  ///
  /// - Parameter waiting: Called before a server that is away is waited for, with its database and the
  ///   reason.
  func openDatabase(
    _ access: DatabaseAccess, waiting: (_ database: String, _ reason: String) -> Void
  ) throws -> any Storage {
    switch database {
    case .sqlite(let path):
      let mode: SQLiteStorage.OpenMode =
        switch access {
        case .existing: .existing
        case .existingReadOnly: .existingReadOnly
        case .createIfMissing: .createIfMissing
        }
      return try SQLiteStorage(path: path, mode: mode)
    case .postgres(let url):
      // A server's database is its administrator's to create; access is by the role's rights.
      return try PostgresStorage(
        url: url, schema: schema, retryTimeout: databaseRetry, waiting: waiting)
    }
  }
}
