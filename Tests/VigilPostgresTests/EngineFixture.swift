import Foundation
import PostgresTestServer
import StorageConformance
import VigilAdherence
import VigilModel
import VigilPostgres
import VigilStorage

/// A migrated schema in which everything but migrations and imports is done by a login role that is
/// no more than a member of `vigil_engine`.
struct EngineFixture: StorageFixture {
  let schema: PostgresSchema
  let storage: any Storage

  init() throws {
    let owned = try PostgresFixture()
    schema = owned.schema
    storage = EngineStorage(owner: owned.storage, engine: try Self.connect(to: schema))
  }

  func reopened() throws -> any Storage {
    EngineStorage(
      owner: try PostgresStorage(url: schema.url, schema: schema.name),
      engine: try Self.connect(to: schema))
  }

  func execute(_ sql: String) throws {
    try schema.session().execute(sql)
  }

  func executeWithoutReferences(_ sql: String) throws {
    try schema.session().executeWithoutReferences(sql)
  }

  func strings(_ sql: String) throws -> [String?] {
    try schema.session().rows(sql).values.map { $0[0] }
  }

  private static func connect(to schema: PostgresSchema) throws -> PostgresStorage {
    try login.get()
    return try PostgresStorage(url: schema.server.url(as: "nightly"), schema: schema.name)
  }

  /// Made once on the server that tests share.
  private static let login = Result {
    try PostgresSession(url: PostgresServer.shared().url(as: "postgres"))
      .execute("CREATE ROLE nightly LOGIN IN ROLE vigil_engine")
  }
}

/// Sends each call to the one of two connections whose business it is.
private struct EngineStorage: Storage {
  let owner: any Storage
  let engine: any Storage

  var displayName: String { engine.displayName }
  var dialect: SQLDialect { engine.dialect }

  func migrations() throws -> [MigrationStatus] { try engine.migrations() }

  func migrate(at now: Timestamp) throws -> MigrationOutcome { try owner.migrate(at: now) }

  func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome {
    try owner.migrateDown(count: count, at: now)
  }

  func requireCurrentSchema() throws { try engine.requireCurrentSchema() }

  func diagnose(fully isFull: Bool) -> [Finding] { engine.diagnose(fully: isFull) }

  func acquireRunLock(for run: UUID, shard: RunShard) throws -> any RunLock {
    try engine.acquireRunLock(for: run, shard: shard)
  }
  func runsAtWork() throws -> Set<UUID>? { try engine.runsAtWork() }
  func requireRights(for mode: RunRecord.Mode) throws { try engine.requireRights(for: mode) }
  func isLocked(_ shard: RunShard) throws -> Bool { try engine.isLocked(shard) }
  func withRuns<Result>(_ body: (any RunTransaction) throws -> Result) throws -> Result {
    try engine.withRuns(body)
  }
  func hasMetrics(in days: ClosedRange<Day>) throws -> Bool { try engine.hasMetrics(in: days) }

  func runs(limit: Int) throws -> [RunRecord] { try engine.runs(limit: limit) }

  func run(id: UUID) throws -> RunRecord? { try engine.run(id: id) }

  func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID] {
    try engine.persons(withDataIn: days)
  }

  func hasMedications() throws -> Bool { try engine.hasMedications() }
  func metricColumns() throws -> MetricColumns { try engine.metricColumns() }
  func doseAnalytics(
    of users: [UUID]?, period: AdherencePeriod.Kind, endingOn day: Day?
  ) throws -> [StoredDoseAnalytics] {
    try engine.doseAnalytics(of: users, period: period, endingOn: day)
  }
  func metricDays() throws -> ClosedRange<Day>? { try engine.metricDays() }

  func unusableRows(in days: ClosedRange<Day>) throws -> UnusableRows {
    try engine.unusableRows(in: days)
  }

  func countRows(in days: ClosedRange<Day>, upTo limit: Int) throws -> Int {
    try engine.countRows(in: days, upTo: limit)
  }

  func quarantine(_ rows: [QuarantinedRow], at now: Timestamp) throws {
    try engine.quarantine(rows, at: now)
  }

  func makeReaders(count: Int) throws -> [any StorageReader] {
    try engine.makeReaders(count: count)
  }

  func write(_ batch: BatchWrite) throws -> BatchWriteResult { try engine.write(batch) }

  func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState] {
    try engine.alertStates(matching: filter)
  }

  func familyAlerts(of family: UUID, for viewer: UUID, on day: Day) throws -> [PatternAlertState] {
    try engine.familyAlerts(of: family, for: viewer, on: day)
  }

  func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight] {
    try engine.familyInsights(of: family, for: viewer, on: day, today: today)
  }

  func rows<Row>(
    _ query: BoundStatement, _ decode: (any RowReader) throws -> Row
  ) throws -> [Row] {
    try engine.rows(query, decode)
  }

  func externalIDs(of persons: Set<UUID>) throws -> [UUID: String] {
    try engine.externalIDs(of: persons)
  }

  func persons(among ids: Set<UUID>) throws -> Set<UUID> { try engine.persons(among: ids) }

  func persons(withExternalIDs externalIDs: Set<String>) throws -> [String: UUID] {
    try engine.persons(withExternalIDs: externalIDs)
  }

  func importRows<Result>(_ body: (any ImportWriter) throws -> Result) throws -> Result {
    try owner.importRows(body)
  }
}
