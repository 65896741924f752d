import Foundation
import VigilAdherence
import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  // MARK: Writing

  func writeAdherence(of batch: BatchWrite, on connection: Connection) throws {
    guard let adherence = batch.adherence else { return }
    let versionKey = ScheduleVersionRow.key.joined(separator: ", ")
    try insert(
      adherence.versions, into: ScheduleVersionRow.table, columns: ScheduleVersionRow.columns,
      onConflict: "(\(versionKey)) \(ScheduleVersionRow.conflict)", on: connection
    ) { ScheduleVersionRow.put($0, of: batch, into: $1) }
    let staging = try writeAnalytics(adherence, of: batch, on: connection)
    for evaluation in adherence.evaluations {
      try takeBackOthers(than: staging, evaluation, on: connection)
    }
  }

  /// Gives the table in which the rows are staged; nil where there are none.
  private func writeAnalytics(
    _ adherence: AdherenceWrite, of batch: BatchWrite, on connection: Connection
  ) throws -> StagingTable? {
    guard !adherence.analytics.isEmpty else { return nil }
    let known = adherence.analytics.filter { !adherence.isNew($0) }
    let new = adherence.analytics.filter(adherence.isNew)
    let columns = DoseAnalyticsRow.columns
    let staging = try stage(
      known + new, of: DoseAnalyticsRow.table, columns: columns,
      stagedTypes: columns.map { DoseAnalyticsRow.counts.contains($0) ? "integer" : nil },
      on: connection
    ) {
      DoseAnalyticsRow.put(
        $0, id: $0.id, of: batch, evaluatedAt: adherence.evaluatedAt, into: $1)
    }
    let conflict = "(id) \(DoseAnalyticsRow.conflict(.postgres))"
    if !known.isEmpty {
      try insert(
        staging, rows: 1...known.count, unlessEqualIn: DoseAnalyticsRow.comparedColumns,
        onConflict: conflict, on: connection)
    }
    if !new.isEmpty {
      // Looking for a row to replace takes the server as long as adding one.
      let places = (known.count + 1)...(known.count + new.count)
      do {
        try connection.savepoint { try insert(staging, rows: places, on: connection) }
      } catch let error as PostgresError where error.isUniqueViolation {
        // Somebody has deleted some rows of a day and left others; the server's log has the attempt.
        try insert(staging, rows: places, onConflict: conflict, on: connection)
      }
    }
    return staging
  }

  private func takeBackOthers(
    than staging: StagingTable?, _ evaluation: AdherenceWrite.Evaluation, on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(evaluation.persons)
      $0.put(evaluation.kinds.map(\.rawValue))
      $0.put(evaluation.ends.lowerBound)
      $0.put(evaluation.ends.upperBound)
    }
    // NOT IN, which is one table of hashes whatever the planner knows.
    let isOther = staging.map { "WHERE own.id NOT IN (SELECT id FROM pg_temp.\($0.name))" }
    // One range of the index for each person, and then mostly nothing: OFFSET keeps the planner from
    // making one join of it.
    try connection.run(
      """
      DELETE FROM {{schema}}.\(DoseAnalyticsRow.table) WHERE id = ANY (ARRAY(
        SELECT own.id FROM unnest($1) AS person (id) CROSS JOIN LATERAL (
          SELECT id FROM {{schema}}.\(DoseAnalyticsRow.table)
          WHERE user_id = person.id AND period_kind = ANY ($2) AND period_end BETWEEN $3 AND $4
          OFFSET 0
        ) AS own \(isOther ?? "")
      ))
      """, parameters)
  }

  func insert<Row>(
    _ rows: [Row], into table: String, columns: [String], onConflict conflict: String,
    on connection: Connection, _ put: (Row, WireBuffer) -> Void
  ) throws {
    guard !rows.isEmpty else { return }
    let staging = try stage(rows, of: table, columns: columns, on: connection, put)
    try insert(staging, onConflict: conflict, on: connection)
  }

  /// Moves staged rows into their table, in no particular order.
  ///
  /// - Parameters:
  ///   - rows: Which of the staged ones, counted from 1; nil for all.
  ///   - compared: A row that is there already, by its `id`, with the same values in these columns is left
  ///     alone, and is not even locked; none for no look at it.
  ///   - conflict: What becomes of a row that is there already; nil where that is an error.
  func insert(
    _ staging: StagingTable, rows: ClosedRange<Int>? = nil,
    unlessEqualIn compared: [String] = [], onConflict conflict: String? = nil,
    on connection: Connection
  ) throws {
    var conditions =
      rows.map {
        ["\(StagingTable.ordinal) BETWEEN \($0.lowerBound) AND \($0.upperBound)"]
      } ?? []
    if !compared.isEmpty {
      func row(of table: String) -> String {
        "(\(compared.map { "\(table).\($0)" }.joined(separator: ", ")))"
      }
      conditions.append(
        """
        (
          SELECT \(row(of: "stored")) IS NOT DISTINCT FROM \(row(of: "staged"))
          FROM {{schema}}.\(staging.target) AS stored WHERE stored.id = staged.id LIMIT 1
        ) IS NOT TRUE
        """)
    }
    try connection.run(
      """
      INSERT INTO {{schema}}.\(staging.target) (\(staging.quotedColumns.joined(separator: ", ")))
      SELECT \(staging.castColumns.joined(separator: ", ")) FROM pg_temp.\(staging.name) AS staged
      \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
      \(conflict.map { "ON CONFLICT \($0)" } ?? "")
      """)
  }
}
