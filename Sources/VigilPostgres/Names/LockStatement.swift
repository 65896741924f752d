import VigilSQL

/// The run lock, and the sessions that hold it.
///
/// The SQL is in `Statements/locks.sql`.
enum LockStatement: String, StatementName {
  case takeLock
  case takeSharedLock
  case findHeldLock
  case listLockHolders
  case listStrandedSessions

  static func files(for dialect: SQLDialect) -> [String] { [PackageResources.locks_sql] }
}
