import Foundation
import GRDB
import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  // MARK: Scores

  func writeVitality(of batch: BatchWrite, to db: Database) throws {
    guard let vitality = batch.vitality else { return }
    try insert(
      vitality.scores, WritingStatement.putScores, into: VitalityScoreRow.table,
      columns: VitalityScoreRow.columns, db
    ) { VitalityScoreRow.put($0, into: $1) }
    try file.mappingErrors(table: VitalityScoreRow.table) {
      try delete(vitality.outdatedScores, db)
    }
    try insert(
      vitality.coverages, WriteStatement.putTrendCoverages, into: TrendCoverageRow.table,
      columns: TrendCoverageRow.columns, db
    ) { TrendCoverageRow.put($0, of: batch, into: $1) }
  }

  private func delete(_ scores: [VitalityWrite.PersonDay], _ db: Database) throws {
    guard !scores.isEmpty else { return }
    let statement = try RawStatement(WriteStatement.removeScores, on: db)
    for score in scores {
      statement.put(score.user)
      statement.put(score.day)
      try statement.run()
    }
  }

  // MARK: Insights

  func writeInsights(of batch: BatchWrite, to db: Database) throws {
    guard let write = batch.insights else { return }
    let found = Dictionary(grouping: write.insights, by: \.user)
    // Before there are new rows, which it would look through.
    try file.mappingErrors(table: TrendInsightRow.table) {
      for evaluation in write.evaluations {
        try retractOthers(than: found, evaluation, in: batch, db)
      }
    }
    try insert(
      write.insights, WriteStatement.putInsights, into: TrendInsightRow.table,
      columns: TrendInsightRow.columns, db
    ) { TrendInsightRow.put($0, of: batch, into: $1) }
    try file.mappingErrors(table: TrendInsightRow.table) {
      if !write.retractedStates.isEmpty { try retractCoOccurrences(of: write, in: batch, db) }
      if !write.comparedStates.isEmpty {
        try retractOtherCoOccurrences(than: found, of: write, in: batch, db)
      }
    }
  }

  private func retractOthers(
    than found: [UUID: [TrendInsight]], _ evaluation: InsightWrite.Evaluation,
    in batch: BatchWrite, _ db: Database
  ) throws {
    let rules = JSONString.array(evaluation.rules.map(\.rawValue).sorted())
    let statement = try RawStatement(WriteStatement.retractOtherInsights, on: db)
    for person in evaluation.persons {
      statement.put(person)
      statement.put(evaluation.days.lowerBound)
      statement.put(evaluation.days.upperBound)
      statement.put(batch.runID)
      statement.put(batch.writtenAt)
      statement.put(rules)
      statement.put(JSONString.array((found[person] ?? []).map(\.id.lowercased)))
      try statement.run()
    }
  }

  private func retractOtherCoOccurrences(
    than found: [UUID: [TrendInsight]], of write: InsightWrite, in batch: BatchWrite, _ db: Database
  ) throws {
    let statement = try RawStatement(WriteStatement.retractOtherCooccurrences, on: db)
    for (person, states) in write.comparedStates.sorted(by: { $0.key < $1.key }) {
      statement.put(person)
      statement.put(batch.runID)
      statement.put(batch.writtenAt)
      statement.put(JSONString.array(states.map(\.lowercased)))
      statement.put(JSONString.array((found[person] ?? []).map(\.id.lowercased)))
      try statement.run()
    }
  }

  private func retractCoOccurrences(
    of write: InsightWrite, in batch: BatchWrite, _ db: Database
  ) throws {
    let statement = try RawStatement(WriteStatement.retractCooccurrences, on: db)
    for person in write.persons {
      statement.put(person)
      statement.put(batch.runID)
      statement.put(batch.writtenAt)
      statement.put(JSONString.array(write.retractedStates.map(\.lowercased)))
      try statement.run()
    }
  }
}
