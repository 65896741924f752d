import Foundation
import VigilAdherence
import VigilAlerts
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// Brings the missed doses, refills and expiries of a batch together with the stored alerts about them, and plans
/// notifications.
///
/// Used by one thread.
struct FindingStage {
  private let plan: RunPlan
  private let isSilent: Bool
  private let provenance: Reconciliation.Provenance
  private let reader: SharedReader
  /// The metrics whose alerts follow from what is found about doses.
  private let metrics: [MetricType]

  /// - Parameters:
  ///   - plan: The plan of the run.
  ///   - run: The run that writes the rows.
  ///   - startedAt: When this process began.
  ///   - reader: For stored alerts of days before the loaded ones.
  init(_ plan: RunPlan, run: RunRecord, startedAt: Timestamp, reader: SharedReader) {
    self.plan = plan
    isSilent = run.isSilent
    provenance = .init(profile: plan.scope.thresholds.profile, runID: run.id, at: startedAt)
    self.reader = reader
    let ofPackages = [MetricType.refillDue, .expiryDue]
    metrics = (plan.own.findsStreaks ? [.missedStreak] : []) + ofPackages
  }

  /// - Throws: `StorageError` where the stored alerts cannot be read.
  func evaluate(
    _ found: AdherenceFindings, _ corrections: Corrections, of batch: LoadedBatch
  ) throws -> EventPlan {
    let days = plan.scope.days
    var firstDays = corrections.firstDays
    for person in batch.personsWithoutMedication {
      firstDays[person] = min(plan.firstDayWithoutMedication, days.lowerBound)
    }
    let first = firstDays.values.min().map { min($0, days.lowerBound) } ?? days.lowerBound
    // Corrections may reach further back than what was loaded.
    let touched =
      try batch.medicationAlerts?.touched(since: first - 1)
      ?? reader.read {
        try $0.alertStatesOfMedications(of: batch.persons, touchedSince: first - 1)
      }
    let stored = touched.filter { metrics.contains($0.series.metric) }
    let storedBySeries = Dictionary(grouping: stored, by: \.series)
    let supplies = found.supplies + corrections.supplies
    let daysBySeries = FoundDays.bySeries(
      found.missedStreaks + corrections.missedStreaks, supplies,
      found.expiries + corrections.expiries, under: plan.own)
    let counts = SupplyForecast.firstDays(of: supplies)
    let lastEvaluated = batch.medications?.lastEvaluatedDays ?? [:]
    var rows: [ReconciledRow] = []
    for series in Set(storedBySeries.keys).union(daysBySeries.keys).sorted() {
      var first = firstDays[series.user] ?? days.lowerBound
      if series.metric == .refillDue, let counted = series.medication.flatMap({ counts[$0] }) {
        // A count says nothing of days before it: what was found on them stays.
        first = max(first, counted ?? days.upperBound + 1)
      }
      let (own, predecessors) = split(storedBySeries[series] ?? [])
      guard first <= days.upperBound else {
        rows += own.map(ReconciledRow.init(untouched:))
        continue
      }
      let course = FindingCourse(
        of: series, evaluated: first...days.upperBound,
        horizon: lastEvaluated[series.user] ?? days.upperBound, provenance: provenance)
      rows += course.rows(
        foundOn: daysBySeries[series] ?? [], stored: own, continuing: predecessors)
    }
    for index in rows.indices { rows[index].notes = notes(of: rows[index].row)[...] }
    return EventPlan(
      of: rows, isGrouping: false, window: plan.scope.window, mode: plan.scope.mode,
      isSilent: isSilent, provenance: provenance)
  }

  /// The rows of the run's profile, and those that a switch to it has ended and that have no successor yet.
  private func split(
    _ stored: [PatternAlertState]
  ) -> (own: [PatternAlertState], predecessors: [PatternAlertState]) {
    let own = stored.filter { $0.profile == provenance.profile }
    let newest = own.map(\.episode.lastEvaluated).max()
    let predecessors = stored.filter { row in
      guard row.profile != provenance.profile, let end = row.episode.resolution else {
        return false
      }
      return end.reason == .profileChanged && newest.map { $0 < end.day } ?? true
    }
    return (own, predecessors)
  }

  /// The levels that an alert has reached on the days that may notify.
  ///
  /// Members are notified of what goes on, not of the past of a live backfill.
  private func notes(of row: PatternAlertState) -> [FoldedLevel] {
    let (found, days) = (row.foundDays, plan.scope.window.notifying)
    guard !row.isRetracted, found.overlaps(days) else { return [] }
    return days.clamped(to: found).map { day in
      let episode = Episode(foundOn: found.lowerBound...day, resolution: nil)
      return FoldedLevel(episode: 0, day: day, level: episode.level, duration: episode.duration)
    }
  }
}

extension SupplyForecast {
  /// By medication: the first of the days that its count says something of; nil where it is later than all of
  /// them.
  static func firstDays(of supplies: [SupplyForecast]) -> [UUID: Day?] {
    Dictionary(supplies.map { ($0.medication, $0.days?.lowerBound) }) { left, right in
      [left, right].compactMap(\.self).min()
    }
  }
}
