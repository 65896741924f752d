import VigilSQL

/// Locks of runs and of persons, and the sessions that hold them.
///
/// The SQL is in `Statements/locks.sql` and `relations.sql`.
enum LockStatement: String, StatementName {
  case keepSession
  case holdTable
  case shareTable
  case removeEndedLocks
  case takeName
  case freeName
  case findNameHolder
  case listLockHolders
  case listStrandedSessions

  static let files = StatementFiles([PackageResources.relations_sql, PackageResources.locks_sql])
}
