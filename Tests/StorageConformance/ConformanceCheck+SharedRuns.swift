import Dispatch
import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Runs that are shared by several processes, cut off, and continued.
  static let sharedRuns = [
    ConformanceCheck("a run is what its shards and their batches come to") {
      let run = try $0.begin(workOf("a", shards: 2), shard: 1)
      #expect(run.status == .running)
      let joined = try $0.begin(workOf("b", shards: 2), shard: 2)
      #expect(joined.id == run.id)
      try $0.writeBatch(of: run, sampleCheckpoint(1, 3, shard: 1), rowsRead: 30, implausible: 2)
      try $0.writeBatch(of: run, sampleCheckpoint(2, 2, shard: 2), rowsRead: 10, implausible: 1)
      try $0.writeBatch(of: run, sampleCheckpoint(4, 5, shard: 1), rowsRead: 5, implausible: 0)

      let half = try $0.end(run, shard: 1, .succeeded)
      #expect(half.status == .running)
      #expect(half.finishedAt == nil)
      let whole = try $0.end(run, shard: 2, .succeeded, at: "2026-03-01T02:09:00Z")
      #expect(whole.status == .succeeded)
      #expect(whole.finishedAt == (try time("2026-03-01T02:09:00Z")))
      #expect(whole.counts.persons == 6)
      #expect(whole.counts.rowsRead == 45)
      #expect(
        whole.dataQuality == [
          DataQualityCount(metric: MetricType("steps"), reason: "implausible", count: 3)
        ])
      #expect(whole.watermark == (try time("2026-02-28T00:00:30Z")))
      #expect(try $0.storage.run(id: run.id) == whole)
    },

    ConformanceCheck("the same work that was cut off is continued, and no other") {
      let run = try $0.begin(workOf("a"))
      _ = try $0.end(run, .interrupted)
      var others = [
        try workOf("days"), try workOf("mode"), try workOf("kind"), try workOf("thresholds"),
        try workOf("engine"), try workOf("selection"),
      ]
      others[0].days = run.days.lowerBound...(run.days.upperBound + 1)
      others[1].mode = .live
      others[2].kind = .run
      others[3].thresholds.digest = String(repeating: "ef", count: 32)
      others[4].engineVersion = "2.0.0"
      others[5].selection = UUID(name: "some persons")
      for other in others {
        #expect(try $0.begin(other).id == other.id)
        #expect(try $0.end(other, .succeeded).status == .succeeded)
      }
      let anew = try workOf("anew")
      #expect(try $0.begin(anew, continuing: false).id == anew.id)
      _ = try $0.end(anew, .failed, error: "the disk is full")
      // The newest of them.
      let continued = try $0.begin(workOf("b"))
      #expect(continued.id == anew.id)
      #expect(continued.status == .running)
      #expect(continued.error == nil)
      #expect(try $0.end(continued, .succeeded).status == .succeeded)
      #expect(try $0.begin(workOf("c")).id == UUID(name: "c"))
    },

    ConformanceCheck("runs whose processes are gone become interrupted") { fixture in
      let lost = try fixture.begin(workOf("lost"))
      let shared = try fixture.begin(workOf("shared", shards: 3, kind: .run), shard: 2)
      #expect(try fixture.storage.run(id: lost.id)?.status == .interrupted)
      #expect(try fixture.storage.run(id: lost.id)?.error?.contains("without recording") == true)
      _ = try fixture.end(shared, shard: 2, .succeeded)
      #expect(try fixture.storage.run(id: shared.id)?.status == .running)
      _ = try fixture.begin(workOf("next"))
      let half = try #require(try fixture.storage.run(id: shared.id))
      #expect(half.status == .interrupted)
      #expect(half.error == "not all of its shards were run")
    },

    ConformanceCheck("runs that began after an instant are listed newest first") {
      let starts = ["2026-03-02T02:00:00Z", "2026-03-03T02:00:00Z", "2026-03-01T02:00:00Z"]
      for start in starts { try $0.put(sampleRun(named: start, startedAt: start)) }
      let storage = $0.storage
      for (instant, count) in [
        ("2026-03-01T01:59:59.999999Z", 3), ("2026-03-01T02:00:00Z", 2),
        ("2026-03-03T02:00:00Z", 0),
      ] {
        let found = try storage.withRuns { try $0.runs(startedAfter: try time(instant)) }
        #expect(
          found.map(\.startedAt) == (try starts.sorted(by: >).prefix(count).map { try time($0) }))
      }
    },

    ConformanceCheck("shards of another run that are at work are not overtaken") { fixture in
      let night = try fixture.begin(workOf("night", shards: 2), shard: 1)
      var alive: Set<RunShard> = [try shard(1, of: 2)]
      let error = expectStorageError(.locked) {
        _ = try fixture.begin(
          workOf("next night", shards: 2, kind: .run), shard: 2, alive: alive)
      }
      #expect(error?.message.contains(night.id.lowercased) == true)
      #expect(try fixture.storage.run(id: UUID(name: "next night")) == nil)
      // The other shard of the same run may begin.
      #expect(try fixture.begin(workOf("b", shards: 2), shard: 2, alive: alive).id == night.id)
      alive = [try shard(2, of: 2)]
      // The first has exited without recording a result, and is run again while the second is at
      // work.
      #expect(try fixture.begin(workOf("c", shards: 2), shard: 1, alive: alive).id == night.id)
      _ = try fixture.end(night, shard: 1, .succeeded)
      #expect(try fixture.end(night, shard: 2, .succeeded).status == .succeeded)
    },

    ConformanceCheck("shards that begin and end together make one run") { fixture in
      let count = 6
      let ids = Collected<UUID>()
      let storages = try (0..<count).map { _ in try fixture.reopened() }
      DispatchQueue.concurrentPerform(iterations: count) { index in
        do {
          let all = Set(try (1...count).map { try shard($0, of: count) })
          let run = try fixture.begin(
            workOf("\(index)", shards: count), shard: index + 1, alive: all,
            through: storages[index])
          ids.append(run.id)
          try fixture.writeBatch(
            of: run, sampleCheckpoint(index + 1, index + 1, shard: index + 1),
            rowsRead: 1 << index, implausible: 1)
          _ = try fixture.end(run, shard: index + 1, .succeeded, through: storages[index])
        } catch {
          Issue.record(error)
        }
      }
      #expect(Set(ids.values).count == 1)
      let runs = try fixture.storage.runs(limit: 10)
      #expect(runs.map(\.status) == [.succeeded])
      #expect(runs.first?.counts.rowsRead == (1 << count) - 1)
    },

    ConformanceCheck("a shard that fails fails the run, and says which it was") {
      let run = try $0.begin(workOf("a", shards: 2), shard: 1)
      _ = try $0.begin(workOf("b", shards: 2), shard: 2)
      _ = try $0.end(run, shard: 1, .succeeded)
      let failed = try $0.end(run, shard: 2, .failed, error: "the disk is full")
      #expect(failed.status == .failed)
      #expect(failed.error == "shard 2/2: the disk is full")
    },

    ConformanceCheck("checkpoints come back as they were written, and can be forgotten") {
      let run = try $0.begin(workOf("a"))
      var first = sampleCheckpoint(1, 4)
      first.counts.rowsRead = 12
      first.counts.episodesOpened = 7
      first.counts.scoresChanged = 8
      first.counts.insightsFound = 9
      first.dataQuality = [DataQualityCount(metric: nil, reason: "non_wear", count: 2)]
      first.input = InputFingerprint(
        metricRows: 12, newestUpdate: try time("2026-02-28T10:00:00.000001Z"), updateSeconds: 0,
        workoutDays: 3, medicationDigest: -1, vitalityDigest: .min)
      let second = sampleCheckpoint(5, 9)
      for checkpoint in [second, first] {
        _ = try $0.storage.write(
          BatchWrite(
            alertStates: [], notifications: [], queue: .shadow, runID: run.id,
            writtenAt: $0.startOfShard(1, of: run), checkpoint: checkpoint))
      }
      let storage = $0.storage
      #expect(try storage.withRuns { try $0.checkpoints(of: run.id) } == [first, second])
      try storage.withRuns { try $0.forget([first], of: run.id) }
      #expect(try storage.withRuns { try $0.checkpoints(of: run.id) } == [second])
      // What it wrote is counted all the same.
      let ended = try $0.end(run, .succeeded)
      #expect(ended.counts.persons == 5)
      #expect(ended.counts.rowsRead == 0)
      #expect(ended.counts.episodesOpened == 7)
      #expect(ended.counts.scoresChanged == 8)
      #expect(ended.counts.insightsFound == 0)
    },

    ConformanceCheck("checkpoints of runs that have succeeded go in time, their figures stay") {
      let done = try $0.begin(workOf("done"))
      try $0.writeBatch(of: done, sampleCheckpoint(1, 3), rowsRead: 30, implausible: 2)
      let record = try $0.end(done, .succeeded)
      let cutOff = try $0.begin(workOf("cut off", kind: .run))
      #expect(try $0.count("batch_checkpoints") == 0)
      try $0.writeBatch(of: cutOff, sampleCheckpoint(1, 2), rowsRead: 3, implausible: 0)
      _ = try $0.end(cutOff, .interrupted)
      _ = try $0.begin(workOf("next"))
      #expect(try $0.count("batch_checkpoints") == 1)
      let storage = $0.storage
      let now = try time("2026-03-01T02:00:00Z")
      #expect(try storage.withRuns { try $0.decide(.release, run: done.id, at: now) } == record)
    },

    ConformanceCheck("a transaction on runs that throws changes nothing") {
      let storage = $0.storage
      let run = try workOf("a")
      #expect(throws: SampleError.self) {
        try storage.withRuns { runs in
          try runs.put(run)
          throw SampleError()
        }
      }
      #expect(try storage.runs(limit: 10).isEmpty)
    },

    ConformanceCheck("shards have locks of their own, and exclude a run of everybody") { fixture in
      let (one, two) = (try shard(1, of: 2), try shard(2, of: 2))
      let other = try fixture.reopened()
      #expect(try !other.isLocked(one))
      var first: (any RunLock)? = try fixture.storage.acquireRunLock(for: UUID(), shard: one)
      var second: (any RunLock)? = try other.acquireRunLock(for: UUID(), shard: two)
      #expect(try other.isLocked(one))
      #expect(try fixture.storage.isLocked(two))
      #expect(try !fixture.storage.isLocked(shard(1, of: 3)))
      try first?.sign(UUID(name: "joined"))
      let error = expectStorageError(.locked) {
        _ = try other.acquireRunLock(for: UUID(), shard: one)
      }
      #expect(error?.message.contains(UUID(name: "joined").lowercased) == true)
      expectStorageError(.locked) { _ = try other.acquireRunLock(for: UUID()) }
      first = nil
      expectStorageError(.locked) { _ = try other.acquireRunLock(for: UUID()) }
      #expect(second != nil)
      second = nil
      #expect(try !other.isLocked(two))
      let whole = try other.acquireRunLock(for: UUID())
      expectStorageError(.locked) {
        _ = try fixture.reopened().acquireRunLock(for: UUID(), shard: one)
      }
      try whole.sign(UUID(name: "still held"))
    },

    ConformanceCheck("a fingerprint shows whether the input of persons has changed") {
      try $0.addPersons(1, 2, 3)
      try $0.addSteps(1, "2026-02-01", "2026-02-02")
      try $0.addSteps(2, "2026-02-02", "2026-03-01")
      try $0.add(
        .exerciseSessions, ["id", "user_id", "metric_date"],
        [[.uuid(UUID(name: "run")), .uuid(person(1)), .day(day("2026-02-01"))]])
      let reader = try $0.storage.makeReader()
      let february = try day("2026-02-01")...day("2026-02-28")
      let found = try reader.inputFingerprint(
        of: [person(1), person(2), person(3)], days: february)
      #expect(
        found
          == InputFingerprint(
            metricRows: 3, newestUpdate: try time("2026-01-01T00:00:00Z"),
            updateSeconds: 3 * 1_767_225_600, workoutDays: 1))
      let nothing = try reader.inputFingerprint(of: [person(3)], days: february)
      #expect(
        nothing
          == InputFingerprint(metricRows: 0, newestUpdate: nil, updateSeconds: 0, workoutDays: 0))
      try $0.add(
        .wearableDailyMetrics, ["user_id", "metric_date", "source", "steps"],
        [[.uuid(person(2)), .day(day("2026-02-02")), .text("watch"), .real(1)]],
        at: "2026-01-01T00:00:00.000001Z")
      let later = try $0.storage.makeReader()
        .inputFingerprint(of: [person(1), person(2), person(3)], days: february)
      #expect(later.newestUpdate == (try time("2026-01-01T00:00:00.000001Z")))
      #expect(!found.isUnchanged(in: later))
      #expect(found.isUnchanged(in: found))
    },

    ConformanceCheck("a correction that is older than the newest row is seen") {
      try $0.addPersons(1)
      try $0.addSteps(1, "2026-02-01")
      func fingerprint(_ storage: any Storage) throws -> InputFingerprint {
        try storage.makeReader().inputFingerprint(
          of: [person(1)], days: day("2026-02-01")...day("2026-02-28"))
      }
      func add(_ date: String, at now: String, to fixture: any StorageFixture) throws {
        try fixture.add(
          .wearableDailyMetrics, ["user_id", "metric_date", "source", "steps"],
          [[.uuid(person(1)), .day(day(date)), .text("watch"), .real(1)]], at: now)
      }
      try add("2026-02-02", at: "2026-01-09T00:00:00Z", to: $0)
      let found = try fingerprint($0.storage)
      try add("2026-02-01", at: "2026-01-05T00:00:00.5Z", to: $0)
      let corrected = try fingerprint($0.storage)
      #expect(corrected.newestUpdate == found.newestUpdate)
      #expect(!found.isUnchanged(in: corrected))
    },
  ]
}

func shard(_ index: Int, of count: Int) throws -> RunShard {
  try #require(RunShard(index, of: count))
}

/// A run that would begin now; the same work whatever its name.
func workOf(
  _ name: String, shards: Int = 1, kind: RunRecord.Kind = .backfill, mode: RunRecord.Mode = .shadow
) throws -> RunRecord {
  RunRecord(
    id: UUID(name: name), kind: kind, days: try day("2026-02-01")...day("2026-02-28"), mode: mode,
    shards: shards, thresholds: Profile(version: "v1", digest: String(repeating: "cd", count: 32)),
    parts: .all, vitality: nil,
    engineVersion: "1.0.0", host: "host",
    startedAt: try time("2026-03-01T02:00:00Z"), status: .running)
}

extension StorageFixture {
  /// Begins a run, or joins one; `alive` are the shards whose locks other processes hold, which is
  /// all others unless a check says otherwise.
  func begin(
    _ run: RunRecord, shard index: Int = 1, continuing: Bool = true, alive: Set<RunShard>? = nil,
    through storage: (any Storage)? = nil
  ) throws -> RunRecord {
    // Later ones are newer, as they are where the clock goes on.
    var run = run
    run.startedAt = run.startedAt.adding(seconds: Int64(try count("batch_runs")))
    let own = try shard(index, of: run.shards)
    return try (storage ?? self.storage).withRuns { runs in
      try runs.begin(run, shard: own, continuing: continuing, database: "here") {
        alive?.contains($0) ?? true
      }
    }
  }

  func end(
    _ run: RunRecord, shard index: Int = 1, _ status: ShardRecord.Status, error: String? = nil,
    rateLimit: NotificationRateLimit? = nil, at now: String = "2026-03-01T02:05:00Z",
    through storage: (any Storage)? = nil
  ) throws -> RunRecord {
    let now = try time(now)
    let shard = ShardRecord(
      run: run.id, index: index, status: status, host: "host",
      startedAt: try startOfShard(index, of: run), finishedAt: now, error: error)
    return try (storage ?? self.storage).withRuns {
      try $0.end(shard, rateLimit: rateLimit, at: now)
    }
  }

  /// When the process began that has the shard now.
  func startOfShard(_ index: Int, of run: RunRecord) throws -> Timestamp {
    try storage.withRuns { try $0.shards(of: run.id).first { $0.index == index } }?.startedAt
      ?? run.startedAt
  }

  func writeBatch(
    of run: RunRecord, _ checkpoint: BatchCheckpoint, rowsRead: Int, implausible: Int
  ) throws {
    var checkpoint = checkpoint
    checkpoint.counts.rowsRead = rowsRead
    checkpoint.input.newestUpdate = try time("2026-02-28T00:00:00Z")
      .adding(seconds: Int64(rowsRead))
    if implausible > 0 {
      checkpoint.dataQuality = [
        DataQualityCount(metric: MetricType("steps"), reason: "implausible", count: implausible)
      ]
    }
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: run.id,
        writtenAt: startOfShard(checkpoint.shard, of: run), checkpoint: checkpoint))
  }
}
