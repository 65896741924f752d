import Foundation
public import Logging
import VigilDetection
public import VigilModel
public import VigilStorage

/// Runs the nightly job and backfills: blocks of persons from storage through the pure core and back
/// (specification, runs.md sections 1 and 2).
///
/// For each worker there are two threads: one reads batches of persons ahead, the other folds them and
/// writes the outcome of each in one transaction. Any worker takes the batch that was loaded first, so
/// none is idle while one waits; whatever the number of persons, memory holds two blocks a worker. A
/// run and a backfill differ only in their days.
public struct BatchEngine: Sendable {
  /// What the engine asks of its surroundings; the core itself has no clock and no signals.
  public struct Surroundings: Sendable {
    /// The time now.
    public var now: @Sendable () -> Timestamp
    /// The rules of all time zones that rows name.
    public var zones: ZoneCatalog
    /// Whether to stop after the batch in hand.
    public var shouldStop: @Sendable () -> Bool
    /// The run as it is recorded when it begins, or is continued.
    public var begun: @Sendable (RunRecord) -> Void
    /// Persons done and persons in all; called from any thread.
    public var progress: @Sendable (_ done: Int, _ total: Int) -> Void

    public init(
      now: @escaping @Sendable () -> Timestamp,
      zones: ZoneCatalog,
      shouldStop: @escaping @Sendable () -> Bool = { false },
      begun: @escaping @Sendable (RunRecord) -> Void = { _ in },
      progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
      self.now = now
      self.zones = zones
      self.shouldStop = shouldStop
      self.begun = begun
      self.progress = progress
    }
  }

  let storage: any Storage
  let settings: BatchSettings
  let surroundings: Surroundings
  let logger: Logger

  public init(
    storage: any Storage, settings: BatchSettings, surroundings: Surroundings, logger: Logger
  ) {
    self.storage = storage
    self.settings = settings
    self.surroundings = surroundings
    self.logger = logger
  }

  /// Does the run, or continues one that was to do the same and was cut off.
  ///
  /// A run that was asked to stop ends with status `interrupted` and returns; batches that were
  /// written stay written, and the same run again ends like an undisturbed one. One that would enqueue
  /// more than its rate limit allows ends with status `held`.
  ///
  /// - Throws: `StorageError`, `BatchError`, or `ZoneFault` where the rules of a time zone that the
  ///   input names cannot be read; the run is then recorded as failed where the database
  ///   still allows it.
  public func run() throws -> RunOutcome {
    try storage.requireCurrentSchema()
    try checkClock(at: surroundings.now())
    try storage.requireRights(for: settings.mode)
    let columns = try storage.metricColumns()
    let metrics = MetricCheck(of: settings.thresholds, parts: settings.parts, in: columns)
    let lock = try storage.acquireRunLock(for: settings.runID, shard: settings.shard)
    return try withExtendedLifetime(lock) {
      var settings = settings
      settings.followsAdherence = try followsAdherence()
      settings.availableMetrics = columns.numeric
      if settings.switchesProfile {
        // Episodes that a switch ends stay ended, so that nothing may be wrong with what comes after.
        try metrics.requireMetrics(of: storage.displayName)
        try settings.requireInput(
          for: storage.persons(withDataIn: settings.loadedDays), in: storage)
      }
      let startedAt = surroundings.now()
      let (run, switched) = try begin(at: startedAt)
      surroundings.begun(run)
      try lock.sign(run.id)
      settings = settings.joining(run)
      return try ActiveRun(
        run: run, startedAt: startedAt, storage: storage, settings: settings, metrics: metrics,
        surroundings: surroundings, logger: logger.of(run)
      ).finish(switched)
    }
  }

  /// Refuses to take the day from a clock that was set back; where the days were given, says so.
  private func checkClock(at now: Timestamp) throws {
    let newest = try storage.runs(limit: 1).first
    guard let setback = ClockSetback(now: now, newestRun: newest?.startedAt) else { return }
    guard !settings.takesDayFromClock else {
      throw BatchError.clockSetBack(setback, of: storage.displayName)
    }
    logger.warning(
      "The clock is behind the newest recorded run",
      metadata: ["clock.now": "\(setback.now)", "clock.recorded": "\(setback.recorded)"])
  }

  /// Where nobody has a medication, nothing is read for it; episodes that run are followed to their end.
  private func followsAdherence() throws -> Bool {
    if try storage.hasMedications() { return true }
    guard let metric = settings.adherenceMetric?.metric else { return false }
    let running = AlertFilter(metric: metric, isActive: true, limit: 1)
    return try !storage.alertStates(matching: running).isEmpty
  }

  /// Refuses what the database's profile does not allow before anything is written.
  private func begin(at now: Timestamp) throws -> (RunRecord, ProfileSwitch?) {
    let proposed = settings.proposedRun(
      at: now, zoneRules: surroundings.zones.version?.description)
    let isSwitching = settings.switchesProfile
    let (run, switched) = try storage.withRuns { runs in
      try runs.checkProfiles(
        of: proposed, isSwitching: isSwitching, database: storage.displayName)
      var run = try runs.begin(
        proposed, shard: settings.shard, continuing: settings.continuesInterrupted,
        database: storage.displayName
      ) { try storage.isLocked($0) }
      let switched = try runs.adoptProfiles(of: &run, isSwitching: isSwitching, at: now)
      try requireNotifiedAlerts(runs)
      return (run, switched)
    }
    if let switched {
      logger.of(run).notice(
        "The profile was switched",
        metadata: [
          "profile.from": "\(switched.from?.id ?? "several")", "profile.to": "\(switched.to.id)",
          "episodes.ended": "\(switched.episodesEnded)",
        ])
    }
    logger.of(run).info(
      run.id == proposed.id ? "Run started" : "Run joined",
      metadata: ["run.kind": "\(run.kind.rawValue)", "run.shard": "\(settings.shard)"])
    return (run, switched)
  }
}

extension BatchSettings {
  fileprivate func joining(_ run: RunRecord) -> BatchSettings {
    var settings = self
    settings.runID = run.id
    settings.isSilent = run.isSilent
    return settings
  }
}

extension Logger {
  fileprivate func of(_ run: RunRecord) -> Logger {
    var logger = self
    logger[metadataKey: "run.id"] = "\(run.id.lowercased)"
    return logger
  }
}
