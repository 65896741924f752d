import Foundation
import VigilAdherence
public import VigilDetection
import VigilModel
public import VigilStorage

/// The rows of a batch of persons, read and merged; filled again and again.
///
/// Belongs to one thread at a time: the one that took it from a `Handover`, until it puts it back.
/// Hence the unchecked conformance.
final class LoadedBatch: @unchecked Sendable {
  /// The metrics of detection, in the order of their series.
  let metrics: [MetricThresholds]
  /// The metrics that come from wearables.
  let block: ObservationBlock
  /// Counts rows and rejected values of the batch.
  let observations: ObservationBuilder
  private(set) var persons: [UUID] = []
  private var workoutDays = 0
  /// Rows that cannot be used and were left out.
  private(set) var unusableRows = UnusableRows()
  /// Rows that the window may touch, by series index and in order of `active_since`.
  private(set) var stored: [Int: [PatternAlertState]] = [:]

  /// The rows of medications and doses; nil where the run does not follow them.
  let medications: MedicationRows?
  /// Versions of schedules that the database does not hold yet.
  private(set) var scheduleVersions: [StoredScheduleVersion] = []

  /// The input of scores; nil where the run computes none.
  let vitality: LoadedVitality?
  private let split: MetricRowSplit?

  private let scope: RunScope
  private let window: FoldWindow
  private let runStartedAt: Timestamp
  private let doseTimes: ClosedRange<Timestamp>
  private let wearableMetrics: [MetricType]

  /// - Parameters:
  ///   - runStartedAt: The instant as of which doses are evaluated.
  ///   - zones: Those of all batches of the run.
  ///   - earlierWatermark: That of the run before; nil where there was none.
  init(
    _ plan: RunPlan, runStartedAt: Timestamp, zones: ZoneCatalog,
    earlierWatermark: Timestamp? = nil
  ) {
    scope = plan.scope
    window = scope.window
    metrics = plan.metrics
    wearableMetrics = plan.wearableMetrics.map(\.metric)
    medications = plan.followsAdherence ? MedicationRows(zones: zones) : nil
    self.runStartedAt = runStartedAt
    doseTimes = plan.adherenceWindow(evaluatedAt: runStartedAt).recordTimes
    block = ObservationBlock(
      personCount: 0, metricCount: plan.wearableMetrics.count, days: window.loaded)
    observations = ObservationBuilder(
      block: block, metrics: plan.wearableMetrics, thresholds: scope.thresholds)
    observations.earlierWatermark = earlierWatermark
    vitality = scope.scoresVitality ? LoadedVitality(scope) : nil
    split = vitality.map { [observations, wearableMetrics] vitality in
      MetricRowSplit(
        observations, metrics: wearableMetrics, vitality: vitality.block,
        isAvailable: plan.isAvailable)
    }
  }

  /// Replaces what was loaded before, or was left by a call that threw.
  ///
  /// - Throws: `StorageError`.
  func load(_ persons: [UUID], from reader: any StorageReader) throws {
    self.persons = persons
    try readObservations(from: reader)
    if let medications { try readMedications(into: medications, from: reader) }
    if let vitality { unusableRows += try vitality.readScores(of: persons, from: reader) }
    if scope.parts.contains(.patterns) { try readStoredStates(from: reader) }
  }

  private func readObservations(from reader: any StorageReader) throws {
    block.reset(personCount: persons.count, days: window.loaded)
    observations.begin()
    let (loadedDays, reportsWear) = (scope.loadedDays, scope.thresholds.detectsNonWear)
    if let vitality, let split {
      vitality.begin(personCount: persons.count)
      unusableRows = try reader.readMetrics(
        of: persons, days: loadedDays, metrics: split.columns, reportsWear: reportsWear,
        into: split)
    } else {
      unusableRows = try reader.readMetrics(
        of: persons, days: loadedDays, metrics: wearableMetrics, reportsWear: reportsWear,
        into: observations)
    }
    observations.finish()
    workoutDays = 0
    unusableRows += try reader.readWorkoutDays(of: persons, days: loadedDays) { person, day in
      workoutDays += 1
      block.addWorkout(person: person, day: day)
    }
  }

  private func readMedications(
    into medications: MedicationRows, from reader: any StorageReader
  ) throws {
    medications.begin(persons, evaluatedAt: runStartedAt)
    try reader.readMedications(of: persons, doses: doseTimes, into: medications)
    unusableRows += medications.unusable
    // Also in a run of patterns alone: the doses expected on later days follow from the rows of now.
    scheduleVersions = try medications.takeVersions(evaluatingFrom: scope.days.lowerBound)
  }

  private func readStoredStates(from reader: any StorageReader) throws {
    let metricIndex = Dictionary(
      uniqueKeysWithValues: metrics.enumerated().map { ($0.element.metric, $0.offset) })
    let personIndex = Dictionary(
      uniqueKeysWithValues: persons.enumerated().map { ($0.element, $0.offset) })
    var states: [Int: [PatternAlertState]] = [:]
    let known = try reader.alertStates(
      of: persons, in: scope.thresholds.profile, touchedSince: window.loaded.lowerBound)
    for state in known {
      guard let person = personIndex[state.series.user],
        let metric = metricIndex[state.series.metric],
        metrics[metric].pattern == state.series.pattern
      else { continue }
      states[person * metrics.count + metric, default: []].append(state)
    }
    stored = states.mapValues { $0.sorted { $0.episode.activeSince < $1.episode.activeSince } }
  }

  /// The fingerprint of the rows that were read.
  var input: InputFingerprint {
    InputFingerprint(
      metricRows: observations.rowCount, newestUpdate: observations.newestUpdate,
      updateSeconds: observations.updateSeconds, workoutDays: workoutDays,
      medicationDigest: medications?.digest,
      vitalityDigest: vitality?.digest)
  }

  /// The key of the series at an index of the block.
  func key(ofSeries series: Int) -> SeriesKey {
    let metric = metrics[series % metrics.count]
    return SeriesKey(
      user: persons[series / metrics.count], metric: metric.metric, pattern: metric.pattern)
  }
}

extension ObservationBuilder: MetricRowSink {}
