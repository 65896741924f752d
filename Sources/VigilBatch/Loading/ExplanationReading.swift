public import Foundation
public import Logging
import VigilAdherence
public import VigilAnalysis
public import VigilDetection
public import VigilModel
import VigilPipeline
public import VigilStorage
public import VigilVitality

/// Reads what an explanation of one series needs, and writes nothing.
///
/// The rows go through the stages of a run, so the series is what a run of that day would judge.
public struct ExplanationReading {
  let storage: any Storage
  let thresholds: Thresholds
  let vitality: VitalitySettings
  let zones: ZoneCatalog
  let logger: Logger

  /// - Parameters:
  ///   - storage: The database.
  ///   - thresholds: Those of the person: `Thresholds.adjusted(to:)`.
  ///   - vitality: The settings of scores.
  ///   - zones: The rules of time zones.
  ///   - logger: Gets what went wrong with connections.
  public init(
    in storage: any Storage, thresholds: Thresholds, vitality: VitalitySettings,
    zones: ZoneCatalog, logger: Logger
  ) {
    self.storage = storage
    self.thresholds = thresholds
    self.vitality = vitality
    self.zones = zones
    self.logger = logger
  }

  /// The sensitivity of one person, for which the thresholds of an explanation are adjusted.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - storage: The database.
  ///   - logger: Gets what went wrong with connections.
  /// - Throws: `StorageError`.
  public static func sensitivity(
    of person: UUID, in storage: any Storage, logger: Logger
  ) throws -> PersonalSensitivity {
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    return try reader.read { try $0.sensitivities(of: [person]).personal[person] }
      ?? PersonalSensitivity()
  }

  /// The limits that are set for each of some persons; those without any are left out.
  ///
  /// - Parameters:
  ///   - persons: The persons.
  ///   - storage: The database.
  ///   - logger: Gets what went wrong with connections.
  /// - Throws: `StorageError`.
  public static func limits(
    of persons: [UUID], in storage: any Storage, logger: Logger
  ) throws -> [UUID: [PersonLimit]] {
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    return try reader.read { try $0.limits(of: persons).personal }
  }

  /// Reads one metric of one person.
  ///
  /// - Parameters:
  ///   - metric: One of the profile's.
  ///   - person: The person.
  ///   - day: The day to explain.
  ///   - first: The day from which episodes are followed; nil where stored episodes say what was active before.
  ///   - evaluatedAt: When the run to explain began, as of which doses are missed or still pending; nil for the end
  ///     of the day (UTC).
  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read.
  public func read(
    _ metric: MetricThresholds, of person: UUID, on day: Day, from first: Day? = nil,
    evaluatedAt: Timestamp? = nil
  ) throws -> ExplanationInput {
    let isAdherence = metric.source == .adherence
    let scope = RunScope(
      kind: .backfill, days: min(first ?? day, day - 1)...day, mode: .live, parts: [.patterns],
      thresholds: thresholds, vitality: vitality)
    let plan = RunPlan(
      scope, availableMetrics: try storage.metricColumns().numeric,
      followsAdherence: isAdherence,
      followsCheckIns: try isAdherence && scope.followsSilence && storage.hasCheckIns())
    let startedAt = evaluatedAt ?? (day + 1).midnight
    let batch = LoadedBatch(plan, runStartedAt: startedAt, zones: zones)
    let wearDays = WearDays(personCount: 1, days: scope.loadedDays, keepsReasons: true)
    batch.own.input.observations.wearDays = wearDays
    let recorder = MetricRowRecorder()
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    let days = scope.loadedDays
    try reader.read { reader in
      try batch.load([person], from: reader)
      guard !isAdherence else { return }
      try reader.readMetrics(
        of: [person], days: days, metrics: [metric.metric],
        reportsWear: false, into: recorder)
    }
    let doses = try batch.dailyAdherence(plan, evaluatedAt: startedAt, zones: zones)
    guard let index = batch.own.metrics.firstIndex(of: metric) else {
      throw StorageError(
        .unknownColumn, "wearable_daily_metrics has no column \(metric.metric)")
    }
    let stored = batch.own.stored(ofSeries: index)
    var series: ExplainedSeries
    let input = batch.own.input
    if isAdherence, let doses {
      let counts = doses.doses(for: metric)
      let broken =
        counts == nil ? [] : try FeedRecord(ofDosesFor: scope, in: storage)?.brokenDays ?? []
      series = ExplainedSeries(
        of: 0, adherence: doses.daily, doses: counts,
        unrecorded: input.unrecordedDays(of: counts, broken: Set(broken))[0],
        workouts: input.block.workoutDays(ofPerson: 0), stored: stored.map(\.episode))
    } else {
      series = ExplainedSeries(
        of: 0, metric: index, in: input.block, stored: stored.map(\.episode))
    }
    series.observed = ObservedDay.days(
      of: recorder.rows, rejected: input.observations.rejections(ofMetric: index), in: series,
      wear: wearDays)
    if !isAdherence { series.wear = wearDays.finding(person: 0, day: day) }
    return ExplanationInput(
      series: series, stored: stored, limits: input.limits[0] ?? [],
      storedLimits: batch.own.stored.filter { $0.key.pattern.isOfLimit }.values.flatMap(\.self))
  }

  /// Computes the scores of one person on one day again.
  ///
  /// - Throws: `StorageError`.
  public func scores(of person: UUID, on day: Day) throws -> ScoreExplanation {
    let scope = RunScope(
      kind: .backfill, days: day...day, mode: .shadow, parts: [.vitality], thresholds: thresholds,
      vitality: vitality)
    let plan = RunPlan(
      scope, availableMetrics: try storage.metricColumns().numeric, followsAdherence: false)
    let batch = LoadedBatch(plan, runStartedAt: (day + 1).midnight, zones: zones)
    guard let loaded = batch.vitality else {
      preconditionFailure("a batch that scores vitality loads its input")
    }
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    try reader.read { try batch.load([person], from: $0) }
    return VitalityScorer(settings: vitality.scores)
      .explain(loaded.block, person: 0, born: loaded.birthDates[0], on: day)
  }

  /// Evaluates the doses of one person's medication up to a day again.
  ///
  /// - Parameters:
  ///   - medication: One of the person's that counts; nil is returned for others.
  ///   - person: The person.
  ///   - day: The last day; doses of the six days before are listed too.
  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read.
  public func doses(
    of medication: UUIDPrefix, of person: UUID, on day: Day
  ) throws -> DoseExplanation? {
    let scope = RunScope(
      kind: .backfill, days: day...day, mode: .shadow, parts: [.adherence], thresholds: thresholds,
      vitality: vitality)
    let plan = RunPlan(
      scope, availableMetrics: try storage.metricColumns().numeric, followsAdherence: true)
    let startedAt = (day + 1).midnight
    let batch = LoadedBatch(plan, runStartedAt: startedAt, zones: zones)
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    try reader.read { try batch.load([person], from: $0) }
    guard let rows = batch.medications else {
      preconditionFailure("a batch that follows doses loads them")
    }
    let known = DoseExplanation.all(of: rows, through: day, evaluatedAt: startedAt)
    try zones.requireNoFault()
    let matching = known.filter { own in
      (medication.lowest.lowercased...medication.highest.lowercased)
        .contains(own.medication.lowercased)
    }
    return matching.count == 1 ? matching[0] : nil
  }
}

/// One series with the rows and the episodes behind it.
public struct ExplanationInput {
  public var series: ExplainedSeries
  /// Stored alerts of the series that the loaded days may touch, by `active_since`.
  public var stored: [PatternAlertState]
  /// The limits that are set for the person.
  public var limits: [PersonLimit] = []
  /// Stored alerts of limits of the person that the loaded days may touch.
  public var storedLimits: [PatternAlertState] = []
}
