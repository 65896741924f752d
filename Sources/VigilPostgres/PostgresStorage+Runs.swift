public import Foundation
import VigilModel
public import VigilStorage

extension PostgresStorage {
  public func withRuns<Result>(_ body: (any RunTransaction) throws -> Result) throws -> Result {
    try transaction(table: RunRow.table) { connection in
      // One at a time: shards that begin or end together derive the run's row from the same rows.
      try connection.run(
        "SELECT pg_advisory_xact_lock(hashtext('vigil runs'), hashtext({{schema_name}}))")
      return try body(PostgresRunTransaction(connection: connection, database: displayName))
    }
  }

  public func runs(limit: Int) throws -> [RunRecord] {
    try withConnection {
      try PostgresRunTransaction(connection: $0, database: displayName)
        .runs("ORDER BY started_at DESC, id LIMIT $1") { $0.put(max(0, limit)) }
    }
  }

  public func run(id: UUID) throws -> RunRecord? {
    try withConnection {
      try PostgresRunTransaction(connection: $0, database: displayName).run(id)
    }
  }

  public var dialect: SQLDialect { .postgres }

  public func rows<Row>(
    _ query: BoundStatement, _ decode: (any RowReader) throws -> Row
  ) throws -> [Row] {
    try withConnection {
      try PostgresRunTransaction(connection: $0, database: displayName).rows(query, decode)
    }
  }
}

/// The tables about runs, on a connection with an open transaction.
struct PostgresRunTransaction: RunTransaction {
  let connection: Connection
  let database: String

  // MARK: Runs

  func run(_ id: UUID) throws -> RunRecord? {
    try runs("WHERE id = $1") { $0.put(id) }.first
  }

  func runningRuns() throws -> [RunRecord] {
    try runs("WHERE status = 'running' ORDER BY started_at DESC, id") { _ in }
  }

  func runs(like run: RunRecord) throws -> [RunRecord] {
    try runs(
      """
      WHERE kind = $1 AND mode = $2 AND from_date = $3 AND to_date = $4
      ORDER BY started_at DESC, id LIMIT 100
      """
    ) {
      $0.put(run.kind.rawValue)
      $0.put(run.mode.rawValue)
      $0.put(run.days.lowerBound)
      $0.put(run.days.upperBound)
    }
  }

  func runs(startedAfter instant: Timestamp) throws -> [RunRecord] {
    try runs("WHERE started_at > $1 ORDER BY started_at DESC, id") { $0.put(instant) }
  }

  fileprivate func runs(_ clause: String, _ fill: (Parameters) -> Void) throws -> [RunRecord] {
    try rows(of: RunRow.table, RunRow.columns, clause, fill) { try RunRow.decode($0) }
  }

  /// A row can be locked by those who may change it.
  func mayChange(_ run: UUID) throws -> Bool {
    try connection.run(
      "SELECT 1 FROM {{schema}}.\(RunRow.table) WHERE id = $1 FOR KEY SHARE",
      Parameters { $0.put(run) }
    ).rowCount > 0
  }

  func put(_ run: RunRecord) throws {
    try upsert(RunRow.table, RunRow.columns, key: ["id"]) { try RunRow.put(run, into: $0) }
  }

  // MARK: Shards and checkpoints

  func shards(of run: UUID) throws -> [ShardRecord] {
    try rows(
      of: ShardRow.table, ShardRow.columns, "WHERE run_id = $1 ORDER BY shard", { $0.put(run) }
    ) { try ShardRow.decode($0) }
  }

  func put(_ shard: ShardRecord) throws {
    try upsert(ShardRow.table, ShardRow.columns, key: ShardRow.key) {
      try ShardRow.put(shard, into: $0)
    }
  }

  func checkpoints(of run: UUID) throws -> [BatchCheckpoint] {
    try rows(
      of: CheckpointRow.table, CheckpointRow.columns,
      "WHERE run_id = $1 ORDER BY shard, first_person", { $0.put(run) }
    ) { try CheckpointRow.decode($0) }
  }

  func remove(_ checkpoints: [BatchCheckpoint], of run: UUID) throws {
    for checkpoint in checkpoints {
      try connection.run(
        """
        DELETE FROM {{schema}}.\(CheckpointRow.table)
        WHERE run_id = $1 AND shard = $2 AND first_person = $3
        """,
        Parameters {
          $0.put(run)
          $0.put(checkpoint.shard)
          $0.put(checkpoint.firstPerson)
        })
    }
  }

  func removeFinishedCheckpoints() throws {
    try connection.run(
      """
      DELETE FROM {{schema}}.\(CheckpointRow.table)
      WHERE run_id IN (SELECT id FROM {{schema}}.\(RunRow.table) WHERE status = 'succeeded')
      """)
  }

  func holdingRuns() throws -> [RunRecord] {
    try runs("WHERE notifications_held > 0 ORDER BY started_at DESC, id") { _ in }
  }

  // MARK: Statements

  var dialect: SQLDialect { .postgres }

  func execute(_ statement: BoundStatement) throws -> Int {
    do {
      return try connection.run(statement.sql, bound(statement)).affectedRows
    } catch let error as PostgresError where !error.isTransient {
      throw StorageError(error, database: database, table: statement.table)
    }
  }

  func rows<Row>(
    _ query: BoundStatement, _ decode: (any RowReader) throws -> Row
  ) throws -> [Row] {
    try connection.rows(
      query.sql, bound(query),
      place: .init(database: database, table: query.table, columns: query.columns)
    ) { try decode($0) }
  }

  private func bound(_ statement: BoundStatement) -> Parameters {
    Parameters { for value in statement.values { $0.put(value) } }
  }

  private func rows<Row>(
    of table: String, _ columns: [String], _ clause: String, _ fill: (Parameters) -> Void,
    _ decode: (ResultRow) throws -> Row
  ) throws -> [Row] {
    try connection.rows(
      "SELECT \(columns.joined(separator: ", ")) FROM {{schema}}.\(table) \(clause)",
      Parameters(fill),
      place: .init(database: database, table: table, columns: columns)
    ) { try decode($0) }
  }

  private func upsert(
    _ table: String, _ columns: [String], key: [String], _ fill: (Parameters) throws -> Void
  ) throws {
    let parameters = Parameters()
    try fill(parameters)
    let updates = columns.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
    try connection.run(
      """
      INSERT INTO {{schema}}.\(table) (\(columns.joined(separator: ", ")))
      VALUES (\((1...columns.count).map { "$\($0)" }.joined(separator: ", ")))
      ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(updates.joined(separator: ", "))
      """, parameters)
  }
}
