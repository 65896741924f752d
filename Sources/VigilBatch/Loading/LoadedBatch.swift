import Foundation
import VigilAdherence
public import VigilDetection
import VigilModel
import VigilPipeline
public import VigilStorage

/// The rows of a batch of persons, read and merged; filled again and again.
///
/// Belongs to one thread at a time: the one that took it from a `Handover`, until it puts it back.
/// Hence the unchecked conformance.
final class LoadedBatch: @unchecked Sendable {
  /// The series of the database's profile.
  let own: ProfileSeries
  /// The series of the profile that is evaluated beside it; nil where there is none.
  let candidate: ProfileSeries?
  private(set) var persons: [UUID] = []
  private var workoutDays = 0
  /// Rows that cannot be used and were left out.
  private(set) var unusableRows = UnusableRows()

  /// The rows of medications and doses; nil where the run does not follow them.
  let medications: MedicationRows?
  /// Versions of schedules that the database does not hold yet.
  private(set) var scheduleVersions: [StoredScheduleVersion] = []

  /// Nil where no part of the run goes on from them.
  private(set) var medicationAlerts: MedicationAlerts?

  /// Nothing where the run does not follow check-ins.
  private(set) var checkIns = LoadedCheckIns()
  private let readsCheckIns: Bool
  /// Changes with the sensitivities and limits of the persons.
  private var sensitivityDigest = 0
  private let zones: ZoneCatalog

  /// The input of scores; nil where the run computes none.
  let vitality: LoadedVitality?
  /// Nil where all rows go to the observations of one profile.
  private let split: MetricRowSplit?
  /// The copies of rows; nil where the run does without.
  private(set) var history: HistoryReading?

  private let scope: RunScope
  private let runStartedAt: Timestamp
  private let doseTimes: ClosedRange<Timestamp>
  private let readsStoredStates: Bool
  private let readsMedicationAlerts: Bool
  let earlierWatermark: Timestamp?

  /// - Parameters:
  ///   - runStartedAt: The instant as of which doses are evaluated.
  ///   - zones: Those of all batches of the run.
  ///   - earlierWatermark: That of the run before; nil where there was none.
  ///   - readsStoredStates: Whether episodes go on from the stored ones.
  init(
    _ plan: RunPlan, runStartedAt: Timestamp, zones: ZoneCatalog,
    earlierWatermark: Timestamp? = nil, readsStoredStates: Bool = true
  ) {
    scope = plan.scope
    medications = plan.followsAdherence ? MedicationRows(zones: zones) : nil
    self.runStartedAt = runStartedAt
    self.zones = zones
    readsCheckIns = plan.followsCheckIns
    self.readsStoredStates = readsStoredStates && plan.scope.parts.contains(.patterns)
    readsMedicationAlerts =
      readsStoredStates && plan.followsAdherence
      && (plan.scope.parts.contains(.adherence) || !plan.scope.rareDays.isEmpty)
    doseTimes = plan.adherenceWindow(evaluatedAt: runStartedAt).recordTimes
    own = ProfileSeries(plan.own)
    candidate = plan.candidate.map(ProfileSeries.init)
    self.earlierWatermark = earlierWatermark
    history = plan.historyReading(makesCopies: true)
    own.input.observations.earlierWatermark = earlierWatermark
    vitality = scope.scoresVitality ? LoadedVitality(scope) : nil
    split =
      vitality == nil && candidate == nil
      ? nil
      : MetricRowSplit(
        own, candidate: candidate, vitality: vitality?.block, isAvailable: plan.isAvailable)
  }

  /// Replaces what was loaded before, or was left by a call that threw.
  ///
  /// - Throws: `StorageError`.
  func load(_ persons: [UUID], from reader: any StorageReader) throws {
    self.persons = persons
    history?.begin()
    try readObservations(from: reader)
    if let medications { try readMedications(into: medications, from: reader) }
    if let vitality { unusableRows += try vitality.readScores(of: persons, from: reader) }
    medicationAlerts =
      readsMedicationAlerts
      ? try MedicationAlerts(of: persons, touchedSince: scope.loadedDays.lowerBound, from: reader)
      : nil
    if readsStoredStates {
      try own.readStoredStates(from: reader, medications: medicationAlerts)
      try candidate?.readStoredStates(from: reader, medications: medicationAlerts)
    }
    if scope.parts.contains(.patterns) {
      let sensitivities = try LoadedSensitivities(of: persons, from: reader)
      unusableRows += sensitivities.unusable
      sensitivityDigest = sensitivities.digest
      own.input.sensitivities = sensitivities.personal
      candidate?.input.sensitivities = sensitivities.personal
      let limits = try LoadedLimits(
        of: persons, followed: own.profile.wearableMetrics, from: reader)
      unusableRows += limits.unusable
      sensitivityDigest &+= limits.digest
      own.input.limits = limits.personal
      candidate?.input.limits = limits.personal
    }
    if readsCheckIns {
      checkIns = try LoadedCheckIns(
        of: persons, on: scope.loadedDays, zones: zones, from: reader)
      unusableRows += checkIns.unusable
      own.input.take(checkIns.histories)
      candidate?.input.take(checkIns.histories)
    }
    if let medications {
      for series in [own] + [candidate].compactMap(\.self) {
        series.input.addDoses(of: medications, hasStoredSilence: series.hasStoredSilence)
      }
    }
  }

  private func readObservations(from reader: any StorageReader) throws {
    own.begin(persons)
    candidate?.begin(persons)
    vitality?.begin(personCount: persons.count)
    let reportsWear = scope.profiles.contains { $0.nonWear != nil }
    if let split {
      try readMetrics(split.columns, reportsWear: reportsWear, from: reader, into: split)
    } else {
      let observations = own.input.observations
      try readMetrics(
        observations.columns, reportsWear: reportsWear, from: reader, into: observations)
    }
    own.input.observations.finish()
    candidate?.input.observations.finish()
    workoutDays = 0
    unusableRows += try reader.readWorkoutDays(of: persons, days: scope.loadedDays) { person, day in
      workoutDays += 1
      own.input.block.addWorkout(person: person, day: day)
      candidate?.input.block.addWorkout(person: person, day: day)
    }
  }

  private func readMetrics(
    _ metrics: [MetricType], reportsWear: Bool, from reader: any StorageReader,
    into sink: some MetricRowSink
  ) throws {
    unusableRows = try history.readMetrics(
      of: persons, days: scope.loadedDays, metrics: metrics, reportsWear: reportsWear, from: reader,
      into: sink)
  }

  private func readMedications(
    into medications: MedicationRows, from reader: any StorageReader
  ) throws {
    medications.begin(persons, evaluatedAt: runStartedAt)
    try history.readMedications(of: persons, doses: doseTimes, from: reader, into: medications)
    unusableRows += medications.unusable
    // Also in a run of patterns alone: the doses expected on later days follow from the rows of now.
    scheduleVersions = try medications.takeVersions(evaluatingFrom: scope.days.lowerBound)
  }

  /// The fingerprint of the rows that were read.
  var input: InputFingerprint {
    InputFingerprint(
      metricRows: own.input.observations.rowCount,
      newestUpdate: own.input.observations.newestUpdate,
      updateSeconds: own.input.observations.updateSeconds, workoutDays: workoutDays,
      medicationDigest: readsCheckIns
        ? (medications?.digest ?? 0) &+ checkIns.digest : medications?.digest,
      vitalityDigest: vitality?.digest,
      sensitivityDigest: scope.parts.contains(.patterns) ? sensitivityDigest : nil)
  }
}

extension ObservationBuilder: MetricRowSink {}
