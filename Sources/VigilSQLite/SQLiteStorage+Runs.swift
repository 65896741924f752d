public import Foundation
import GRDB
import VigilModel
public import VigilStorage

extension SQLiteStorage {
  public func withRuns<Result>(_ body: (any RunTransaction) throws -> Result) throws -> Result {
    try write(table: RunRow.table) { try body(SQLiteRunTransaction(db: $0, file: file)) }
  }

  public func runs(limit: Int) throws -> [RunRecord] {
    try read { db in
      try SQLiteRunTransaction(db: db, file: file)
        .runs("ORDER BY started_at DESC, id LIMIT ?1") { $0.put(max(0, limit)) }
    }
  }

  public func run(id: UUID) throws -> RunRecord? {
    try read { try SQLiteRunTransaction(db: $0, file: file).run(id) }
  }

  public var dialect: SQLDialect { .sqlite }

  public func rows<Row>(
    _ query: BoundStatement, _ decode: (any RowReader) throws -> Row
  ) throws -> [Row] {
    try read { try SQLiteRunTransaction(db: $0, file: file).rows(query, decode) }
  }
}

/// The tables about runs; a transaction that writes is the only one that does.
struct SQLiteRunTransaction: RunTransaction {
  let db: Database
  let file: DatabaseFile

  // MARK: Runs

  func run(_ id: UUID) throws -> RunRecord? {
    try runs("WHERE id = ?1") { $0.put(id) }.first
  }

  func runningRuns() throws -> [RunRecord] {
    try runs("WHERE status = 'running' ORDER BY started_at DESC, id") { _ in }
  }

  func runs(like run: RunRecord) throws -> [RunRecord] {
    try runs(
      """
      WHERE kind = ?1 AND mode = ?2 AND from_date = ?3 AND to_date = ?4
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
    try runs("WHERE started_at > ?1 ORDER BY started_at DESC, id") { $0.put(instant) }
  }

  fileprivate func runs(_ clause: String, _ fill: (RawStatement) -> Void) throws -> [RunRecord] {
    try rows(of: RunRow.table, RunRow.columns, clause, fill) { try RunRow.decode($0) }
  }

  func put(_ run: RunRecord) throws {
    let upsert = try upsert(RunRow.table, RunRow.columns, key: ["id"])
    try RunRow.put(run, into: upsert)
    try upsert.run()
  }

  // MARK: Shards and checkpoints

  func shards(of run: UUID) throws -> [ShardRecord] {
    try rows(
      of: ShardRow.table, ShardRow.columns, "WHERE run_id = ?1 ORDER BY shard", { $0.put(run) }
    ) { try ShardRow.decode($0) }
  }

  func mayChange(_ run: UUID) throws -> Bool { true }

  func put(_ shard: ShardRecord) throws {
    let upsert = try upsert(ShardRow.table, ShardRow.columns, key: ShardRow.key)
    try ShardRow.put(shard, into: upsert)
    try upsert.run()
  }

  func checkpoints(of run: UUID) throws -> [BatchCheckpoint] {
    try rows(
      of: CheckpointRow.table, CheckpointRow.columns,
      "WHERE run_id = ?1 ORDER BY shard, first_person", { $0.put(run) }
    ) { try CheckpointRow.decode($0) }
  }

  func remove(_ checkpoints: [BatchCheckpoint], of run: UUID) throws {
    let delete = try RawStatement(
      """
      DELETE FROM {{schema}}.\(CheckpointRow.table)
      WHERE run_id = ?1 AND shard = ?2 AND first_person = ?3
      """, on: db)
    for checkpoint in checkpoints {
      delete.put(run)
      delete.put(checkpoint.shard)
      delete.put(checkpoint.firstPerson)
      try delete.run()
    }
  }

  func removeFinishedCheckpoints() throws {
    try RawStatement(
      """
      DELETE FROM {{schema}}.\(CheckpointRow.table)
      WHERE run_id IN (SELECT id FROM {{schema}}.\(RunRow.table) WHERE status = 'succeeded')
      """, on: db
    ).run()
  }

  func holdingRuns() throws -> [RunRecord] {
    try runs("WHERE notifications_held > 0 ORDER BY started_at DESC, id") { _ in }
  }

  // MARK: Statements

  var dialect: SQLDialect { .sqlite }

  func execute(_ statement: BoundStatement) throws -> Int {
    try file.mappingErrors(table: statement.table) { try prepared(statement).run() }
  }

  func rows<Row>(
    _ query: BoundStatement, _ decode: (any RowReader) throws -> Row
  ) throws -> [Row] {
    var rows: [Row] = []
    try prepared(query).forEachRow {
      try rows.append(
        decode(RowDecoder($0, of: query.table, columns: query.columns, in: file)))
    }
    return rows
  }

  private func prepared(_ statement: BoundStatement) throws -> RawStatement {
    let prepared = try RawStatement(statement.sql, on: db)
    for (index, value) in statement.values.prefix(prepared.parameterCount).enumerated() {
      prepared.bind(value, at: index + 1)
    }
    return prepared
  }

  private func rows<Row>(
    of table: String, _ columns: [String], _ clause: String, _ fill: (RawStatement) -> Void,
    _ decode: (RowDecoder) throws -> Row
  ) throws -> [Row] {
    let query = try RawStatement(
      "SELECT \(columns.joined(separator: ", ")) FROM {{schema}}.\(table) \(clause)", on: db)
    fill(query)
    var rows: [Row] = []
    try query.forEachRow {
      try rows.append(decode(RowDecoder($0, of: table, columns: columns, in: file)))
    }
    return rows
  }

  private func upsert(
    _ table: String, _ columns: [String], key: [String]
  ) throws -> RawStatement {
    let updates = columns.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
    return try RawStatement(
      """
      INSERT INTO {{schema}}.\(table) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET
        \(updates.joined(separator: ", "))
      """, on: db)
  }
}
