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

  public static let files = StatementFiles(
    [PackageResources.runs_sql],
    sqlite: PackageResources.runs_sqlite_sql, postgres: PackageResources.runs_postgres_sql)
}
