import Foundation
import GRDB
import VigilAdherence
import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  // MARK: Writing

  func writeAdherence(of batch: BatchWrite, to db: Database) throws {
    guard let adherence = batch.adherence else { return }
    let versionKey = ScheduleVersionRow.key.joined(separator: ", ")
    try insert(
      adherence.versions, into: ScheduleVersionRow.table, columns: ScheduleVersionRow.columns,
      onConflict: "(\(versionKey)) \(ScheduleVersionRow.conflict)", db
    ) { ScheduleVersionRow.put($0, of: batch, into: $1) }
    let rows = adherence.analytics.map { (id: $0.id, analytics: $0) }
    try insert(
      rows, into: DoseAnalyticsRow.table, columns: DoseAnalyticsRow.columns,
      onConflict: "(id) \(DoseAnalyticsRow.conflict(.sqlite))", db
    ) {
      DoseAnalyticsRow.put(
        $0.analytics, id: $0.id, of: batch, evaluatedAt: adherence.evaluatedAt, into: $1)
    }
    try file.mappingErrors(table: DoseAnalyticsRow.table) {
      try takeBackOthers(than: rows.map(\.id), adherence.evaluations, db)
    }
  }

  private func takeBackOthers(
    than found: [UUID], _ evaluations: [AdherenceWrite.Evaluation], _ db: Database
  ) throws {
    guard !evaluations.isEmpty else { return }
    let ids = found.jsonList
    for evaluation in evaluations {
      let statement = try RawStatement(Self.takeBackQuery(of: evaluation.kinds), on: db)
      statement.put(evaluation.persons.jsonList)
      statement.put(evaluation.ends.lowerBound)
      statement.put(evaluation.ends.upperBound)
      statement.put(ids)
      try statement.run()
    }
  }

  /// `?1` is a list of persons, `?2` and `?3` the first and last end of a period, `?4` the ids that stay.
  static func takeBackQuery(of kinds: Set<AdherencePeriod.Kind>) -> String {
    let kinds = kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    return """
      DELETE FROM {{schema}}.\(DoseAnalyticsRow.table)
      WHERE user_id IN (SELECT value FROM json_each(?1)) AND period_kind IN (\(kinds))
        AND period_end BETWEEN ?2 AND ?3 AND id NOT IN (SELECT value FROM json_each(?4))
      """
  }

  func insert<Row>(
    _ rows: [Row], into table: String, columns: [String], onConflict conflict: String,
    _ db: Database, _ put: (Row, RawStatement) -> Void
  ) throws {
    guard !rows.isEmpty else { return }
    try file.mappingErrors(table: table) {
      let statement = try RawStatement(
        """
        INSERT INTO {{schema}}.\(table) (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT \(conflict)
        """, on: db)
      for row in rows {
        put(row, statement)
        try statement.run()
      }
    }
  }
}
