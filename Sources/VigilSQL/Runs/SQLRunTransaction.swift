public import Foundation
public import VigilModel
public import VigilStorage

/// The tables about runs and queues, inside a transaction that no other process shares; the same on every
/// database.
public struct SQLRunTransaction<Session: SQLSession>: RunTransaction {
  let session: Session

  public init(session: Session) {
    self.session = session
  }

  // MARK: Runs

  public func run(_ id: UUID) throws -> RunRecord? {
    try session.rows(RunStatement.findRun, id) { try RunRow.decode(&$0) }.first
  }

  public func put(_ run: RunRecord) throws {
    try session.write(RunStatement.putRun) { try RunRow.put(run, into: $0) }
  }

  public func runs(startedAfter instant: Timestamp) throws -> [RunRecord] {
    try session.rows(RunStatement.listRunsStartedAfter, instant) { try RunRow.decode(&$0) }
  }

  /// Runs with status `running`, with or without a process at work, newest first.
  public func runningRuns() throws -> [RunRecord] {
    try session.rows(RunStatement.listRunningRuns) { try RunRow.decode(&$0) }
  }

  /// The newest runs of this kind, mode and days, newest first.
  func runs(like run: RunRecord) throws -> [RunRecord] {
    try session.rows(
      RunStatement.listRunsLike, run.kind.rawValue, run.mode.rawValue, run.days.lowerBound,
      run.days.upperBound
    ) { try RunRow.decode(&$0) }
  }

  /// Runs with notifications that wait for a decision, by their rows.
  func holdingRuns() throws -> [RunRecord] {
    try session.rows(RunStatement.listHoldingRuns) { try RunRow.decode(&$0) }
  }

  /// Whether this login may change the run, its shards and its checkpoints; another may have begun it.
  func mayChange(_ run: UUID) throws -> Bool {
    try !session.rows(RunStatement.findRunToChange, run) { try $0.uuid() }.isEmpty
  }

  public func prepareHistory(ofNight day: Day) throws -> HistoryUse {
    guard try session.mayKeepHistory() else {
      return HistoryUse(hasCopies: false, calmDigests: nil)
    }
    let hasCopies = try session.prepareHistory(through: HistoryBlock.lastDay(ofNight: day))
    try session.execute(CalmStatement.removeCalmDigests, day - 1)
    return HistoryUse(
      hasCopies: hasCopies, calmDigests: try session.calmDigests(ofNight: day - 1))
  }

  // MARK: Shards and checkpoints

  public func shards(of run: UUID) throws -> [ShardRecord] {
    try session.rows(RunStatement.listShards, run) { try ShardRow.decode(&$0) }
  }

  public func put(_ shard: ShardRecord) throws {
    try session.write(RunStatement.putShard) { try ShardRow.put(shard, into: $0) }
  }

  public func checkpoints(of run: UUID) throws -> [BatchCheckpoint] {
    try session.rows(RunStatement.listCheckpoints, run) { try CheckpointRow.decode(&$0) }
  }

  func remove(_ checkpoints: [BatchCheckpoint], of run: UUID) throws {
    for checkpoint in checkpoints {
      try session.execute(
        RunStatement.removeCheckpoint, run, checkpoint.shard, checkpoint.firstPerson)
    }
  }

  // MARK: Alerts

  public func alertsNeverNotified() throws -> Int {
    try session.count(AlertStatement.countAlertsNeverNotified)
  }
}
