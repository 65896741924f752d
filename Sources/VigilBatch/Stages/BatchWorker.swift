import Foundation
import Logging
import VigilAdherence
import VigilAlerts
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// Takes a loaded batch through the stages: adherence, patterns, vitality, delivery.
///
/// Stages take values and return values; what one of them needs besides is loaded between two of them.
/// Used by one thread.
final class BatchWorker {
  private let adherence: AdherenceStage?
  private let correction: CorrectionStage
  private let findings: FindingStage?
  private let patterns: PatternStage?
  private let candidate: PatternStage?
  private let vitality: VitalityStage?
  private let delivery: DeliveryStage
  private let corrections: CorrectionLoader
  private let audience: AudienceLoader

  /// - Parameters:
  ///   - startedAt: When this process began; doses are evaluated as of when the run did.
  ///   - reader: For what is loaded between the stages.
  init(
    _ plan: RunPlan, run: RunRecord, startedAt: Timestamp, zones: ZoneCatalog,
    reader: SharedReader
  ) {
    let scope = plan.scope
    let terms = PatternStage.Terms(
      runID: run.id, startedAt: startedAt, evaluatedAt: run.startedAt,
      brokenFeed: Set(run.feed?.brokenDays ?? []),
      brokenDoseDays: Set(run.doseFeed?.brokenDays ?? []))
    adherence =
      plan.followsAdherence
      ? AdherenceStage(plan, evaluatedAt: run.startedAt, zones: zones) : nil
    correction = CorrectionStage(plan, evaluatedAt: run.startedAt, zones: zones)
    findings =
      scope.parts.contains(.adherence) && plan.followsAdherence
      ? FindingStage(plan, run: run, startedAt: startedAt, reader: reader) : nil
    let calm = plan.calmDigests.flatMap { known in
      CalmDigests(of: plan.own, engineVersion: run.engineVersion).map { ($0, known) }
    }
    patterns =
      scope.parts.contains(.patterns)
      ? PatternStage(
        plan.own, evaluatedDays: scope.days, mode: scope.mode, isSilent: run.isSilent,
        terms: terms, calm: calm) : nil
    // In either mode as a shadow run of its own, whose notifications no stage gets.
    candidate =
      scope.parts.contains(.patterns)
      ? plan.candidate.map {
        PatternStage($0, evaluatedDays: scope.days, mode: .shadow, terms: terms)
      } : nil
    vitality = scope.scoresVitality ? VitalityStage(scope) : nil
    delivery = DeliveryStage(scope.thresholds.notify, startedAt: startedAt, zones: zones)
    corrections = CorrectionLoader(
      plan: plan, evaluatedAt: run.startedAt, zones: zones, reader: reader)
    audience = AudienceLoader(reader: reader)
  }

  /// Evaluates a batch.
  ///
  /// - Throws: `StorageError` where families or the nights before cannot be read.
  func evaluate(_ batch: LoadedBatch) throws -> BatchFindings {
    var found = BatchFindings()
    if let adherence, let rows = batch.medications {
      let doses = adherence.evaluate(rows, personCount: batch.persons.count)
      found.adherence = doses
      let groups = try corrections.groups(
        after: doses, lastEvaluated: rows.lastEvaluatedDays)
      for group in groups {
        found.corrections.add(correction.evaluate(try corrections.load(group)))
      }
      found.medications = try findings?.evaluate(doses, found.corrections, of: batch)
    }
    found.patterns = patterns?.evaluate(batch.own, adherence: found.adherence)
    if let series = batch.candidate {
      found.candidate = candidate?.evaluate(series, adherence: found.adherence).changed ?? []
    }
    if let vitality, let loaded = batch.vitality {
      found.vitality = vitality.evaluate(
        loaded, of: batch.persons, adherence: found.adherence?.daily)
    }
    let notifications =
      (found.patterns?.notifications ?? []) + (found.medications?.notifications ?? [])
    found.notifications = delivery.plan(
      notifications, for: try audience.load(for: notifications))
    return found
  }
}

/// The findings of the stages in a batch; nil for a stage that the run leaves out.
struct BatchFindings {
  var adherence: AdherenceFindings?
  var corrections = Corrections()
  /// The alerts about medications.
  var medications: EventPlan?
  var patterns: PatternFindings?
  /// Rows of the candidate that are new or differ from what is stored.
  var candidate: [PatternAlertState] = []
  var vitality: VitalityFindings?
  /// No two of the same key.
  var notifications: [PlannedNotification] = []
}
