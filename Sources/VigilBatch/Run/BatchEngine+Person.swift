public import Foundation
import Logging
import VigilDetection
public import VigilModel
import VigilStorage

extension BatchEngine {
  /// Evaluates the alerts of one person, as a night of `day` would now, and writes them and their notifications.
  ///
  /// Call it when new data of the person have arrived. Settings, profile and mode are those of the request; its
  /// days, persons, shard and candidate do not matter. Alerts that it adds or changes are provisional: the next
  /// night evaluates the person as if there had been no such call, and confirms or retracts them. Scores, insights,
  /// measures of doses and refills are left to the night, and so are missed streaks under a profile that does not weigh
  /// doses.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - day: The evaluation day; data of later days play no part.
  ///   - time: For how long another evaluation of the same person is waited for.
  /// - Returns: The alerts that have changed.
  /// - Throws: `StorageError` with `.locked` where another evaluation of the person takes longer; `BatchError` with
  ///   `.unknownPerson`, or with `.overtaken` where nights wrote the person again and again meanwhile; what
  ///   `run()` throws otherwise. Nothing is written then.
  public func evaluate(
    person: UUID, on day: Day, waitingFor time: Duration = .zero
  ) throws -> PersonOutcome {
    let deadline = ContinuousClock.now + time
    try storage.requireCurrentSchema()
    try storage.requireRightsForPersons()
    guard try storage.persons(among: [person]).contains(person) else {
      throw BatchError.unknownPerson(in: storage.displayName)
    }
    let lock = try lock(person, until: deadline)
    return try withExtendedLifetime(lock) {
      for _ in 1...Self.mostAttempts {
        if let outcome = try evaluateOnce(person, on: day) { return outcome }
      }
      throw BatchError.overtaken(in: storage.displayName)
    }
  }

  /// The number of times that a person is evaluated who is written by others meanwhile.
  private static let mostAttempts = 20

  private func lock(
    _ person: UUID, until deadline: ContinuousClock.Instant
  ) throws -> any PersonLock {
    while true {
      do {
        return try storage.acquirePersonLock(for: person)
      } catch let error as StorageError where error.code == .locked {
        guard ContinuousClock.now < deadline else { throw error }
        usleep(10_000)
      }
    }
  }

  /// Nil where another process has written the person meanwhile.
  private func evaluateOnce(_ person: UUID, on day: Day) throws -> PersonOutcome? {
    let scope = RunScope(
      kind: .run, days: day...day, mode: request.scope.mode, parts: [.patterns],
      thresholds: request.scope.thresholds, vitality: request.scope.vitality)
    let columns = try storage.metricColumns()
    let metrics = MetricCheck(of: scope.thresholds, parts: scope.parts, in: columns)
    try metrics.requireMetrics(of: storage.displayName)
    let plan = RunPlan(
      scope, availableMetrics: columns.numeric, followsAdherence: try followsAdherence(),
      followsCheckIns: try followsCheckIns(), batchSize: 1)
    let startedAt = try checkedClock()
    let record = try begin(scope, at: startedAt)
    let alertsBefore = try storage.alertStates(matching: AlertFilter(users: [person]))
    let reader = SharedReader(try storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    let batch = LoadedBatch(plan, runStartedAt: startedAt, zones: surroundings.zones)
    try reader.read { try batch.load([person], from: $0) }
    let worker = BatchWorker(
      plan, run: record, startedAt: startedAt, zones: surroundings.zones, reader: reader)
    let found = try worker.evaluate(batch)
    try surroundings.zones.requireNoFault()
    let write = BatchWrite(
      found, of: batch, plan: plan, record: record, alertsBefore: alertsBefore,
      rateLimit: request.options.rateLimit)
    let result = try storage.write(write)
    guard !result.isOvertaken else { return nil }
    logger.info(
      "Person evaluated",
      metadata: [
        "run.id": "\(record.id.lowercased)", "alerts.changed": "\(write.alertStates.count)",
        "notifications": "\(result.enqueued)",
      ])
    return PersonOutcome(
      record: write.settlement?.evaluation?.record ?? record, changed: write.alertStates,
      enqueued: result.enqueued, leftToNight: result.leftToNight)
  }

  /// Refuses what a night would refuse, and returns the record that counts the evaluation.
  private func begin(_ scope: RunScope, at now: Timestamp) throws -> RunRecord {
    guard let own = try storage.databaseProfiles().first(where: { $0.part == .patterns }) else {
      throw BatchError.noNight(in: storage.displayName)
    }
    let feed = try FeedRecord(of: scope, in: storage)
    return try storage.withRuns { runs in
      var record = RunRecord(
        person: scope, at: now, origin: request.origin,
        zoneRules: surroundings.zones.version?.description)
      record.feed = feed
      try runs.checkProfiles(of: record, isSwitching: false, database: storage.displayName)
      try requireNotifiedAlerts(runs)
      record.isSilent = own.settlesOn != nil
      return record
    }
  }
}

extension RunRecord {
  /// The record of the evaluations of single persons that are the same work on the same day of UTC.
  fileprivate init(person scope: RunScope, at now: Timestamp, origin: RunOrigin, zoneRules: String?)
  {
    let name = [
      "person", "\(now.utcDay)", "\(scope.days.upperBound)", scope.mode.rawValue,
      scope.thresholds.profile.id, origin.engineVersion,
    ].joined(separator: ":")
    self.init(
      id: UUID(name: "batch_runs:\(name)"), kind: .person, days: scope.days, mode: scope.mode,
      selection: UUID(name: "persons:each"), thresholds: scope.thresholds.profile,
      parts: scope.parts, vitality: nil, engineVersion: origin.engineVersion,
      zoneRules: zoneRules, host: origin.host, startedAt: now, finishedAt: now, status: .succeeded)
  }
}
