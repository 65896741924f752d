/// Runs, their shards and the checkpoints of their batches.
///
/// The SQL is in `Statements/runs.sql`, `runs.sqlite.sql` and `runs.postgres.sql`.
public enum RunStatement: String, StatementName {
  case findRun
  case listNewestRuns
  case listRunningRuns
  case listRunsLike
  case listRunsStartedAfter
  case listHoldingRuns
  case findNewestRunDay
  case putRun
  case listShards
  case putShard
  case listCheckpoints
  case findCheckpoint
  case insertCheckpoint
  case removeCheckpoint
  case removeFinishedCheckpoints
  case findRunToChange

  public static func files(for dialect: SQLDialect) -> [String] {
    switch dialect {
    case .sqlite: [PackageResources.runs_sql, PackageResources.runs_sqlite_sql]
    case .postgres: [PackageResources.runs_sql, PackageResources.runs_postgres_sql]
    }
  }
}
