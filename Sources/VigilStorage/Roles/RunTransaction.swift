public import Foundation
public import VigilModel

/// The life of runs, inside a transaction that no other process shares.
///
/// ```swift
/// func begin(_ proposed: RunRecord, in storage: any Storage) throws -> RunRecord {
///   try storage.withRuns { runs in
///     try runs.begin(
///       proposed, shard: .whole, continuing: true, database: storage.displayName,
///       isAlive: storage.isLocked)
///   }
/// }
/// ```
public protocol RunTransaction {
  func run(_ id: UUID) throws -> RunRecord?
  /// Runs that began later than `instant`, newest first.
  func runs(startedAfter instant: Timestamp) throws -> [RunRecord]
  /// Inserts the run, or replaces the row with its id.
  func put(_ run: RunRecord) throws

  /// In order of their index.
  func shards(of run: UUID) throws -> [ShardRecord]
  /// Inserts the shard, or replaces its row.
  func put(_ shard: ShardRecord) throws

  /// In order of shard and first person.
  func checkpoints(of run: UUID) throws -> [BatchCheckpoint]
  /// Removes checkpoints of batches that must be repeated; the rows they wrote are counted all the
  /// same.
  func forget(_ checkpoints: [BatchCheckpoint], of run: UUID) throws

  /// Begins a run, or joins one that another shard has begun or that was cut off; returns the run's
  /// state after that.
  ///
  /// It joins the newest run with the very same work, unless that has succeeded: a shard that has
  /// finished its part finds nothing left to do. Shards of runs whose processes are gone become
  /// `interrupted`.
  ///
  /// - Parameters:
  ///   - proposed: The run as it would begin.
  ///   - shard: The part of the persons that this process does.
  ///   - continuing: Whether it may join a run that was cut off.
  ///   - database: The name of the database in messages.
  ///   - isAlive: Whether a process holds the lock of a shard.
  /// - Throws: `StorageError` with `.locked` where shards of another run are at work, and
  ///   `.permissionDenied` where the run to join is another login's.
  func begin(
    _ proposed: RunRecord, shard: RunShard, continuing: Bool, database: String,
    isAlive: (RunShard) throws -> Bool
  ) throws -> RunRecord

  /// Records how a shard ended, releases its notifications where it has evaluated all of its
  /// persons and the rate limit allows it, and returns the run's state after that.
  ///
  /// Each shard is responsible for its own persons: a late or lost shard holds up no notification
  /// of others.
  ///
  /// - Parameters:
  ///   - ending: The shard as it ended.
  ///   - rateLimit: Nil for a run that sends no notification.
  ///   - now: The instant that counts as now.
  /// - Throws: `StorageError` with `.locked` where another process has taken the shard over, because
  ///   this one had lost its lock; nothing is recorded then.
  func end(_ ending: ShardRecord, rateLimit: NotificationRateLimit?, at now: Timestamp) throws
    -> RunRecord

  // MARK: History

  /// Removes the copies of rows that have changed since, and sees to it that later changes are noted; before the
  /// readers of a night see the database.
  ///
  /// - Parameter day: The evaluated day.
  func prepareHistory(ofNight day: Day) throws -> HistoryUse

  // MARK: Profiles

  /// Refuses a run with other settings than the database's rows are made with (specification, runs.md,
  /// Profiles); writes nothing.
  ///
  /// Only the parts that the run evaluates are compared.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - isSwitching: Whether the run may replace other settings.
  ///   - database: The name of the database in messages.
  /// - Throws: `StorageError` with `.otherProfile`.
  func checkProfiles(of run: RunRecord, isSwitching: Bool, database: String) throws

  /// Records the settings of a run that has begun as those of the database, where it has none or
  /// others, and returns the change.
  ///
  /// Active episodes of other profiles end without a notification. Until a nightly run of all persons has
  /// caught up with the newest evaluated day, runs are silent; a run that begins in that time is marked so
  /// in `run`.
  ///
  /// - Throws: `StorageError` with `.permissionDenied` for a role that may not switch.
  func adoptProfiles(
    of run: inout RunRecord, isSwitching: Bool, at now: Timestamp
  ) throws -> ProfileSwitch?

  /// Returns what the promotion of a candidate would change, and changes nothing; nil where it is the
  /// database's profile already.
  ///
  /// - Parameters:
  ///   - profile: The candidate.
  ///   - database: The name of the database in messages.
  /// - Throws: `StorageError` with `.otherProfile` where no run of all persons has followed it up to the
  ///   newest day that the database's own profile was evaluated for.
  func promotion(of profile: Profile, database: String) throws -> ProfilePromotion?

  /// Makes a candidate the database's profile: its active alerts count as notified at their present level,
  /// those of other profiles end without a notification.
  ///
  /// - Throws: `StorageError` with `.permissionDenied` for a role that may not switch.
  func promote(_ promotion: ProfilePromotion, at now: Timestamp) throws

  // MARK: Held notifications

  /// Releases or discards the notifications that a run holds; returns the run's state after that.
  ///
  /// - Throws: `StorageError` with `.notFound` where there is no such run.
  func decide(_ decision: HeldDecision, run id: UUID, at now: Timestamp) throws -> RunRecord

  /// Makes every active episode count as notified at its present level, and returns their number
  /// (specification, runs.md section 3).
  func goLive(at now: Timestamp) throws -> Int

  /// The number of active alerts of shadow nights that were never notified.
  func alertsNeverNotified() throws -> Int

  /// The notifications that a run holds and that were due before `now`.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - shard: The shard that has planned them; nil for all of them.
  ///   - now: The instant that counts as now.
  func overdue(of run: UUID, shard: Int?, at now: Timestamp) throws -> [OverdueNotification]

  /// Moves a held notification to another time.
  ///
  /// - Parameters:
  ///   - notification: The notification to move.
  ///   - run: The run.
  ///   - due: When it is due.
  ///   - expiry: When it expires; nil for a row of the app alone.
  ///   - reason: The reason why it is not sent, or not at once.
  func reschedule(
    _ notification: OverdueNotification, of run: UUID, for due: Timestamp,
    until expiry: Timestamp?, because reason: PlannedNotification.StatusReason?
  ) throws
}

extension RunTransaction {
  /// The notifications that a run holds and that were due before `now`, of all its shards.
  public func overdue(of run: UUID, at now: Timestamp) throws -> [OverdueNotification] {
    try overdue(of: run, shard: nil, at: now)
  }
}
