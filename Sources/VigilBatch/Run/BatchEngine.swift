import Foundation
public import Logging
import VigilDetection
public import VigilModel
public import VigilStorage

/// Runs the nightly job and backfills: batches of persons from storage through the stages and back
/// (specification, runs.md sections 1 and 2).
///
/// For each worker there are two threads: one reads batches of persons ahead, the other evaluates them and
/// writes each in one transaction. Any worker takes the batch that was loaded first, so none is idle while
/// one waits. Memory holds two blocks a worker, for any number of persons. A run and a backfill differ only
/// in their days.
public struct BatchEngine: Sendable {
  /// The clock, zones and signals of the process; the core itself has none.
  public struct Surroundings: Sendable {
    /// The time now.
    public var now: @Sendable () -> Timestamp
    /// The rules of all time zones that rows name.
    public var zones: ZoneCatalog
    /// Whether to stop after the batch in hand.
    public var shouldStop: @Sendable () -> Bool
    /// Whether the end is urgent: a batch in hand that takes longer than a second is then dropped.
    ///
    /// The default is never. The process should end soon after: threads may still be at work on the batch.
    public var isUrgent: @Sendable () -> Bool
    /// The run as it is recorded when it begins, or is continued.
    public var begun: @Sendable (RunRecord) -> Void
    /// Persons done and persons in all; called from any thread.
    public var progress: @Sendable (_ done: Int, _ total: Int) -> Void

    public init(
      now: @escaping @Sendable () -> Timestamp,
      zones: ZoneCatalog,
      shouldStop: @escaping @Sendable () -> Bool = { false },
      isUrgent: @escaping @Sendable () -> Bool = { false },
      begun: @escaping @Sendable (RunRecord) -> Void = { _ in },
      progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
      self.now = now
      self.zones = zones
      self.shouldStop = shouldStop
      self.isUrgent = isUrgent
      self.begun = begun
      self.progress = progress
    }
  }

  let storage: any Storage
  let request: RunRequest
  let surroundings: Surroundings
  let logger: Logger

  public init(
    storage: any Storage, request: RunRequest, surroundings: Surroundings, logger: Logger
  ) {
    self.storage = storage
    self.request = request
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
    let scope = request.scope
    if let candidate = scope.candidate?.profile, candidate == scope.thresholds.profile {
      throw BatchError.ownCandidate(candidate)
    }
    try storage.requireRights(for: scope.mode)
    let columns = try storage.metricColumns()
    if let candidate = scope.candidate {
      try MetricCheck(of: candidate, parts: scope.parts, in: columns)
        .requireMetrics(of: storage.displayName)
    }
    let metrics = MetricCheck(of: scope.thresholds, parts: scope.parts, in: columns)
    let lock = try storage.acquireRunLock(for: request.origin.runID, shard: request.shard)
    return try withExtendedLifetime(lock) {
      let startedAt = try checkedClock()
      var plan = RunPlan(
        scope, availableMetrics: columns.numeric, followsAdherence: try followsAdherence(),
        followsCheckIns: try followsCheckIns(), batchSize: request.options.batchSize)
      if request.options.switchesProfile {
        // Episodes that a switch ends stay ended, so the run must be able to evaluate before it switches.
        try metrics.requireMetrics(of: storage.displayName)
        try plan.requireInput(for: storage.persons(withDataIn: scope.loadedDays), in: storage)
      }
      // Where it fails, no run is recorded yet.
      try prepareHistory(of: &plan)
      let (run, switched) = try begin(at: startedAt)
      surroundings.begun(run)
      try lock.sign(run.id)
      return try ActiveRun(
        run: run, startedAt: startedAt, request: request, plan: plan, storage: storage,
        metrics: metrics, surroundings: surroundings, logger: logger.of(run)
      ).finish(switched)
    }
  }

  /// Takes changes of rows into account, before the readers are made.
  private func prepareHistory(of plan: inout RunPlan) throws {
    let day = request.scope.days.upperBound
    let use = try storage.withRuns { try $0.prepareHistory(ofNight: day) }
    guard request.options.usesHistory, request.scope.kind == .run else { return }
    plan.usesHistory = use.hasCopies
    plan.calmDigests = use.calmDigests
  }

  /// The time now, by which the run is recorded and plans what is due.
  ///
  /// A clock that was set back is refused by live runs, and by shadow runs that take their day from it; others warn.
  func checkedClock() throws -> Timestamp {
    let now = surroundings.now()
    guard let setback = try ClockSetback(now: now, in: storage) else { return now }
    guard request.scope.mode == .shadow else {
      throw BatchError.dueTimesByClockSetBack(setback, of: storage.displayName)
    }
    guard !request.options.takesDayFromClock else {
      throw BatchError.dayByClockSetBack(setback, of: storage.displayName)
    }
    logger.warning(
      "The clock is behind the newest recorded run",
      metadata: ["clock.now": "\(setback.now)", "clock.recorded": "\(setback.recorded)"])
    return now
  }

  /// Doses are followed where any person has a medication or an active episode of adherence.
  func followsAdherence() throws -> Bool {
    if try storage.hasMedications() { return true }
    guard let metric = request.scope.thresholds.adherenceMetric?.metric else {
      return false
    }
    let running = AlertFilter(metric: metric, isActive: true, limit: 1)
    return try !storage.alertStates(matching: running).isEmpty
  }

  /// Check-ins are followed by profiles of silence, where there are any, or any plan of them, or an active episode.
  func followsCheckIns() throws -> Bool {
    guard request.scope.followsSilence else { return false }
    if try storage.hasCheckIns() { return true }
    let running = AlertFilter(metric: .checkInOverdue, isActive: true, limit: 1)
    return try !storage.alertStates(matching: running).isEmpty
  }

  /// Refuses what the database's profile does not allow before anything is written.
  private func begin(at now: Timestamp) throws -> (RunRecord, ProfileSwitch?) {
    let proposed = request.proposedRun(
      at: now, zoneRules: surroundings.zones.version?.description)
    let isSwitching = request.options.switchesProfile
    let feed = try FeedRecord(of: request.scope, in: storage)
    let doseFeed = try FeedRecord(ofDosesFor: request.scope, in: storage)
    let (run, switched) = try storage.withRuns { runs in
      try runs.checkProfiles(
        of: proposed, isSwitching: isSwitching, database: storage.displayName)
      var run = try runs.begin(
        proposed, shard: request.shard, continuing: request.options.continuesInterrupted,
        database: storage.displayName
      ) { try storage.isLocked($0) }
      // The first process of a run decides for all its shards, and for those that continue it.
      if run.feed == nil, let feed {
        run.feed = feed
        try runs.put(run)
      }
      if run.doseFeed == nil, let doseFeed {
        run.doseFeed = doseFeed
        try runs.put(run)
      }
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
    if let feed = run.feed, feed.isBroken(on: run.days.upperBound) {
      logger.of(run).warning(
        "The feed of metric rows seems broken: no silence opens an alert",
        metadata: ["feed.sending": "\(feed.sending)", "feed.usual": "\(feed.usual)"])
    }
    if let feed = run.doseFeed, feed.isBroken(on: run.days.upperBound) {
      logger.of(run).warning(
        "The feed of doses seems broken: doses without a record are no misses",
        metadata: ["feed.sending": "\(feed.sending)", "feed.usual": "\(feed.usual)"])
    }
    logger.of(run).info(
      run.id == proposed.id ? "Run started" : "Run joined",
      metadata: ["run.kind": "\(run.kind.rawValue)", "run.shard": "\(request.shard)"])
    return (run, switched)
  }
}

extension Logger {
  fileprivate func of(_ run: RunRecord) -> Logger {
    var logger = self
    logger[metadataKey: "run.id"] = "\(run.id.lowercased)"
    return logger
  }
}
