public import Foundation
public import VigilAlerts
public import VigilModel
public import VigilStorage

/// A database in front of another one: whatever it does not do itself, `base` does.
public protocol ForwardingStorage: Storage {
  var base: any Storage { get }

  /// Carries out a call of `base`, or fails in its place.
  func call<Result>(_ body: () throws -> Result) throws -> Result
}

extension ForwardingStorage {
  public func call<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  public var displayName: String { base.displayName }

  // MARK: Schema

  public func migrations() throws -> [MigrationStatus] { try call { try base.migrations() } }
  public func migrate(at now: Timestamp) throws -> MigrationOutcome {
    try call { try base.migrate(at: now) }
  }
  public func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome {
    try call { try base.migrateDown(count: count, at: now) }
  }
  public func rowsLost(byTakingBack count: Int) throws -> [TableRowCount] {
    try call { try base.rowsLost(byTakingBack: count) }
  }
  public func requireCurrentSchema() throws { try call { try base.requireCurrentSchema() } }
  public func diagnose(fully isFull: Bool) -> [Finding] { base.diagnose(fully: isFull) }
  public func sessionFindings(at now: Timestamp) throws -> [Finding] {
    try call { try base.sessionFindings(at: now) }
  }

  // MARK: Retention

  public func oldRows(
    _ cutoffs: [RetentionCutoff], at now: Timestamp
  ) throws -> [TableRowCount] { try call { try base.oldRows(cutoffs, at: now) } }
  public func removeOldRows(
    _ cutoffs: [RetentionCutoff], at now: Timestamp, into archive: any RowArchive
  ) throws -> [TableRowCount] {
    try call { try base.removeOldRows(cutoffs, at: now, into: archive) }
  }
  public func restoreRows<Result>(
    _ body: (_ insert: (ArchivedRows) throws -> RestoredRows) throws -> Result
  ) throws -> Result { try call { try base.restoreRows(body) } }

  // MARK: Choices about calls

  public func escalationSettings(asOf now: Timestamp) throws -> [EscalationSetting] {
    try call { try base.escalationSettings(asOf: now) }
  }

  // MARK: Limits

  public func limitedPersons() throws -> [UUID] { try call { try base.limitedPersons() } }
  public func add(_ limit: PersonLimit, of person: UUID, note: String?) throws -> Bool {
    try call { try base.add(limit, of: person, note: note) }
  }
  public func end(_ limit: PersonLimit, of person: UUID, on last: Day) throws -> Bool {
    try call { try base.end(limit, of: person, on: last) }
  }
  public func remove(_ limit: PersonLimit, of person: UUID) throws -> Bool {
    try call { try base.remove(limit, of: person) }
  }

  // MARK: Runs

  public func acquireRunLock(for run: UUID, shard: RunShard) throws -> any RunLock {
    try call { try base.acquireRunLock(for: run, shard: shard) }
  }
  public func runsAtWork() throws -> Set<UUID>? { try call { try base.runsAtWork() } }
  public func requireRights(for mode: RunRecord.Mode) throws {
    try call { try base.requireRights(for: mode) }
  }
  public func isLocked(_ shard: RunShard) throws -> Bool { try call { try base.isLocked(shard) } }
  public func withRuns<Result>(_ body: (any RunTransaction) throws -> Result) throws -> Result {
    try call { try base.withRuns(body) }
  }
  public func runs(limit: Int) throws -> [RunRecord] { try call { try base.runs(limit: limit) } }
  public func run(id: UUID) throws -> RunRecord? { try call { try base.run(id: id) } }

  // MARK: Input

  public func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID] {
    try call { try base.persons(withDataIn: days) }
  }
  public func hasMetrics(in days: ClosedRange<Day>) throws -> Bool {
    try call { try base.hasMetrics(in: days) }
  }
  public func hasMedications() throws -> Bool { try call { try base.hasMedications() } }
  public func hasCheckIns() throws -> Bool { try call { try base.hasCheckIns() } }
  public func doseSendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try call { try base.doseSendersByDay(in: days, limit: limit) }
  }

  public func sendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try call { try base.sendersByDay(in: days, limit: limit) }
  }
  public func metricColumns() throws -> MetricColumns { try call { try base.metricColumns() } }
  public func metricDays() throws -> ClosedRange<Day>? { try call { try base.metricDays() } }
  public func unusableRows(in days: ClosedRange<Day>) throws -> UnusableRows {
    try call { try base.unusableRows(in: days) }
  }
  public func countRows(in days: ClosedRange<Day>, upTo limit: Int) throws -> Int {
    try call { try base.countRows(in: days, upTo: limit) }
  }
  public func quarantine(_ rows: [QuarantinedRow], at now: Timestamp) throws {
    try call { try base.quarantine(rows, at: now) }
  }
  public func quarantinedRows(limit: Int) throws -> (rows: [QuarantinedRow], total: Int) {
    try call { try base.quarantinedRows(limit: limit) }
  }
  public func makeReaders(count: Int) throws -> [any StorageReader] {
    try call { try base.makeReaders(count: count) }
  }
  public func externalIDs(of persons: Set<UUID>) throws -> [UUID: String] {
    try call { try base.externalIDs(of: persons) }
  }
  public func persons(among ids: Set<UUID>) throws -> Set<UUID> {
    try call { try base.persons(among: ids) }
  }
  public func timeZones(of persons: Set<UUID>) throws -> [UUID: String] {
    try call { try base.timeZones(of: persons) }
  }
  public func persons(beginningWith prefix: UUIDPrefix, limit: Int) throws -> [UUID] {
    try call { try base.persons(beginningWith: prefix, limit: limit) }
  }
  public func persons(withExternalIDs externalIDs: Set<String>) throws -> [String: UUID] {
    try call { try base.persons(withExternalIDs: externalIDs) }
  }
  public func senders(
    from first: Day, recent: Day, to last: Day
  ) throws -> (persons: Int, silent: Int) {
    try call { try base.senders(from: first, recent: recent, to: last) }
  }

  // MARK: Privacy

  public func requireRightsToExportPersons() throws {
    try call { try base.requireRightsToExportPersons() }
  }
  public func requireRightsToErasePersons() throws {
    try call { try base.requireRightsToErasePersons() }
  }
  public func personalRows(of person: UUID) throws -> [PersonalRows] {
    try call { try base.personalRows(of: person) }
  }
  public func personalRowCounts(of person: UUID) throws -> [PersonalRowCount] {
    try call { try base.personalRowCounts(of: person) }
  }
  public func erase(_ person: UUID, recording record: ErasedPerson) throws -> [PersonalRowCount] {
    try call { try base.erase(person, recording: record) }
  }
  public func overwriteRemovedRows(of person: UUID) throws {
    try call { try base.overwriteRemovedRows(of: person) }
  }
  public func traces(of person: UUID) throws -> [PersonTrace] {
    try call { try base.traces(of: person) }
  }
  public func record(_ request: ErasureRequest) throws { try call { try base.record(request) } }
  public func revokeErasure(of person: UUID) throws -> Bool {
    try call { try base.revokeErasure(of: person) }
  }
  public func erasureRequests() throws -> [ErasureRequest] {
    try call { try base.erasureRequests() }
  }
  public func erasedPersons() throws -> [ErasedPerson] { try call { try base.erasedPersons() } }
  public func record(_ erased: [ErasedPerson]) throws { try call { try base.record(erased) } }
  public func personIDs() throws -> [UUID] { try call { try base.personIDs() } }

  // MARK: Single persons

  public func acquirePersonLock(for person: UUID) throws -> any PersonLock {
    try call { try base.acquirePersonLock(for: person) }
  }
  public func requireRightsForPersons() throws { try call { try base.requireRightsForPersons() } }
  public func outboxEvents(after id: Int, limit: Int) throws -> [OutboxEvent] {
    try call { try base.outboxEvents(after: id, limit: limit) }
  }

  // MARK: Batches and imports

  public func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    try call { try base.write(batch) }
  }
  public func importRows<Result>(_ body: (any ImportWriter) throws -> Result) throws -> Result {
    try call { try base.importRows(body) }
  }
}
