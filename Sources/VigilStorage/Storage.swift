public import Foundation
public import VigilAdherence
public import VigilModel

/// What a database must offer; one conformance suite checks every driver.
///
/// Methods block their thread until the database has answered and may be called from any thread.
/// All of them throw `StorageError`.
public protocol Storage: Sendable {
  /// The database as messages name it, such as `sqlite:vigil.sqlite`; never holds a password.
  var displayName: String { get }

  /// How it spells what databases do not write in the same way.
  var dialect: SQLDialect { get }

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
  ///
  /// - Parameter isFull: Whether every page, index and reference is checked, which takes minutes for a
  ///   large database.
  func diagnose(fully isFull: Bool) -> [Finding]

  /// What `vigil doctor` says of sessions that processes of Vigil have left on a server.
  func sessionFindings(at now: Timestamp) throws -> [Finding]

  // MARK: Runs

  /// Takes the lock that lets one run at a time write, or throws `.locked` naming its holder.
  ///
  /// Shards of one count do not exclude each other; that they belong to one run is the affair of
  /// `RunTransaction.begin`. The lock ends with the returned object or with the process, whichever is
  /// first.
  func acquireRunLock(for run: UUID, shard: RunShard) throws -> any RunLock

  /// The runs whose processes hold the run lock at present: the others that are recorded as running have
  /// lost theirs. Nil where this user may not see who holds it.
  func runsAtWork() throws -> Set<UUID>?

  /// Throws `.permissionDenied` where this login may not do what a run in a mode does.
  ///
  /// Asked before a run takes a lock, so that one that cannot end well disturbs no other.
  func requireRights(for mode: RunRecord.Mode) throws

  /// Whether anybody holds the lock of this shard of several.
  func isLocked(_ shard: RunShard) throws -> Bool

  /// Runs `body` in one transaction, with nobody else in one of these at the same time.
  ///
  /// It commits when `body` returns and rolls back when it throws; `body` may be run again when the
  /// connection was lost.
  func withRuns<Result>(_ body: (any RunTransaction) throws -> Result) throws -> Result

  /// The newest runs first.
  func runs(limit: Int) throws -> [RunRecord]

  func run(id: UUID) throws -> RunRecord?

  // MARK: Detection

  /// Ids, ascending, of persons with a metric row, a score from elsewhere, a dose or an active schedule
  /// on one of `days`, or an active episode.
  ///
  /// So that nothing stands of data that have gone, also of those who had scores when they were last
  /// evaluated, on the first of `days` or later, and of those who have no medication any more, but rows
  /// of `dose_analytics` that end on one of `days`.
  func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID]

  /// Whether anybody has a metric row on one of `days`.
  func hasMetrics(in days: ClosedRange<Day>) throws -> Bool

  /// Whether anybody has a medication.
  func hasMedications() throws -> Bool

  /// The columns of `wearable_daily_metrics`; none where there is no such table.
  func metricColumns() throws -> MetricColumns

  /// First and last `metric_date` of all metric rows; nil where there are none.
  func metricDays() throws -> ClosedRange<Day>?

  /// Rows of the metrics, of the exercise sessions and of the scores on `days` that no run can use, and
  /// rows of no day at all; medications of nobody in `users`.
  ///
  /// Asked once a run, and cheap: what the constraints of a table rule out is not looked for, and the
  /// rest is found by steps along the key (person, day), never by a scan.
  func unusableRows(in days: ClosedRange<Day>) throws -> UnusableRows

  /// Rows of the metrics, of the exercise sessions and of the scores from elsewhere on `days`, or `limit`
  /// where there are as many.
  ///
  /// - Complexity: O(`limit`) where the rows of `days` are most of the table.
  func countRows(in days: ClosedRange<Day>, upTo limit: Int) throws -> Int

  /// Adds rows that were found in the database to `quarantined_rows`, in one transaction.
  ///
  /// One that is there already, with the same table, key and reason, only gets the run of the new one.
  func quarantine(_ rows: [QuarantinedRow], at now: Timestamp) throws

  /// Readers with a connection each; each is used by one thread at a time.
  ///
  /// They see everything written before this call. A database that can makes all of them see the
  /// very same instant, and nothing later, until the last of them is let go.
  func makeReaders(count: Int) throws -> [any StorageReader]

  /// Writes a batch of persons in one transaction: all of it or nothing.
  ///
  /// Alert states are inserted or, where the row exists, updated in the columns a run owns; what
  /// people set (snooze, dismissal, acknowledgement) and `created_at` stay. Notifications for the shadow
  /// queue enter it unless their `dedupeKey` is there already; those for the live queue are held until
  /// their run ends. The checkpoint is part of the transaction; where the run already has it, the batch
  /// is in the database and nothing is written again.
  func write(_ batch: BatchWrite) throws -> BatchWriteResult

  // MARK: Reading results

  /// Rows of `pattern_alert_state`, ordered by person, metric, pattern and `active_since`.
  func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState]

  /// Rows of `dose_analytics` of one kind of period, ordered by person, the person's own row before
  /// those of their medications.
  ///
  /// - Parameters:
  ///   - users: Only theirs; nil for everybody's.
  ///   - day: The last of the period; nil for each person's newest.
  func doseAnalytics(
    of users: [UUID]?, period: AdherencePeriod.Kind, endingOn day: Day?
  ) throws -> [StoredDoseAnalytics]

  /// What `viewer` reads of a family's alerts on `day`: the active ones of its other accepted members
  /// that are not dismissed and not snoozed past that day, the highest level first, then by
  /// `active_since` and id.
  ///
  /// Throws `StorageError.viewerIsNoMember` where the viewer has not accepted to be one, and where there
  /// is no such family, so that nobody learns which there are.
  func familyAlerts(of family: UUID, for viewer: UUID, on day: Day) throws -> [PatternAlertState]

  /// What `viewer` is shown of the trends of a family's other accepted members (specification,
  /// vitality.md section 2, `family_insights`): at most two attention insights of different members, or
  /// else one celebrate, members by id and pillars in the order of `Pillar`; nothing while
  /// `familyAlerts` has something on `today`.
  ///
  /// Throws as `familyAlerts` does.
  ///
  /// - Parameters:
  ///   - day: The evaluated day; nil for the last that was evaluated of each member, unless it is more
  ///     than three days before that of another.
  func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight]

  /// Runs a query that every database understands, on its own and changing nothing.
  func rows<Row>(
    _ query: BoundStatement, _ decode: (any RowReader) throws -> Row
  ) throws -> [Row]

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
  /// The lock of a run that nobody shares.
  public func acquireRunLock(for run: UUID) throws -> any RunLock {
    try acquireRunLock(for: run, shard: .whole)
  }

  /// None, for a database that is no server.
  public func sessionFindings(at now: Timestamp) throws -> [Finding] { [] }

  public func diagnose() -> [Finding] { diagnose(fully: false) }

  /// One reader of its own, which sees everything written before this call.
  public func makeReader() throws -> any StorageReader { try makeReaders(count: 1)[0] }
}

/// Reads blocks of persons for detection over one connection.
public protocol StorageReader: AnyObject {
  /// Sends every metric row of `persons` on `days` to `sink`: the rows of a person together, days
  /// ascending, sources in the database's order.
  ///
  /// When it throws, the sink may have been given some of the rows. Gives the rows that cannot be used
  /// and were passed over: those that `unusableRows` would not find.
  ///
  /// - Parameters:
  ///   - metrics: Columns of `wearable_daily_metrics`; throws `.unknownColumn` for another.
  ///   - reportsWear: Whether `isWorn` is asked for; otherwise it is always true.
  /// - Complexity: O(rows).
  @discardableResult
  func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink
  ) throws -> UnusableRows

  /// Calls `body` with the index into `persons` and the day of every exercise session on `days`, and
  /// gives what was passed over as `readMetrics` does.
  @discardableResult
  func readWorkoutDays(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ day: Day) -> Void
  ) throws -> UnusableRows

  /// Alert states of `persons` that were found with `profile` and are active, or were evaluated or resolved
  /// on `day` or later.
  func alertStates(
    of persons: [UUID], in profile: Profile, touchedSince day: Day
  ) throws -> [PatternAlertState]

  /// Gives `rows`, which have begun with `persons`, all that adherence needs: medications, schedules with
  /// what earlier runs saw of them, changes of zone, and doses that were due or taken within `times`.
  ///
  /// When it throws, `rows` may have been given some of them.
  ///
  /// - Complexity: O(rows).
  func readMedications(
    of persons: [UUID], doses times: ClosedRange<Timestamp>, into rows: MedicationRows
  ) throws

  /// Calls `body` with the index into `persons` and every row of `vitality_scores` on `days`, computed or
  /// not, and gives the rows that cannot be used. A row from elsewhere that cannot has no scores, and is
  /// called with all the same where it is the only one of its day; a computed one is passed over.
  ///
  /// - Complexity: O(rows).
  func readScores(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ row: VitalityScore) -> Void
  ) throws -> UnusableRows

  /// `users.birth_date` of each of `persons`; nil where it is unknown or no date.
  func birthDates(of persons: [UUID]) throws -> [Day?]

  /// The rows of `trend_coverage` of those of `persons` that have one.
  func trendCoverages(of persons: [UUID]) throws -> [UUID: TrendCoverage]

  /// What there is of the input of `persons` on `days`, without reading it row by row.
  func inputFingerprint(of persons: [UUID], days: ClosedRange<Day>) throws -> InputFingerprint

  /// For each of `persons` the members of every family in which that person has accepted.
  func familyMembers(of persons: [UUID]) throws -> [[FamilyMember]]

  /// Whom those of `persons` who have excluded somebody do not want to be told about them.
  func exclusions(of persons: [UUID]) throws -> [UUID: Set<UUID>]

  /// The profiles of those of `users` that have one.
  func profiles(of users: [UUID]) throws -> [UUID: UserProfile]
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
  ///   - updatedAt: The row's `updated_at`; nil where that is NULL, no instant, or no column at all,
  ///     as in views of other tables.
  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>, isWorn: Bool,
    updatedAt: Timestamp?)
}

/// Held while a run writes; letting go of the last reference releases it.
public protocol RunLock: AnyObject, Sendable {
  /// Says which run it is held for, where it joined another than the one it was taken for.
  func sign(_ run: UUID) throws
}

/// Which alert states to list; nil means any.
public struct AlertFilter: Sendable {
  public var id: UUIDPrefix?
  public var users: [UUID]?
  public var metric: MetricType?
  public var isActive: Bool?
  public var minimumLevel: AlertLevel?
  /// Only episodes with `active_since` on or before the upper and `last_evaluated_date` on or after
  /// the lower day.
  public var days: ClosedRange<Day>?
  public var limit: Int?

  public init(
    id: UUIDPrefix? = nil, users: [UUID]? = nil, metric: MetricType? = nil, isActive: Bool? = nil,
    minimumLevel: AlertLevel? = nil, days: ClosedRange<Day>? = nil, limit: Int? = nil
  ) {
    self.id = id
    self.users = users
    self.metric = metric
    self.isActive = isActive
    self.minimumLevel = minimumLevel
    self.days = days
    self.limit = limit
  }
}
