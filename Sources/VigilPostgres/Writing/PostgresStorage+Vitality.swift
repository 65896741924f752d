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
    guard !vitality.coverages.isEmpty else { return }
    let staging = try stage(
      vitality.coverages, of: TrendCoverageRow.table, columns: TrendCoverageRow.columns,
      on: connection
    ) { TrendCoverageRow.put($0, of: batch, into: $1) }
    try connection.run(WriteStatement.putTrendCoverages, Parameters(), staging.fillings)
  }

  /// The persons of some rows, and the first and the last of their days.
  private static func reach(of keys: [VitalityWrite.PersonDay]) -> Parameters {
    Parameters {
      $0.put(Set(keys.map(\.user)))
      $0.put(keys.map(\.day).min())
      $0.put(keys.map(\.day).max())
    }
  }

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
    let reach = Self.reach(of: scores.map { .init(user: $0.user, day: $0.day) })
    try connection.run(StagingStatement.updateScores, reach, staging.fillings)
    try connection.run(StagingStatement.insertScores, reach, staging.fillings)
  }

  private func delete(_ scores: [VitalityWrite.PersonDay], on connection: Connection) throws {
    guard !scores.isEmpty else { return }
    let staging = try stage(
      scores, of: VitalityScoreRow.table, columns: VitalityScoreRow.key, on: connection
    ) { score, row in
      row.put(score.user)
      row.put(score.day)
    }
    try connection.run(WriteStatement.removeScores, Self.reach(of: scores), staging.fillings)
  }

  // MARK: Insights

  func writeInsights(of batch: BatchWrite, on connection: Connection) throws {
    guard let write = batch.insights else { return }
    let staging = try stage(
      write.insights, of: TrendInsightRow.table, columns: TrendInsightRow.columns, on: connection
    ) { TrendInsightRow.put($0, of: batch, into: $1) }
    if !write.insights.isEmpty {
      try connection.run(WriteStatement.putInsights, Parameters(), staging.fillings)
    }
    for evaluation in write.evaluations {
      try retractOthers(than: staging, evaluation, in: batch, on: connection)
    }
    if !write.retractedStates.isEmpty {
      try retractCoOccurrences(of: write, in: batch, on: connection)
    }
    if !write.comparedStates.isEmpty {
      try retractOtherCoOccurrences(than: staging, of: write, in: batch, on: connection)
    }
  }

  private func retractOthers(
    than staging: StagingTable, _ evaluation: InsightWrite.Evaluation, in batch: BatchWrite,
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
    try connection.run(WriteStatement.retractOtherInsights, parameters, staging.fillings)
  }

  private func retractOtherCoOccurrences(
    than staging: StagingTable, of write: InsightWrite, in batch: BatchWrite,
    on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(write.comparedStates.keys.sorted())
      $0.put(batch.runID)
      $0.put(batch.writtenAt)
      $0.put(write.comparedStates.values.flatMap(\.self).sorted())
    }
    try connection.run(WriteStatement.retractOtherCooccurrences, parameters, staging.fillings)
  }

  private func retractCoOccurrences(
    of write: InsightWrite, in batch: BatchWrite, on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(write.persons)
      $0.put(batch.runID)
      $0.put(batch.writtenAt)
      $0.put(write.retractedStates)
    }
    try connection.run(WriteStatement.retractCooccurrences, parameters)
  }
}
