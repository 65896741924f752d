import Foundation
import VigilAdherence
public import VigilDetection
import VigilModel
public import VigilStorage

/// What the database holds about a batch of persons, read and merged; filled again and again.
///
/// Belongs to one thread at a time: the one that took it from a `Handover`, until it puts it back.
/// Hence the unchecked conformance.
final class LoadedBatch: @unchecked Sendable {
  let metrics: [MetricThresholds]
  let block: ObservationBlock
  /// Counts rows and rejected values of the batch.
  let observations: ObservationBuilder
  private(set) var persons: [UUID] = []
  private var workoutDays = 0
  /// Rows that were passed over because they cannot be used.
  private(set) var unusableRows = UnusableRows()
  /// Rows that the window may touch, by series index and in order of `active_since`.
  private(set) var stored: [Int: [PatternAlertState]] = [:]

  /// What there is about medications and doses; nil where the run does not follow them.
  let medications: MedicationRows?

  /// What there is about scores; nil where the run computes none.
  let vitality: LoadedVitality?
  private let split: MetricRowSplit?

  private let window: FoldWindow
  private let loadedDays: ClosedRange<Day>
  private let followsEpisodes: Bool
  private let profile: Profile
  private let runStartedAt: Timestamp
  private let doseTimes: ClosedRange<Timestamp>
  private let wearableMetrics: [MetricType]
  private let reportsWear: Bool

  /// - Parameters:
  ///   - runStartedAt: The instant as of which doses are evaluated.
  ///   - zones: Those of all batches of the run.
  ///   - earlierWatermark: That of the run before; nil where there was none.
  init(
    _ settings: BatchSettings, runStartedAt: Timestamp, zones: ZoneCatalog,
    earlierWatermark: Timestamp? = nil
  ) {
    window = settings.window
    loadedDays = settings.loadedDays
    followsEpisodes = settings.parts.contains(.patterns)
    profile = settings.thresholds.profile
    metrics = settings.metrics
    wearableMetrics = settings.wearableMetrics.map(\.metric)
    medications = settings.followsAdherence ? MedicationRows(zones: zones) : nil
    self.runStartedAt = runStartedAt
    doseTimes = settings.adherenceWindow(evaluatedAt: runStartedAt).recordTimes
    reportsWear = settings.thresholds.detectsNonWear
    block = ObservationBlock(personCount: 0, metricCount: metrics.count, days: window.loaded)
    observations = ObservationBuilder(
      block: block, metrics: settings.wearableMetrics, thresholds: settings.thresholds)
    observations.earlierWatermark = earlierWatermark
    vitality = settings.scoresVitality ? LoadedVitality(settings) : nil
    split = vitality.map { [observations, wearableMetrics] vitality in
      MetricRowSplit(
        observations, metrics: wearableMetrics, vitality: vitality.block,
        isAvailable: settings.isAvailable)
    }
  }

  /// Replaces what was loaded before, or was left by a call that threw.
  ///
  /// - Throws: `StorageError`.
  func load(_ persons: [UUID], from reader: any StorageReader) throws {
    self.persons = persons
    try readObservations(from: reader)
    if let medications {
      medications.begin(persons, evaluatedAt: runStartedAt)
      try reader.readMedications(of: persons, doses: doseTimes, into: medications)
      unusableRows += medications.unusable
    }
    if let vitality { unusableRows += try vitality.readScores(of: persons, from: reader) }
    if followsEpisodes { try readStoredStates(from: reader) }
  }

  private func readObservations(from reader: any StorageReader) throws {
    block.reset(personCount: persons.count, days: window.loaded)
    observations.begin()
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

  private func readStoredStates(from reader: any StorageReader) throws {
    let metricIndex = Dictionary(
      uniqueKeysWithValues: metrics.enumerated().map { ($0.element.metric, $0.offset) })
    let personIndex = Dictionary(
      uniqueKeysWithValues: persons.enumerated().map { ($0.element, $0.offset) })
    var states: [Int: [PatternAlertState]] = [:]
    let known = try reader.alertStates(
      of: persons, in: profile, touchedSince: window.loaded.lowerBound)
    for state in known {
      guard let person = personIndex[state.series.user],
        let metric = metricIndex[state.series.metric],
        metrics[metric].pattern == state.series.pattern
      else { continue }
      states[person * metrics.count + metric, default: []].append(state)
    }
    stored = states.mapValues { $0.sorted { $0.episode.activeSince < $1.episode.activeSince } }
  }

  /// What of the input was read.
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
