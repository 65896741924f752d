import Foundation
import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  // MARK: Scores

  func writeVitality(of batch: BatchWrite, on connection: Connection) throws {
    guard let vitality = batch.vitality else { return }
    try write(vitality.scores, on: connection)
    try delete(vitality.outdatedScores, on: connection)
    try insert(
      vitality.coverages, into: TrendCoverageRow.table, columns: TrendCoverageRow.columns,
      onConflict: "(user_id) \(TrendCoverageRow.conflict(.postgres))", on: connection
    ) { TrendCoverageRow.put($0, of: batch, into: $1) }
  }

  /// What the stored row of the same person and day has in common with a staged one.
  ///
  /// `$1` are the persons, `$2` and `$3` the first and the last day: without them the planner, who knows
  /// nothing of the staged rows, would rather go through the whole table once than look each of them up.
  private static let isSameRow = """
    stored.user_id = ANY ($1) AND stored.score_date BETWEEN $2 AND $3
    AND stored.user_id = staged.user_id AND stored.score_date = staged.score_date
    """

  private static func reach(of keys: [VitalityWrite.PersonDay]) -> Parameters {
    Parameters {
      $0.put(Set(keys.map(\.user)))
      $0.put(keys.map(\.day).min())
      $0.put(keys.map(\.day).max())
    }
  }

  /// Where the source is an enumeration, it need not have the word.
  private static let isComputed = "stored.source::text = '\(VitalityScore.computedSource)'"

  /// In two steps, because a table of an app need not have a unique index that a conflict could name.
  private func write(_ scores: [VitalityScore], on connection: Connection) throws {
    guard !scores.isEmpty else { return }
    let table = VitalityScoreRow.table
    let longest = scores.map(\.schemaVersion).max { $0.count < $1.count } ?? ""
    try ScoreColumns(connection: connection, database: displayName)
      .requireFit(for: ["schema_version": longest, "source": VitalityScore.computedSource])
    let staging = try stage(
      scores, of: table, columns: VitalityScoreRow.columns,
      stagedTypes: InputTable.vitalityScores.columns.map(\.kind.stagedType), on: connection
    ) { VitalityScoreRow.put($0, into: $1) }
    let staged = """
      (
        SELECT \(StagingTable.ordinal), \(
          zip(staging.castColumns, staging.quotedColumns).map { "\($0) AS \($1)" }
            .joined(separator: ", "))
        FROM pg_temp.\(staging.name)
      ) AS staged
      """
    let figures = VitalityScoreRow.figures
    let reach = Self.reach(of: scores.map { .init(user: $0.user, day: $0.day) })
    try connection.run(
      """
      UPDATE {{schema}}.\(table) AS stored
      SET \(figures.map { "\($0) = staged.\($0)" }.joined(separator: ", "))
      FROM \(staged)
      WHERE \(Self.isSameRow) AND \(Self.isComputed)
        AND (\(figures.map { "stored.\($0) IS DISTINCT FROM staged.\($0)" }
          .joined(separator: " OR ")))
      """, reach)
    let columns = staging.quotedColumns.joined(separator: ", ")
    try connection.run(
      """
      INSERT INTO {{schema}}.\(table) (\(columns))
      SELECT \(columns) FROM \(staged)
      WHERE NOT EXISTS (SELECT FROM {{schema}}.\(table) AS stored WHERE \(Self.isSameRow))
      ORDER BY \(StagingTable.ordinal)
      ON CONFLICT DO NOTHING
      """, reach)
  }

  private func delete(_ scores: [VitalityWrite.PersonDay], on connection: Connection) throws {
    guard !scores.isEmpty else { return }
    let staging = try stage(
      scores, of: VitalityScoreRow.table, columns: VitalityScoreRow.key, on: connection
    ) { score, row in
      row.put(score.user)
      row.put(score.day)
    }
    try connection.run(
      """
      DELETE FROM {{schema}}.\(VitalityScoreRow.table) AS stored
      USING pg_temp.\(staging.name) AS staged
      WHERE \(Self.isSameRow) AND \(Self.isComputed)
      """, Self.reach(of: scores))
  }

  // MARK: Insights

  func writeInsights(of batch: BatchWrite, on connection: Connection) throws {
    guard let write = batch.insights else { return }
    var staging: StagingTable?
    if !write.insights.isEmpty {
      let staged = try stage(
        write.insights, of: TrendInsightRow.table, columns: TrendInsightRow.columns, on: connection
      ) { TrendInsightRow.put($0, of: batch, into: $1) }
      try insert(staged, onConflict: "(id) \(TrendInsightRow.conflict(.postgres))", on: connection)
      staging = staged
    }
    for evaluation in write.evaluations {
      try retractOthers(than: staging, evaluation, in: batch, on: connection)
    }
    if !write.retractedStates.isEmpty {
      try retractConcurrences(of: write, in: batch, on: connection)
    }
    if !write.comparedStates.isEmpty {
      try retractOtherConcurrences(than: staging, of: write, in: batch, on: connection)
    }
  }

  private func retractOthers(
    than staging: StagingTable?, _ evaluation: InsightWrite.Evaluation, in batch: BatchWrite,
    on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(evaluation.persons)
      $0.put(evaluation.days.lowerBound)
      $0.put(evaluation.days.upperBound)
      $0.put(batch.runID)
      $0.put(batch.writtenAt)
      $0.put(evaluation.rules.map(\.rawValue))
    }
    try connection.run(
      """
      UPDATE {{schema}}.\(TrendInsightRow.table) AS stored
      SET suppressed_reason = 'retracted', run_id = $4, updated_at = $5
      WHERE user_id = ANY ($1) AND insight_date BETWEEN $2 AND $3
        AND coalesce(suppressed_reason, '') <> 'retracted' AND rule = ANY ($6)
        \(Self.isOther(than: staging))
      """, parameters)
  }

  /// Both states of a row are those of its person, so that one list of all persons' will do.
  private func retractOtherConcurrences(
    than staging: StagingTable?, of write: InsightWrite, in batch: BatchWrite,
    on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(write.comparedStates.keys.sorted())
      $0.put(batch.runID)
      $0.put(batch.writtenAt)
      $0.put(write.comparedStates.values.flatMap(\.self).sorted())
    }
    try connection.run(
      """
      UPDATE {{schema}}.\(TrendInsightRow.table) AS stored
      SET suppressed_reason = 'retracted', run_id = $2, updated_at = $3
      WHERE user_id = ANY ($1) AND suppressed_reason IS NULL AND rule = 'concurrent_episodes'
        AND alert_state_id = ANY ($4) AND related_alert_state_id = ANY ($4)
        \(Self.isOther(than: staging))
      """, parameters)
  }

  /// Keeps rows of the alias `stored` that were not staged.
  ///
  /// NOT IN, which is one table of hashes whatever the planner knows; NOT EXISTS compared each with each in
  /// a table that nobody had analyzed.
  private static func isOther(than staging: StagingTable?) -> String {
    staging.map { "AND stored.id NOT IN (SELECT id FROM pg_temp.\($0.name))" } ?? ""
  }

  private func retractConcurrences(
    of write: InsightWrite, in batch: BatchWrite, on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(write.persons)
      $0.put(batch.runID)
      $0.put(batch.writtenAt)
      $0.put(write.retractedStates)
    }
    try connection.run(
      """
      UPDATE {{schema}}.\(TrendInsightRow.table)
      SET suppressed_reason = 'retracted', run_id = $2, updated_at = $3
      WHERE user_id = ANY ($1) AND suppressed_reason IS NULL AND rule = 'concurrent_episodes'
        AND (alert_state_id = ANY ($4) OR related_alert_state_id = ANY ($4))
      """, parameters)
  }
}
