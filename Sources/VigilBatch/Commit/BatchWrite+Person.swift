import VigilDetection
import VigilModel
import VigilStorage

extension BatchWrite {
  /// The rows of the evaluation of one person: alerts and notifications of rising levels.
  ///
  /// Recoveries are left to the night, which a later change of the data may still change; a night groups
  /// notifications, which would come too late here.
  init(
    _ found: BatchFindings, of batch: LoadedBatch, plan: RunPlan, record: RunRecord,
    alertsBefore: [PatternAlertState], rateLimit: NotificationRateLimit
  ) {
    let now = record.startedAt
    let changed = batch.own.settled(found.patterns?.changed ?? [], plan: plan, run: record, at: now)
    let notifications = found.notifications.filter { $0.kind == .patternAlert }.map { planned in
      var alone = planned
      alone.groupNight = nil
      return alone
    }
    var counted = record
    counted.counts = RunRecord.Counts(
      found, of: batch, InsightWrite(persons: []), days: plan.scope.days)
    self.init(
      alertStates: changed, notifications: notifications,
      queue: plan.scope.mode == .live ? .live : .shadow, runID: record.id, writtenAt: now,
      settlement: Settlement(
        persons: batch.persons, profile: plan.scope.thresholds.profile,
        provisional: batch.own.provisional,
        evaluation: PersonEvaluation(
          person: batch.persons[0], record: counted, alertsBefore: alertsBefore,
          bases: batch.own.bases, rateLimit: rateLimit)))
  }
}
