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
    try insert(
      adherence.versions, WriteStatement.putScheduleVersions, into: ScheduleVersionRow.table,
      columns: ScheduleVersionRow.columns, db
    ) { ScheduleVersionRow.put($0, of: batch, into: $1) }
    let rows = adherence.analytics.map { (id: $0.id, analytics: $0) }
    try insert(
      rows, WriteStatement.putDoseAnalytics, into: DoseAnalyticsRow.table,
      columns: DoseAnalyticsRow.columns, db
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
    let ids = JSONString.array(found.map(\.lowercased))
    for evaluation in evaluations {
      let statement = try RawStatement(WriteStatement.removeOtherDoseAnalytics, on: db)
      statement.put(JSONString.array(evaluation.persons.map(\.lowercased)))
      statement.put(JSONString.array(evaluation.kinds.map(\.rawValue).sorted()))
      statement.put(evaluation.ends.lowerBound)
      statement.put(evaluation.ends.upperBound)
      statement.put(ids)
      try statement.run()
    }
  }

  func insert<Row>(
    _ rows: [Row], _ name: some StatementName, into table: String, columns: [String],
    _ db: Database, _ put: (Row, RawStatement) -> Void
  ) throws {
    _ = try file.mappingErrors(table: table) {
      try RowsStatement(name, columns: columns.count, on: db).write(rows, put)
    }
  }
}
