import Foundation
import VigilModel
import VigilStorage

extension RunPlan {
  /// Refuses to judge episodes by a table that has lost its rows.
  ///
  /// - Parameter persons: All persons with data in the loaded days, or with an active episode.
  /// - Throws: `BatchError` with `.noInput`.
  func requireInput(for persons: [UUID], in storage: any Storage) throws {
    guard try !storage.hasMetrics(in: scope.loadedDays) else { return }
    // Doses, check-ins, or scores from elsewhere, are input enough where no metric is being judged.
    if followsAdherence || followsCheckIns || scope.scoresVitality && !persons.isEmpty {
      guard scope.parts.contains(.patterns) else { return }
      let judged = try storage.alertStates(matching: AlertFilter(isActive: true))
      if judged.allSatisfy({ !isJudgedByMetricRows($0.series.metric) }) { return }
    }
    // Without a metric row, a person is listed only because an episode of theirs is active.
    guard persons.isEmpty, try storage.metricDays() != nil else {
      throw scope.parts == [.adherence]
        ? BatchError.noMedication(of: storage.displayName)
        : BatchError.noInput(in: scope.loadedDays, of: storage.displayName)
    }
  }
}
