import Foundation
import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

extension BatchWrite {
  /// The rows of a batch, with the checkpoint that says that its persons are done.
  ///
  /// - Parameter startedAt: When this process began.
  init(
    _ found: BatchFindings, of batch: LoadedBatch, plan: RunPlan, run: RunRecord, shard: RunShard,
    startedAt: Timestamp
  ) {
    let insights = InsightWrite(found, of: batch, plan: plan)
    let settled = found.patterns.map {
      batch.own.settled($0.changed, plan: plan, run: run, at: startedAt)
    }
    self.init(
      alertStates: (settled ?? []) + (found.medications?.changed ?? []) + found.candidate,
      notifications: found.notifications,
      queue: plan.scope.mode == .live ? .live : .shadow, runID: run.id, writtenAt: startedAt,
      adherence: found.adherence.map {
        AdherenceWrite(
          $0, found.corrections, of: batch, plan: plan, evaluatedAt: run.startedAt)
      },
      vitality: found.vitality?.write, insights: insights.isEmpty ? nil : insights,
      // A backfill is about the past.
      events: plan.scope.kind == .run ? found.events : [:],
      settlement: settled.map { _ in
        Settlement(
          persons: batch.persons, profile: plan.scope.thresholds.profile,
          provisional: batch.own.provisional)
      }, history: batch.history?.writes ?? [],
      calm: found.patterns.flatMap { patterns in
        plan.calmDigests.map { _ in
          CalmWrite(day: plan.scope.days.upperBound, digests: patterns.calmDigests)
        }
      })
    checkpoint = BatchCheckpoint(
      shard: shard.index, firstPerson: batch.persons[0],
      lastPerson: batch.persons[batch.persons.count - 1],
      counts: RunRecord.Counts(found, of: batch, insights, days: plan.scope.days),
      dataQuality: batch.own.input.observations.quality.counts(
        of: plan.wearableMetrics.map(\.metric))
        + batch.unusableRows.dataQuality,
      input: batch.input)
  }
}

extension ProfileSeries {
  /// The rows to write after a fold: those that it has changed, and provisional alerts that it does not confirm.
  func settled(
    _ changed: [PatternAlertState], plan: RunPlan, run: RunRecord, at now: Timestamp
  ) -> [PatternAlertState] {
    guard !provisional.isEmpty else { return changed }
    let found = Set(changed.map(\.id))
    return changed
      + provisional.filter { !found.contains($0.row.id) }.map {
        $0.unconfirmed(on: plan.scope.days.upperBound, by: run.id, at: now)
      }
  }
}

extension BatchFindings {
  /// The events of alerts of the run's profile, by their ids.
  fileprivate var events: [UUID: OutboxEvent.Kind] {
    (patterns?.events ?? [:]).merging(medications?.events ?? [:]) { $1 }
  }
}

extension RunRecord.Counts {
  init(
    _ found: BatchFindings, of batch: LoadedBatch, _ insights: InsightWrite,
    days: ClosedRange<Day>
  ) {
    self = found.patterns?.counts ?? RunRecord.Counts()
    persons = batch.persons.count
    rowsRead = batch.own.input.observations.rowCount + (batch.medications?.doseCount ?? 0)
    rowsChanged = batch.own.input.observations.rowsChanged
    valuesRejected = batch.own.input.observations.quality.rejections.count
    if let vitality = found.vitality?.write {
      scoresChanged = vitality.scores.count + vitality.outdatedScores.count
    }
    insightsFound = insights.insights.count {
      $0.suppressedReason == nil && $0.isNew(on: days)
    }
  }
}

extension TrendInsight {
  /// Whether the insight is one of the evaluated days: the insights of days before were counted then.
  fileprivate func isNew(on days: ClosedRange<Day>) -> Bool {
    let further = coOccurrence == nil ? 0 : max(0, coverage - 1)
    return days.overlaps(day...(day + further))
  }
}
