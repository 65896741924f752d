import Foundation
import GRDB
import VigilStorage

extension StorageError {
  /// Puts an error of SQLite into words for an operator.
  ///
  /// Messages of SQLite name tables, columns and constraints but no values; the SQL and its
  /// arguments are left out all the same.
  ///
  /// - Parameters:
  ///   - file: The database file.
  ///   - table: The table that was written to; SQLite does not name it for every constraint.
  init(_ error: DatabaseError, file: DatabaseFile, table: String? = nil) {
    let name = file.displayName
    let said = error.message ?? error.resultCode.description
    switch error.resultCode {
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      self = .moved(file)
    // SQLite looks for its log beside the name of the file.
    case .SQLITE_CANTOPEN where file.kind == .missing, .SQLITE_IOERR where file.kind == .missing:
      self = .moved(file)
    case .SQLITE_NOTADB:
      self.init(
        .notADatabase, "\(name) is not an SQLite database",
        remedy: .correctDatabase)
    case .SQLITE_CORRUPT:
      self.init(
        .corrupt, "\(name) is damaged (\(said))",
        remedy: .advice(
          "restore the newest \(file.path).backup-* or recover it with the .recover command of "
            + "the sqlite3 shell"))
    case .SQLITE_FULL:
      self = .diskFull(file)
    case .SQLITE_IOERR where file.volumeIsFull:
      self = .diskFull(file)
    case .SQLITE_READONLY, .SQLITE_PERM:
      self = .readOnly(file)
    case .SQLITE_CANTOPEN where file.isUnwritable:
      self = .readOnly(file)
    case .SQLITE_CANTOPEN where file.volumeIsFull:
      self = .diskFull(file)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(
        .locked, "\(name) is busy: another program has been writing to it for too long",
        remedy: "try again when it is done")
    case .SQLITE_CANTOPEN, .SQLITE_IOERR:
      self.init(
        .unreachable, "\(name) cannot be read or written (\(said))",
        remedy: "check the disk and the permissions of the file and its folder")
    case .SQLITE_CONSTRAINT:
      let place = table.map { "a row for \($0) in \(name)" } ?? "a row for \(name)"
      self.init(.constraint, "\(place) was refused: \(said)")
    case .SQLITE_ERROR where Self.isAboutSchema(said):
      self.init(
        .schemaNotCurrent, "\(name) has another schema than Vigil needs (\(said))",
        remedy: .compareSchema)
    default:
      self.init(.unexpected, "\(name): \(said) (SQLite code \(error.extendedResultCode.rawValue))")
    }
  }

  /// The error of a database file that cannot be opened or created.
  ///
  /// - Parameter name: The file as messages name it.
  init(creating name: String, errno code: Int32, file: DatabaseFile) {
    switch code {
    case EROFS, EACCES, EPERM: self = .readOnly(file)
    case ENOSPC, EDQUOT: self = .diskFull(file)
    default:
      self.init(.unreachable, "\(name) cannot be opened (\(String(cString: strerror(code))))")
    }
  }

  /// SQLite has one code for all faults of a statement; only its words distinguish a missing table
  /// from a defect.
  private static func isAboutSchema(_ message: String) -> Bool {
    ["no such table", "no such column", "no such index", "has no column named", "already exists"]
      .contains { message.contains($0) }
  }

  static func diskFull(_ file: DatabaseFile) -> StorageError {
    StorageError(
      .diskFull, "no space is left for \(file.displayName); nothing of this step was kept",
      remedy: "free some space in \(file.folder) and run the command again")
  }

  static func moved(_ file: DatabaseFile) -> StorageError {
    StorageError(
      .moved,
      "\(file.displayName) was moved away, replaced or removed while it was open, and is not written to any more",
      remedy: .advice(
        "put the right file at \(file.path) while no command uses it, and run the command again"))
  }

  static func cannotBeRead(_ file: DatabaseFile) -> StorageError {
    StorageError(
      .unreachable, "\(file.displayName) cannot be read by this user",
      remedy: "make it readable and writable for this user, or run as its owner: \(file.path)")
  }

  static func readOnly(_ file: DatabaseFile) -> StorageError {
    StorageError(
      .readOnly, "\(file.displayName) cannot be written to",
      remedy: "make the file and its folder \(file.folder) writable for this user")
  }
}

extension DatabaseFile {
  /// Runs `body` and turns what SQLite throws into a `StorageError`; other errors pass through.
  func mappingErrors<Result>(
    table: String? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StorageError(error, file: self, table: table)
    }
  }
}
