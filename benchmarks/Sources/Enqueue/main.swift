// How long it takes to plan, hold and enqueue notifications, next to nothing else.
//
// usage: Enqueue URL ROWS live|shadow
//
// The schema of URL must be migrated and hold nothing. Prints the seconds of each step.

import Foundation
import VigilModel
import VigilPostgres
import VigilStorage

let arguments = CommandLine.arguments
guard arguments.count == 4, let rows = Int(arguments[2]),
  let mode = RunRecord.Mode(rawValue: arguments[3])
else {
  FileHandle.standardError.write(Data("usage: Enqueue URL ROWS live|shadow\n".utf8))
  exit(64)
}
let storage = try PostgresStorage(url: arguments[1], schema: "public")
let now = Timestamp(microseconds: 1_790_000_000_000_000)
let day = now.utcDay
let channels: [PlannedNotification.Channel] = [.push, .inApp]
/// Two recipients on two channels each.
let alertCount = rows / (2 * channels.count)
let rowsPerBatch = 4000

func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .seconds(1)
}

var run = RunRecord(
  id: UUID(name: "enqueue \(mode)"), kind: .run, days: day...day, mode: mode, shards: 1,
  selection: nil, thresholds: Profile(version: "v1", digest: String(repeating: "0", count: 64)),
  parts: .all, vitality: nil, engineVersion: "benchmark", host: "benchmark",
  startedAt: now, status: .running)

let persons = (0..<alertCount).map { UUID(name: "person \($0)") }.sorted {
  $0.lowercased < $1.lowercased
}
let states = persons.map { person in
  PatternAlertState(
    profile: run.thresholds,
    series: SeriesKey(user: person, metric: MetricType("steps"), pattern: .drop),
    episode: Episode(
      activeSince: day - 6, lastEvaluated: day, duration: 7, level: .day7,
      figures: EpisodeFigures(
        baseline: .init(value: 9000, start: day - 27, end: day - 7, count: 21),
        recent: .init(value: 6000, start: day - 2, end: day, count: 3), deviation: -1 / 3),
      resolution: nil),
    runID: run.id, computedAt: now, createdAt: now, updatedAt: now)
}
let planned = states.indices.map { index in
  let state = states[index]
  let user = state.series.user
  return (1...2).map { persons[(index + $0) % alertCount] }.flatMap { recipient in
    channels.map { channel in
      PlannedNotification(
        recipient: recipient, member: user, alertStateID: state.id, level: .day7, channel: channel,
        payload: """
          {"active_since":"\(day - 6)","detail":"standard","deviation":-0.3333333333333333,\
          "evaluated_end_date":"\(day)","kind":"pattern_alert","level":7,\
          "member_user_id":"\(user.lowercased)","metric_type":"steps",\
          "pattern_type":"drop_vs_baseline","severity":"attention"}
          """, priority: .high, scheduledFor: now, expiresAt: now.adding(seconds: 86_400))
    }
  }
}

try storage.importRows { writer in
  for person in persons { try writer.ensureUser(person, externalID: nil, now: now) }
}
_ = try storage.write(
  BatchWrite(
    alertStates: states, notifications: [], queue: .shadow, runID: run.id, writtenAt: now))
run = try storage.withRuns { runs in
  try runs.begin(
    run, shard: .whole, continuing: false, database: storage.displayName, isAlive: { _ in false })
}

let written = try seconds {
  var first = 0
  while first < planned.count {
    let end = min(planned.count, first + rowsPerBatch / 4)
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: planned[first..<end].flatMap(\.self),
        queue: mode == .live ? .live : .shadow, runID: run.id, writtenAt: now))
    first = end
  }
}
let ended = try seconds {
  let shard = ShardRecord(
    run: run.id, status: .succeeded, host: run.host, startedAt: run.startedAt, finishedAt: now)
  _ = try storage.withRuns { runs in
    try runs.end(shard, rateLimit: mode == .live ? .count(.max) : nil, at: now)
  }
}
print("\(mode): written\t\(written)\t\t")
print("\(mode): decided and let go\t\(ended)\t\t")
