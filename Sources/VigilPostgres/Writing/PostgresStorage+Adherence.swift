import Foundation
import VigilAdherence
import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  // MARK: Writing

  func writeAdherence(of batch: BatchWrite, on connection: Connection) throws {
    guard let adherence = batch.adherence else { return }
    if !adherence.versions.isEmpty {
      let staging = try stage(
        adherence.versions, of: ScheduleVersionRow.table, columns: ScheduleVersionRow.columns,
        on: connection
      ) { ScheduleVersionRow.put($0, of: batch, into: $1) }
      try connection.run(WriteStatement.putScheduleVersions, Parameters(), staging.fillings)
    }
    guard !adherence.analytics.isEmpty || !adherence.evaluations.isEmpty else { return }
    let staging = try writeAnalytics(adherence, of: batch, on: connection)
    for evaluation in adherence.evaluations {
      try takeBackOthers(than: staging, evaluation, on: connection)
    }
  }

  /// Gives the table in which the rows are staged.
  private func writeAnalytics(
    _ adherence: AdherenceWrite, of batch: BatchWrite, on connection: Connection
  ) throws -> StagingTable {
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
    func places(_ places: ClosedRange<Int>) -> Parameters {
      Parameters {
        $0.put(places.lowerBound)
        $0.put(places.upperBound)
      }
    }
    if !known.isEmpty {
      try connection.run(
        WriteStatement.putDoseAnalytics, places(1...known.count), staging.fillings)
    }
    if !new.isEmpty {
      let places = places((known.count + 1)...(known.count + new.count))
      do {
        _ = try connection.savepoint {
          try connection.run(StagingStatement.insertDoseAnalytics, places, staging.fillings)
        }
      } catch let error as PostgresError where error.isUniqueViolation {
        // Another program has deleted some rows of a day and left others; the server's log has the attempt.
        try connection.run(WriteStatement.putDoseAnalytics, places, staging.fillings)
      }
    }
    return staging
  }

  private func takeBackOthers(
    than staging: StagingTable, _ evaluation: AdherenceWrite.Evaluation, on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(evaluation.persons)
      $0.put(evaluation.kinds.map(\.rawValue))
      $0.put(evaluation.ends.lowerBound)
      $0.put(evaluation.ends.upperBound)
    }
    try connection.run(WriteStatement.removeOtherDoseAnalytics, parameters, staging.fillings)
  }
}
