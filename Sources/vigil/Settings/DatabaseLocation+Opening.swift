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

extension DatabaseLocation {
  /// Opens the database; the only place that knows the drivers.
  func open(_ access: DatabaseAccess) throws -> any Storage {
    switch self {
    case .sqlite(let path):
      let mode: SQLiteStorage.OpenMode =
        switch access {
        case .existing: .existing
        case .existingReadOnly: .existingReadOnly
        case .createIfMissing: .createIfMissing
        }
      return try SQLiteStorage(path: path, mode: mode)
    case .postgres(let url):
      throw CommandFailure(
        .usage,
        "database \(Self.redacted(url)): PostgreSQL is not supported yet; use sqlite:PATH")
    }
  }
}
