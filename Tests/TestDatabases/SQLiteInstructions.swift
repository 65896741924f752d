import Foundation
import GRDBSQLite
import Synchronization

/// Counts the instructions of every connection to a file that is opened while it counts.
enum SQLiteInstructions {
  private static let counted = Mutex<[String: StatementWork]>([:])

  static func count(at path: String, _ body: () throws -> Void) throws -> StatementWork {
    _ = watchesNewConnections
    let path = realPath(path)
    counted.withLock { $0[path] = StatementWork() }
    defer { counted.withLock { $0[path] = nil } }
    try body()
    return counted.withLock { $0[path] } ?? StatementWork()
  }

  /// SQLite calls what is registered here with each connection of this process that is opened.
  private static let watchesNewConnections: Bool = {
    let watch: @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> CInt = {
      connection, _, _ in
      guard counted.withLock({ !$0.isEmpty }), let path = path(of: connection),
        counted.withLock({ $0[path] != nil })
      else { return SQLITE_OK }
      return sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_PROFILE),
        { _, _, statement, _ in
          note(OpaquePointer(statement))
          return 0
        }, nil)
    }
    let entry = unsafeBitCast(watch, to: (@convention(c) () -> Void).self)
    return sqlite3_auto_extension(entry) == SQLITE_OK
  }()

  /// Adds what a statement has done that has just ended.
  private static func note(_ statement: OpaquePointer?) {
    guard let statement, let path = path(of: sqlite3_db_handle(statement)),
      let sql = sqlite3_sql(statement)
    else { return }
    let steps = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)
    counted.withLock { $0[path]?.add(Int(steps), of: String(cString: sql)) }
  }

  private static func path(of connection: OpaquePointer?) -> String? {
    sqlite3_db_filename(connection, "main").map { realPath(String(cString: $0)) }
  }

  private static func realPath(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }
}
