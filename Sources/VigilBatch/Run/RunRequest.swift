public import Foundation
import VigilDetection
import VigilModel
public import VigilStorage
import VigilVitality

/// A run or a backfill as it was asked for, before anything is known about the database.
///
/// The engine resolves it against a database into a `RunPlan`.
///
/// ```swift
/// import ShippedThresholds
/// import VigilDetection
/// import VigilStorage
/// import VigilVitality
///
/// guard let day = Day("2026-06-30") else { return }
/// let thresholds = try Thresholds(
///   json: Data(ShippedThresholds.named("v2") ?? []), file: "v2.json", digest: "")
/// let vitality = try VitalitySettings(
///   json: Data(ShippedThresholds.named("vitality.v2") ?? []), file: "vitality.v2.json", digest: "")
/// let request = RunRequest(
///   RunScope(
///     kind: .run, days: day...day, mode: .shadow, thresholds: thresholds, vitality: vitality),
///   origin: RunOrigin(runID: UUID(), host: "nas", engineVersion: "0.1.0"))
/// print(request.shard, request.options.maxBadRowFraction)  // 1/1 0.01
/// ```
public struct RunRequest: Sendable {
  public let scope: RunScope
  /// Only these persons; nil for all persons with data.
  public let persons: Set<UUID>?
  /// The part of them that this process evaluates.
  public let shard: RunShard
  public let options: RunOptions
  public let origin: RunOrigin

  public init(
    _ scope: RunScope, persons: Set<UUID>? = nil, shard: RunShard = .whole,
    options: RunOptions = RunOptions(), origin: RunOrigin
  ) {
    self.scope = scope
    self.persons = persons
    self.shard = shard
    self.options = options
    self.origin = origin
  }

  /// Whether a person is one of those that this process evaluates.
  func includes(_ person: UUID) -> Bool {
    shard.contains(person) && persons?.contains(person) ?? true
  }

  /// The run as it would be recorded if it began now.
  ///
  /// - Parameter zoneRules: The release of the time zone rules.
  func proposedRun(at now: Timestamp, zoneRules: String?) -> RunRecord {
    RunRecord(
      id: origin.runID, kind: scope.kind, days: scope.days, mode: scope.mode, shards: shard.count,
      selection: persons.map { persons in
        UUID(name: "persons:" + persons.map(\.lowercased).sorted().joined(separator: ","))
      },
      thresholds: scope.thresholds.profile, candidate: scope.candidate?.profile,
      parts: scope.parts,
      vitality: scope.scoresVitality ? scope.vitality.profile : nil,
      engineVersion: origin.engineVersion, zoneRules: zoneRules, host: origin.host,
      startedAt: now, status: .running)
  }
}

/// Options that do not change what a run finds.
public struct RunOptions: Sendable {
  /// Whether the days follow from the clock instead of having been given.
  public var takesDayFromClock = false
  /// Whether a run that was to do the same and was cut off is continued.
  public var continuesInterrupted = true
  /// Whether the run may take the place of one with other thresholds or vitality settings, whose active
  /// episodes then end; otherwise it is refused.
  public var switchesProfile = false
  /// The most notifications that a live run may enqueue without a decision.
  public var rateLimit = NotificationRateLimit.standard
  /// The share of all rows of the loaded days that may be unusable before the run fails, having
  /// written nothing; from 0 to 1.
  public var maxBadRowFraction = 0.01
  /// Whether a night reads metric rows from the copies that nights before made; it finds the same without.
  public var usesHistory = true
  /// Threads that compute, and as many that read ahead of them; one batch is written at a time.
  public var workers = 2
  /// Persons of one batch and transaction; nil for as many as fit the memory of a block.
  public var batchSize: Int?

  public init() {}
}

/// The origin of a run, as in its record.
public struct RunOrigin: Sendable {
  /// The id of the run, unless it joins another.
  public var runID: UUID
  public var host: String
  public var engineVersion: String

  public init(runID: UUID, host: String, engineVersion: String) {
    self.runID = runID
    self.host = host
    self.engineVersion = engineVersion
  }
}
