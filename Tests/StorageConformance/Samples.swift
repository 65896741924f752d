import Foundation
import Testing
import VigilModel
import VigilStorage

/// Person `n`: ids ascend with `n`.
func person(_ n: Int) -> UUID {
  let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(n)".count) + "\(n)"
  return UUID(uuidString: text) ?? UUID()
}

func day(_ text: String) throws -> Day { try #require(Day(text)) }

func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

let runID = UUID(name: "conformance run")

struct SampleError: Error, Equatable {}

extension StorageFixture {
  /// Adds persons with these numbers.
  func addPersons(_ numbers: Int...) throws {
    let now = try time("2026-01-01T00:00:00Z")
    try storage.importRows { writer in
      for number in numbers { try writer.ensureUser(person(number), externalID: nil, now: now) }
    }
  }

  /// Upserts rows into `table`.
  func add(
    _ table: InputTable, _ columns: [String], _ rows: [[InputValue]],
    at now: String = "2026-01-01T00:00:00Z"
  ) throws {
    let now = try time(now)
    try storage.importRows { writer in
      let inserter = try writer.inserter(into: table, columns: columns, now: now)
      for row in rows { try inserter.upsert(row) }
    }
  }

  /// Adds a row with `steps` for each of the days.
  func addSteps(_ number: Int, _ days: String..., source: String = "watch") throws {
    try add(
      .wearableDailyMetrics, ["user_id", "metric_date", "source", "steps"],
      days.map { [.uuid(person(number)), .day(try day($0)), .text(source), .real(1000)] })
  }

  func put(_ run: RunRecord) throws {
    try storage.withRuns { try $0.put(run) }
  }

  /// Writes states and what a live run holds, and lets all of it go.
  ///
  /// - Returns: How many notifications entered the queue.
  func release(
    _ states: [PatternAlertState], _ notifications: [PlannedNotification]
  ) throws -> Int {
    var run = try sampleRun()
    run.mode = .live
    try put(run)
    let before = try count("notification_queue")
    _ = try write(states, notifications, into: .live)
    let now = try time("2026-03-01T02:00:00Z")
    _ = try storage.withRuns { try $0.decide(.release, run: runID, at: now) }
    return try count("notification_queue") - before
  }

  func write(
    _ states: [PatternAlertState], _ notifications: [PlannedNotification] = [],
    into queue: DeliveryQueue = .shadow
  ) throws -> Int {
    try storage.write(
      BatchWrite(
        alertStates: states, notifications: notifications, queue: queue, runID: runID,
        writtenAt: time("2026-03-01T02:00:00Z"))
    ).enqueued
  }
}

let sampleProfile = Profile(version: "v1", digest: String(repeating: "ab", count: 32))

func alertState(
  _ number: Int, metric: String = "steps", pattern: PatternType = .drop,
  since: String = "2026-02-01", evaluated: String = "2026-02-10", level: AlertLevel = .day7,
  resolvedOn: String? = nil, profile: Profile = sampleProfile
) throws -> PatternAlertState {
  let since = try day(since)
  let evaluated = try day(evaluated)
  let now = try time("2026-03-01T02:00:00.000001Z")
  let resolution: Episode.Resolution? = try resolvedOn.map {
    .init(day: try day($0), reason: .recovered)
  }
  if MetricType(metric) == .inactivity {
    return PatternAlertState(
      profile: profile,
      series: SeriesKey(user: person(number), metric: .inactivity, pattern: .silence),
      episode: Episode(
        activeSince: since, lastEvaluated: evaluated, duration: max(1, evaluated - since + 1),
        level: level,
        silence: SilenceEvidence(openedOn: since + 3, threshold: 4, longestPause: 2),
        resolution: resolution), runID: runID, computedAt: now, createdAt: now, updatedAt: now)
  }
  return PatternAlertState(
    profile: profile,
    series: SeriesKey(user: person(number), metric: MetricType(metric), pattern: pattern),
    episode: Episode(
      activeSince: since, lastEvaluated: evaluated, duration: max(1, evaluated - since + 1),
      level: level,
      figures: EpisodeFigures(
        baseline: .init(value: 9000.5, start: since - 20, end: since - 1, count: 18),
        recent: .init(value: 6100.25, start: evaluated - 2, end: evaluated, count: 3),
        deviation: -0.322),
      resolution: resolution),
    runID: runID, computedAt: now, createdAt: now, updatedAt: now)
}

/// An alert about a medication that was found on some days in a row.
func medicationAlert(
  _ number: Int, _ metric: MetricType = .missedStreak,
  of medication: UUID = UUID(name: "medication"),
  since: String = "2026-02-01", days: Int = 3, level: AlertLevel = .day3,
  resolution: Episode.Resolution.Reason? = nil
) throws -> PatternAlertState {
  let (since, now) = (try day(since), try time("2026-03-01T02:00:00.000001Z"))
  let end = since + days
  return PatternAlertState(
    profile: sampleProfile,
    series: SeriesKey(
      user: person(number), medication: medication, metric: metric, pattern: .medication),
    episode: Episode(
      activeSince: since, lastEvaluated: resolution == nil ? end - 1 : end, duration: days,
      level: level,
      figures: EpisodeFigures(
        baseline: .init(value: 0, start: since - 1, end: since - 1, count: 1),
        recent: .init(value: Double(days), start: since, end: end - 1, count: days), deviation: nil),
      resolution: resolution.map { .init(day: end, reason: $0) }),
    runID: runID, computedAt: now, createdAt: now, updatedAt: now)
}

/// Evidence of an episode that opened on its last evaluated day.
func withEvidence(_ state: PatternAlertState) -> PatternAlertState {
  var state = state
  let opened = state.episode.lastEvaluated
  state.episode.figures.recent = .init(
    value: 6100.25, start: state.episode.activeSince, end: opened, count: 9)
  state.episode.evidence = EpisodeEvidence(
    openedOn: opened, windowDays: 9, z: 5.125, threshold: 4.28, shift: 1.375,
    anchor: EvidenceAnchor(
      mean: 93.5, weekdays: [0.5, -0.25, 0, 0.125, 0, 1e-7, -2, 0], spread: 21.5,
      autocorrelation: 0.13, noise: 1.0625))
  return state
}

func notification(
  about state: PatternAlertState, to number: Int, channel: PlannedNotification.Channel = .push
) throws -> PlannedNotification {
  try notification(about: state, to: person(number), channel: channel)
}

func notification(
  about state: PatternAlertState, to recipient: UUID, channel: PlannedNotification.Channel = .push
) throws -> PlannedNotification {
  PlannedNotification(
    recipient: recipient, member: state.series.user, alertStateID: state.id,
    level: state.episode.level, channel: channel,
    payload: #"{"kind":"pattern_alert","note":"it's; fine"}"#, priority: .high,
    scheduledFor: try time("2026-03-01T07:00:00Z"), expiresAt: try time("2026-03-02T07:00:00Z"))
}

/// A finished run; its id is `runID` unless it has a name of its own.
func sampleRun(
  named name: String = "conformance run", startedAt: String = "2026-03-01T02:00:00Z"
) throws -> RunRecord {
  var counts = RunRecord.Counts()
  counts.persons = 1
  counts.series = 2
  counts.daysEvaluated = 3
  counts.rowsRead = 4
  counts.rowsChanged = 2
  counts.valuesRejected = 5
  counts.episodesOpened = 6
  counts.episodesEscalated = 7
  counts.episodesResolved = 8
  counts.notificationsEnqueued = 9
  counts.notificationsHeld = 10
  counts.scoresChanged = 11
  counts.insightsFound = 12
  return RunRecord(
    id: UUID(name: name), kind: .backfill, days: try day("2026-02-01")...day("2026-02-28"),
    mode: .shadow, shards: 3, selection: UUID(name: "some persons"), isSilent: true,
    thresholds: Profile(version: "v1", digest: String(repeating: "cd", count: 32)),
    parts: [.patterns, .vitality],
    vitality: .init(version: "vitality.v1", digest: String(repeating: "ef", count: 32)),
    engineVersion: "1.0.0", host: "night's; host", startedAt: try time(startedAt),
    finishedAt: try time("2026-03-09T00:00:00Z"), counts: counts,
    dataQuality: [
      DataQualityCount(metric: MetricType("steps"), reason: "implausible", count: 3),
      DataQualityCount(metric: nil, reason: "non_wear", count: 4),
    ],
    watermark: try time("2026-02-28T23:59:59.999999Z"), status: .failed,
    error: "the \"disk\" is full")
}

/// The checkpoint of a batch from one person to another.
func sampleCheckpoint(_ first: Int, _ last: Int, shard: Int = 1) -> BatchCheckpoint {
  var counts = RunRecord.Counts()
  counts.persons = last - first + 1
  return BatchCheckpoint(
    shard: shard, firstPerson: person(first), lastPerson: person(last), counts: counts,
    input: InputFingerprint(metricRows: 0, newestUpdate: nil, updateSeconds: 0, workoutDays: 0))
}

/// Keeps what a reader sends.
final class CollectingSink: MetricRowSink {
  struct Row: Equatable {
    var person: Int
    var day: Day
    var source: String
    /// NaN, which equals nothing, is nil here.
    var values: [Double?]
    var isOtherPositive: Bool
    var updatedAt: Timestamp? = try? time("2026-01-01T00:00:00Z")
  }

  private(set) var rows: [Row] = []
  private var sources: [String] = []

  func index(ofSource name: String) -> Int {
    if let index = sources.firstIndex(of: name) { return index }
    sources.append(name)
    return sources.count - 1
  }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    rows.append(
      Row(
        person: person, day: day, source: sources[source],
        values: values.map { $0.isNaN ? nil : $0 }, isOtherPositive: isOtherPositive,
        updatedAt: updatedAt))
  }
}

extension StorageReader {
  func rows(
    of persons: [UUID], _ first: String, _ last: String, _ metrics: String...,
    reportsWear: Bool = false
  ) throws -> [CollectingSink.Row] {
    let sink = CollectingSink()
    try readMetrics(
      of: persons, days: day(first)...day(last), metrics: metrics.map { MetricType($0) },
      reportsWear: reportsWear, into: sink)
    return sink.rows
  }
}

/// Expects `body` to throw a `StorageError` with this code, and returns it.
@discardableResult
func expectStorageError(
  _ code: StorageError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> StorageError? {
  let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  return error
}
