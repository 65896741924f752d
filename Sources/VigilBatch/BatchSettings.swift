public import Foundation
import VigilAdherence
public import VigilDetection
public import VigilModel
public import VigilStorage
public import VigilVitality

/// What a run or a backfill is to do.
public struct BatchSettings: Sendable {
  public var kind: RunRecord.Kind
  /// Evaluation days; one for a nightly run.
  public var days: ClosedRange<Day>
  /// Whether `days` follows from the clock instead of having been given.
  public var takesDayFromClock: Bool
  public var mode: RunRecord.Mode
  /// What is evaluated; never empty.
  public var parts: Set<RunPart>
  public var thresholds: Thresholds
  public var vitality: VitalitySettings
  /// Only these persons; nil for everybody who has data.
  public var persons: Set<UUID>?
  /// The part of them that this process evaluates.
  public var shard: RunShard
  /// Whether a run that was to do the same and was cut off is continued.
  public var continuesInterrupted: Bool
  /// Whether it may take the place of a run by other thresholds or vitality settings, whose active episodes
  /// then end; otherwise it is refused.
  public var switchesProfile: Bool
  /// What keeps a live run from sending more than anybody expects.
  public var rateLimit: NotificationRateLimit
  /// Threads that compute, and as many that read ahead of them; one batch is written at a time.
  public var workers: Int
  /// Persons of one batch and transaction; nil for as many as fit the memory of a block.
  public var batchSize: Int?
  /// The share of all rows of the loaded days that may be unusable before the run fails, having
  /// written nothing; from 0 to 1.
  ///
  /// The default is 0.01.
  public var maxBadRowFraction: Double
  /// The id of the run, unless it joins another.
  public var runID: UUID
  public var host: String
  public var engineVersion: String
  /// Whether the run notifies no one and counts active episodes as notified; known when the run has begun.
  var isSilent = false
  /// Whether doses are evaluated too: found out when the run begins.
  var followsAdherence = false
  /// The metrics that the database has: found out when the run begins; nil before.
  var availableMetrics: Set<MetricType>?

  public init(
    kind: RunRecord.Kind, days: ClosedRange<Day>, takesDayFromClock: Bool = false,
    mode: RunRecord.Mode, parts: Set<RunPart> = .all, thresholds: Thresholds,
    vitality: VitalitySettings, persons: Set<UUID>? = nil,
    shard: RunShard = .whole, continuesInterrupted: Bool = true,
    switchesProfile: Bool = false,
    rateLimit: NotificationRateLimit = .standard, workers: Int = 2, batchSize: Int? = nil,
    maxBadRowFraction: Double = 0.01, runID: UUID, host: String, engineVersion: String
  ) {
    self.kind = kind
    self.days = days
    self.takesDayFromClock = takesDayFromClock
    self.mode = mode
    self.parts = parts
    self.thresholds = thresholds
    self.vitality = vitality
    self.persons = persons
    self.shard = shard
    self.continuesInterrupted = continuesInterrupted
    self.switchesProfile = switchesProfile
    self.rateLimit = rateLimit
    self.workers = workers
    self.batchSize = batchSize
    self.maxBadRowFraction = maxBadRowFraction
    self.runID = runID
    self.host = host
    self.engineVersion = engineVersion
  }

  /// The run as it would be recorded if it began now.
  ///
  /// - Parameter zoneRules: The release of the time zone rules.
  func proposedRun(at now: Timestamp, zoneRules: String?) -> RunRecord {
    RunRecord(
      id: runID, kind: kind, days: days, mode: mode, shards: shard.count,
      selection: persons.map { persons in
        UUID(name: "persons:" + persons.map(\.lowercased).sorted().joined(separator: ","))
      },
      thresholds: thresholds.profile,
      parts: parts,
      vitality: scoresVitality
        ? vitality.profile : nil,
      engineVersion: engineVersion, zoneRules: zoneRules, host: host, startedAt: now,
      status: .running)
  }

  func concerns(_ person: UUID) -> Bool {
    shard.contains(person) && persons?.contains(person) ?? true
  }

  /// A live backfill enqueues at most the notifications of its last day.
  var window: FoldWindow {
    FoldWindow(
      evaluating: days, thresholds: thresholds,
      notifiesOnlyOnLast: kind == .backfill && mode == .live)
  }

  /// Doubles that a block holds at most, 4 MiB; there are two blocks a worker.
  static let blockElements = 512 * 1024

  /// Rows of doses take more memory than values of metrics, and each evaluated day has rows of its own.
  private static let mostPersonsWithDoses = 512
  private static let elementsPerEvaluatedDay = 64

  var personsPerBatch: Int {
    if let batchSize { return max(1, batchSize) }
    let days = window.loaded.upperBound - window.loaded.lowerBound + 1
    let vitalityDays = self.vitalityDays.upperBound - self.vitalityDays.lowerBound + 1
    let perPerson =
      max(1, days * metrics.count)
      + (scoresVitality ? vitalityDays * VitalityMetric.allCases.count : 0)
    guard followsAdherence else { return min(1024, max(1, Self.blockElements / perPerson)) }
    let evaluatedDays = self.days.upperBound - self.days.lowerBound + 1
    return min(
      Self.mostPersonsWithDoses,
      max(1, Self.blockElements / (perPerson + evaluatedDays * Self.elementsPerEvaluatedDay)))
  }

  /// The metrics of a block, in its order: those of wearables, then adherence where it is followed.
  var metrics: [MetricThresholds] {
    wearableMetrics + (followsAdherence ? [adherenceMetric].compactMap { $0 } : [])
  }

  /// The metrics that come from wearables and have a column.
  ///
  /// Episodes of the others stay as they are: a column that is not there says nothing about them.
  var wearableMetrics: [MetricThresholds] {
    thresholds.wearableMetrics.filter { isAvailable($0.metric) }
  }

  func isAvailable(_ metric: MetricType) -> Bool { availableMetrics?.contains(metric) ?? true }

  /// Whether the rows of `wearable_daily_metrics` decide about episodes of a metric.
  func isJudgedByMetricRows(_ metric: MetricType) -> Bool {
    metric != adherenceMetric?.metric && isAvailable(metric)
  }

  /// The metric that comes from doses; nil where the thresholds have none.
  var adherenceMetric: MetricThresholds? { thresholds.metrics.first { $0.source == .adherence } }

  /// - Parameter startedAt: When the run began, whoever continues it.
  func adherenceWindow(evaluatedAt startedAt: Timestamp) -> AdherenceWindow {
    guard let dayBefore else {
      return AdherenceWindow(evaluating: days, evaluatedAt: startedAt, daily: loadedDays)
    }
    return AdherenceWindow(
      day: days.upperBound, evaluatedAt: startedAt,
      periods: AdherencePeriod.all(endingAt: days.upperBound) + [dayBefore], daily: loadedDays)
  }

  /// By what a night sees whether earlier ones counted other doses; nil for a backfill, which writes
  /// the days it was given and no others.
  var dayBefore: AdherencePeriod? {
    kind == .run && parts.contains(.adherence)
      ? .period(.ninetyDays, endingAt: days.upperBound - 1) : nil
  }

  // MARK: Vitality

  var scoresVitality: Bool { parts.contains(.vitality) }

  /// Days before an evaluated one that trends look at.
  var trendContext: Int { TrendEvaluator(settings: vitality.trends).reachDays - 1 }

  /// The first day whose trends are evaluated.
  ///
  /// A night goes as far back as its own trends look, for whom something has changed; a backfill writes
  /// the days it was given and no others.
  var firstTrendDay: Day { kind == .run ? days.lowerBound - trendContext : days.lowerBound }

  /// Days that have scores: those whose trends are evaluated, and those before them that trends look at.
  var scoredDays: ClosedRange<Day> { (firstTrendDay - trendContext)...days.upperBound }

  /// Days whose metrics scores are computed from.
  var vitalityDays: ClosedRange<Day> {
    (scoredDays.lowerBound - (vitality.scores.reachDays - 1))...days.upperBound
  }

  /// All days whose input plays a part.
  var loadedDays: ClosedRange<Day> {
    let first = window.loaded.lowerBound
    return (scoresVitality ? min(first, vitalityDays.lowerBound) : first)...days.upperBound
  }
}
