public import Foundation
public import VigilModel

/// What a database must offer; one conformance suite checks every driver.
///
/// Methods block their thread until the database has answered and may be called from any thread.
/// All of them throw `StorageError`.
public protocol Storage: Sendable {
  /// The database as messages name it, such as `sqlite:vigil.sqlite`; never holds a password.
  var displayName: String { get }

  // MARK: Schema

  /// Applied and pending migrations, in order. Reads only.
  func migrations() throws -> [MigrationStatus]

  /// Applies what is pending, each migration in a transaction of its own, after a backup where the
  /// database is a file that holds something.
  ///
  /// Refuses a database whose applied migrations this version does not know or knows differently.
  func migrate(at now: Timestamp) throws -> MigrationOutcome

  /// Takes the newest `count` migrations back, newest first.
  func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome

  /// Throws `.schemaNotCurrent` unless exactly the migrations of this version are applied.
  func requireCurrentSchema() throws

  /// What `vigil doctor` asks of a database. Does not throw for a finding.
  func diagnose() -> [Finding]

  // MARK: Runs

  /// Takes the lock that lets one run at a time write, or throws `.locked` naming its holder.
  ///
  /// The lock ends with the returned object or with the process, whichever is first.
  func acquireRunLock(for run: UUID) throws -> any RunLock

  /// Inserts the run, or replaces the row with its id.
  func record(_ run: RunRecord) throws

  /// The newest runs first.
  func runs(limit: Int) throws -> [RunRecord]

  func run(id: UUID) throws -> RunRecord?

  // MARK: Detection

  /// Ids, ascending, of persons with a metric row on one of `days` or an active episode.
  func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID]

  /// First and last `metric_date` of all metric rows; nil where there are none.
  func metricDays() throws -> ClosedRange<Day>?

  /// Readers with a connection each; each is used by one thread at a time.
  ///
  /// They see everything written before this call. A database that can makes all of them see the
  /// very same instant, and nothing later, until the last of them is let go.
  func makeReaders(count: Int) throws -> [any StorageReader]

  /// Writes a batch of persons in one transaction: all of it or nothing.
  ///
  /// Alert states are inserted or, where the row exists, updated in the columns a run owns; what
  /// people set (snooze, dismissal, acknowledgement) and `created_at` stay. Notifications whose
  /// `dedupeKey` is in the queue already are skipped. The checkpoint is part of the transaction; where
  /// the run already has it, the batch is in the database and nothing is written again.
  func write(_ batch: BatchWrite) throws -> BatchWriteResult

  // MARK: Reading results

  /// Rows of `pattern_alert_state`, ordered by person, metric, pattern and `active_since`.
  func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState]

  /// `users.external_id` of those of `persons` that have one.
  func externalIDs(of persons: Set<UUID>) throws -> [UUID: String]

  /// Those of `ids` that are persons of this database.
  func persons(among ids: Set<UUID>) throws -> Set<UUID>

  /// Whose `users.external_id` each of `externalIDs` is; those that are nobody's are left out.
  func persons(withExternalIDs externalIDs: Set<String>) throws -> [String: UUID]

  // MARK: Import

  /// Runs `body` in one transaction that commits when it returns and rolls back when it throws.
  func importRows<Result>(_ body: (any ImportWriter) throws -> Result) throws -> Result
}

extension Storage {
  /// One reader of its own, which sees everything written before this call.
  public func makeReader() throws -> any StorageReader { try makeReaders(count: 1)[0] }
}

/// Reads blocks of persons for detection over one connection.
public protocol StorageReader: AnyObject {
  /// Sends every metric row of `persons` on `days` to `sink`: the rows of a person together, days
  /// ascending, sources in the database's order.
  ///
  /// When it throws, the sink may have been given some of the rows.
  ///
  /// - Parameters:
  ///   - metrics: Columns of `wearable_daily_metrics`; throws `.unknownColumn` for another.
  ///   - reportsWear: Whether `isWorn` is asked for; otherwise it is always true.
  /// - Complexity: O(rows).
  func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink) throws

  /// Calls `body` with the index into `persons` and the day of every exercise session on `days`.
  func readWorkoutDays(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ day: Day) -> Void) throws

  /// Alert states of `persons` that are active, or were evaluated or resolved on `day` or later.
  func alertStates(of persons: [UUID], touchedSince day: Day) throws -> [PatternAlertState]

  /// For each of `persons` the members of every family in which that person has accepted.
  func familyMembers(of persons: [UUID]) throws -> [[FamilyMember]]
}

/// Takes metric rows as a reader finds them.
public protocol MetricRowSink: AnyObject {
  /// A small number for a source name; asked for once per run of rows of the same source.
  func index(ofSource name: String) -> Int

  /// One row of `wearable_daily_metrics`.
  ///
  /// - Parameters:
  ///   - person: Index into the persons asked for.
  ///   - source: What `index(ofSource:)` gave for the row's source.
  ///   - values: As many as metrics were asked for, in that order; NaN where the column is NULL.
  ///   - isWorn: Whether any numeric column of the row, asked for or not, is above 0.
  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>, isWorn: Bool)
}

/// Held while a run writes; letting go of the last reference releases it.
public protocol RunLock: AnyObject, Sendable {}

/// The rows of one batch of persons.
public struct BatchWrite: Sendable {
  /// Rows that are new or differ from what is stored.
  public var alertStates: [PatternAlertState]
  public var notifications: [PlannedNotification]
  public var queue: DeliveryQueue
  public var runID: UUID
  /// Goes to `created_at` and `updated_at` of queue rows.
  public var writtenAt: Timestamp
  /// Says that the persons of this batch are done.
  public var checkpoint: BatchCheckpoint?

  public init(
    alertStates: [PatternAlertState], notifications: [PlannedNotification],
    queue: DeliveryQueue, runID: UUID, writtenAt: Timestamp, checkpoint: BatchCheckpoint? = nil
  ) {
    self.alertStates = alertStates
    self.notifications = notifications
    self.queue = queue
    self.runID = runID
    self.writtenAt = writtenAt
    self.checkpoint = checkpoint
  }
}

/// One row of `batch_checkpoints`: a batch of persons that a run has written.
public struct BatchCheckpoint: Sendable, Hashable {
  /// The first person of the batch; with the run it identifies the batch.
  public var firstPerson: UUID
  public var lastPerson: UUID
  public var persons: Int

  public init(firstPerson: UUID, lastPerson: UUID, persons: Int) {
    self.firstPerson = firstPerson
    self.lastPerson = lastPerson
    self.persons = persons
  }
}

/// Where planned notifications go.
public enum DeliveryQueue: String, Sendable {
  case live = "notification_queue"
  case shadow = "shadow_notification_queue"
}

public struct BatchWriteResult: Sendable {
  /// Notifications inserted; those whose key was in the queue already are not counted.
  public var enqueued: Int

  public init(enqueued: Int) {
    self.enqueued = enqueued
  }
}

/// Which alert states to list; nil means any.
public struct AlertFilter: Sendable {
  public var users: [UUID]?
  public var metric: MetricType?
  public var isActive: Bool?
  public var minimumLevel: AlertLevel?
  /// Only episodes with `active_since` on or before the upper and `last_evaluated_date` on or after
  /// the lower day.
  public var days: ClosedRange<Day>?
  public var limit: Int?

  public init(
    users: [UUID]? = nil, metric: MetricType? = nil, isActive: Bool? = nil,
    minimumLevel: AlertLevel? = nil, days: ClosedRange<Day>? = nil, limit: Int? = nil
  ) {
    self.users = users
    self.metric = metric
    self.isActive = isActive
    self.minimumLevel = minimumLevel
    self.days = days
    self.limit = limit
  }
}
