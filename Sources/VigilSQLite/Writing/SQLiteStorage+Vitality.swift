import Foundation
import GRDB
import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  // MARK: Scores

  func writeVitality(of batch: BatchWrite, to db: Database) throws {
    guard let vitality = batch.vitality else { return }
    let (key, figures) = (VitalityScoreRow.key, VitalityScoreRow.figures)
    let updates = figures.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let differences = figures.map { "\(VitalityScoreRow.table).\($0) IS NOT excluded.\($0)" }
    try insert(
      vitality.scores, into: VitalityScoreRow.table, columns: VitalityScoreRow.columns,
      onConflict: """
        (\(key.joined(separator: ", "))) DO UPDATE SET \(updates)
        WHERE \(VitalityScoreRow.table).source = '\(VitalityScore.computedSource)'
          AND (\(differences.joined(separator: " OR ")))
        """, db
    ) { VitalityScoreRow.put($0, into: $1) }
    try file.mappingErrors(table: VitalityScoreRow.table) {
      try delete(vitality.outdatedScores, db)
    }
    try insert(
      vitality.coverages, into: TrendCoverageRow.table, columns: TrendCoverageRow.columns,
      onConflict: "(user_id) \(TrendCoverageRow.conflict(.sqlite))", db
    ) { TrendCoverageRow.put($0, of: batch, into: $1) }
  }

  private func delete(_ scores: [VitalityWrite.PersonDay], _ db: Database) throws {
    guard !scores.isEmpty else { return }
    let statement = try RawStatement(
      """
      DELETE FROM {{schema}}.\(VitalityScoreRow.table)
      WHERE user_id = ?1 AND score_date = ?2 AND source = '\(VitalityScore.computedSource)'
      """, on: db)
    for score in scores {
      statement.put(score.user)
      statement.put(score.day)
      try statement.run()
    }
  }

  // MARK: Insights

  func writeInsights(of batch: BatchWrite, to db: Database) throws {
    guard let write = batch.insights else { return }
    try insert(
      write.insights, into: TrendInsightRow.table, columns: TrendInsightRow.columns,
      onConflict: "(id) \(TrendInsightRow.conflict(.sqlite))", db
    ) { TrendInsightRow.put($0, of: batch, into: $1) }
    try file.mappingErrors(table: TrendInsightRow.table) {
      let found = Dictionary(grouping: write.insights, by: \.user)
      for evaluation in write.evaluations {
        try retractOthers(than: found, evaluation, in: batch, db)
      }
      if !write.retractedStates.isEmpty { try retractConcurrences(of: write, in: batch, db) }
      if !write.comparedStates.isEmpty {
        try retractOtherConcurrences(than: found, of: write, in: batch, db)
      }
    }
  }

  private func retractOthers(
    than found: [UUID: [TrendInsight]], _ evaluation: InsightWrite.Evaluation,
    in batch: BatchWrite, _ db: Database
  ) throws {
    let rules = evaluation.rules.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let statement = try RawStatement(
      """
      UPDATE {{schema}}.\(TrendInsightRow.table)
      SET suppressed_reason = 'retracted', run_id = ?4, updated_at = ?5
      WHERE user_id = ?1 AND insight_date BETWEEN ?2 AND ?3
        AND coalesce(suppressed_reason, '') <> 'retracted' AND rule IN (\(rules))
        AND id NOT IN (SELECT value FROM json_each(?6))
      """, on: db)
    for person in evaluation.persons {
      statement.put(person)
      statement.put(evaluation.days.lowerBound)
      statement.put(evaluation.days.upperBound)
      statement.put(batch.runID)
      statement.put(batch.writtenAt)
      statement.put(((found[person] ?? []).map(\.id)).jsonList)
      try statement.run()
    }
  }

  private func retractOtherConcurrences(
    than found: [UUID: [TrendInsight]], of write: InsightWrite, in batch: BatchWrite, _ db: Database
  ) throws {
    let statement = try RawStatement(
      """
      UPDATE {{schema}}.\(TrendInsightRow.table)
      SET suppressed_reason = 'retracted', run_id = ?2, updated_at = ?3
      WHERE user_id = ?1 AND suppressed_reason IS NULL AND rule = 'concurrent_episodes'
        AND alert_state_id IN (SELECT value FROM json_each(?4))
        AND related_alert_state_id IN (SELECT value FROM json_each(?4))
        AND id NOT IN (SELECT value FROM json_each(?5))
      """, on: db)
    for (person, states) in write.comparedStates.sorted(by: { $0.key < $1.key }) {
      statement.put(person)
      statement.put(batch.runID)
      statement.put(batch.writtenAt)
      statement.put(states.jsonList)
      statement.put(((found[person] ?? []).map(\.id)).jsonList)
      try statement.run()
    }
  }

  private func retractConcurrences(
    of write: InsightWrite, in batch: BatchWrite, _ db: Database
  ) throws {
    let statement = try RawStatement(
      """
      UPDATE {{schema}}.\(TrendInsightRow.table)
      SET suppressed_reason = 'retracted', run_id = ?2, updated_at = ?3
      WHERE user_id = ?1 AND suppressed_reason IS NULL AND rule = 'concurrent_episodes' AND (
        alert_state_id IN (SELECT value FROM json_each(?4))
        OR related_alert_state_id IN (SELECT value FROM json_each(?4))
      )
      """, on: db)
    for person in write.persons {
      statement.put(person)
      statement.put(batch.runID)
      statement.put(batch.writtenAt)
      statement.put(write.retractedStates.jsonList)
      try statement.run()
    }
  }
}
