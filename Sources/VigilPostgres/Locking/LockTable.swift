import Foundation
import VigilModel
import VigilSQL

/// A table whose locks are those of Vigil: only its roles may lock it.
///
/// Many may share the table, each under a name of its own. A name is a row with the server process that holds it,
/// for as long as that process holds the table, too; so a lock ends with its session, even where the row stays.
enum LockTable: String {
  case runs = "run_locks"
  case persons = "person_locks"

  private var filling: SQLFillings { ["lock_table": .name(rawValue)] }

  private var parameters: Parameters { Parameters { $0.put(rawValue) } }

  /// The sessions that hold the table; none where there is no such table.
  func holders(asking connection: Connection) throws -> [LockHolder] {
    let result = try connection.run(LockStatement.listLockHolders, parameters)
    return (0..<result.rowCount).map { row in
      LockHolder(
        process: result.int32(row, 0), name: result.text(row, 1),
        address: result.isNull(row, 2) ? nil : result.text(row, 2))
    }
  }

  /// The server process that holds the name; nil where none does.
  func holder(of name: String, asking connection: Connection) throws -> Int? {
    let parameters = parameters
    parameters.put(name)
    let result = try connection.run(LockStatement.findNameHolder, parameters, filling)
    return result.rowCount > 0 ? result.int32(0, 0) : nil
  }

  /// Holds the table until the session ends; false where another session is in the way.
  ///
  /// - Parameter isShared: Whether others may share it.
  func lock(isShared: Bool, on connection: Connection) throws -> Bool {
    try connection.run(LockStatement.keepSession)
    // Read committed, in which no snapshot is kept from one statement to the next.
    try connection.run(script: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      try connection.run(isShared ? LockStatement.shareTable : .holdTable, Parameters(), filling)
      return true
    } catch let error as PostgresError where error.isLockTaken {
      try connection.run(script: "ROLLBACK")
      return false
    }
  }

  /// Takes a name for a session that holds the table; false where another has it.
  ///
  /// - Parameter connection: Another one, whose transaction can end.
  func take(_ name: String, for process: Int, on connection: Connection) throws -> Bool {
    try connection.transaction {
      let own = parameters
      own.put(process)
      try connection.run(LockStatement.removeEndedLocks, own, filling)
      let taken = Self.parameters(name, process)
      return try connection.run(LockStatement.takeName, taken, filling).rowCount > 0
    }
  }

  func free(_ name: String, of process: Int, on connection: Connection) throws {
    try connection.run(LockStatement.freeName, Self.parameters(name, process), filling)
  }

  private static func parameters(_ name: String, _ process: Int) -> Parameters {
    Parameters {
      $0.put(name)
      $0.put(process)
    }
  }

  /// Asks until the answer is yes, or for a fifth of a second: the server process of a holder that has
  /// just died needs a moment to notice.
  static func waitingForTheDead(_ isFree: () throws -> Bool) rethrows -> Bool {
    for attempt in 1...20 {
      if try isFree() { return true }
      if attempt < 20 { usleep(10_000) }
    }
    return false
  }
}

/// A session that holds a lock, as the server shows it.
struct LockHolder: CustomStringConvertible {
  /// Its process in the server.
  var process: Int
  /// Its `application_name`.
  var name: String
  /// The address of the client; nil for a Unix socket, and where the role may not see it.
  var address: String?

  /// The id of the run; nil where another program of Vigil's roles has locked the table.
  var run: UUID? {
    name.hasPrefix(TableRunLock.prefix)
      ? UUID(uuidString: String(name.dropFirst(TableRunLock.prefix.count))) : nil
  }

  var description: String {
    (run.map { "run \($0.lowercased)" } ?? "another run") + " (server process \(process)"
      + (address.map { " for \($0))" } ?? ")")
  }
}
