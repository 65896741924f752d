import Foundation
import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// Finds the persons for whom what the nights before wrote about doses no longer holds, and loads their
/// second batch.
///
/// Doses are logged, corrected or withdrawn later, pending doses are decided, and nights are missed
/// (specification, runs.md section 1). Whether anything has changed shows in the 90 days up to the day
/// before: most persons cost one stored row.
struct CorrectionLoader {
  let plan: RunPlan
  /// When the run began.
  let evaluatedAt: Timestamp
  let zones: ZoneCatalog
  let reader: SharedReader

  /// Each of them has a hundred rows and more.
  private static let mostPersonsAtOnce = 32

  /// The persons to evaluate again, a few at a time; none in a backfill.
  ///
  /// - Parameter lastEvaluated: By person, the last day that a run has evaluated.
  /// - Throws: `StorageError`.
  func groups(
    after findings: AdherenceFindings, lastEvaluated: [UUID: Day]
  ) throws -> [[UUID]] {
    guard let dayBefore = plan.dayBefore else { return [] }
    let totals = findings.totals(of: dayBefore).filter { lastEvaluated[$0.key] != nil }
    guard !totals.isEmpty else { return [] }
    let day = dayBefore.days.upperBound
    let stored = try reader.read {
      try $0.doseTotals(of: totals.keys.sorted(), period: dayBefore.kind, endingOn: day...day)
    }
    let changed = StoredDoseTotals(stored)
      .changedPersons(from: totals, on: day, lastEvaluated: lastEvaluated).sorted()
    return stride(from: 0, to: changed.count, by: Self.mostPersonsAtOnce).map { first in
      Array(changed[first..<min(first + Self.mostPersonsAtOnce, changed.count)])
    }
  }

  /// Loads the second batch of one group.
  ///
  /// - Throws: `StorageError`.
  func load(_ persons: [UUID]) throws -> LoadedCorrection {
    let first = plan.scope.days.lowerBound
    let days = plan.scope.window.folded.lowerBound...(first - 1)
    let window = AdherenceWindow(evaluating: days, evaluatedAt: evaluatedAt)
    let rows = MedicationRows(zones: zones)
    let stored = try reader.read { reader in
      rows.begin(persons, evaluatedAt: evaluatedAt)
      try reader.readMedications(of: persons, doses: window.recordTimes, into: rows)
      return try reader.doseTotals(of: persons, period: .ninetyDays, endingOn: days)
    }
    // The first batch has them too, and they are written with it.
    _ = try rows.takeVersions(evaluatingFrom: first)
    return LoadedCorrection(
      persons: persons, days: days, medications: rows, stored: StoredDoseTotals(stored))
  }
}
