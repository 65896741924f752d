import Dispatch
import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let runs = [
    ConformanceCheck("a run comes back as it was recorded") {
      let run = try sampleRun(named: "a", startedAt: "2026-03-01T02:00:00.123456Z")
      try $0.put(run)
      #expect(try $0.storage.run(id: run.id) == run)
      #expect(try $0.storage.run(id: person(1)) == nil)
    },

    ConformanceCheck("recording a run again replaces its row") {
      var run = try sampleRun(named: "a", startedAt: "2026-03-01T02:00:00Z")
      run.status = .running
      run.finishedAt = nil
      run.error = nil
      try $0.put(run)
      run.status = .interrupted
      run.finishedAt = try time("2026-03-01T02:00:01Z")
      run.counts.rowsRead += 1
      try $0.put(run)
      #expect(try $0.storage.run(id: run.id) == run)
      #expect(try $0.count("batch_runs") == 1)
    },

    ConformanceCheck("runs are listed newest first, as many as asked for") {
      let starts = ["2026-03-02T02:00:00Z", "2026-03-03T02:00:00Z", "2026-03-01T02:00:00Z"]
      for start in starts { try $0.put(sampleRun(named: start, startedAt: start)) }
      let expected = try starts.sorted(by: >).map { try time($0) }
      #expect(try $0.storage.runs(limit: 10).map(\.startedAt) == expected)
      #expect(try $0.storage.runs(limit: 2).map(\.startedAt) == Array(expected.prefix(2)))
      #expect(try $0.storage.runs(limit: 0).isEmpty)
    },

    ConformanceCheck("the last evaluated day is found among all runs that have succeeded") {
      #expect(try $0.storage.lastEvaluatedDay() == nil)
      var run = try sampleRun(named: "night", startedAt: "2026-03-01T02:00:00Z")
      (run.status, run.error) = (.succeeded, nil)
      try $0.put(run)
      var failed = try sampleRun(named: "failed", startedAt: "2026-03-02T02:00:00Z")
      failed.days = try day("2026-03-01")...day("2026-03-01")
      try $0.put(failed)
      // More newer runs than any list of runs shows, of another part.
      for number in 0..<60 {
        var other = run
        other.id = UUID(name: "other \(number)")
        other.startedAt = try time("2026-03-03T02:\(number < 10 ? "0" : "")\(number):00Z")
        (other.parts, other.vitality) = ([.adherence], nil)
        other.days = try day("2026-03-02")...day("2026-03-02")
        try $0.put(other)
      }
      #expect(try $0.storage.lastEvaluatedDay() == day("2026-03-02"))
      #expect(try $0.storage.lastEvaluatedDay(of: .patterns) == day("2026-02-28"))
      #expect(
        try $0.storage.lastEvaluatedDay(of: .patterns, by: run.thresholds) == day("2026-02-28"))
      let unknown = Profile(version: "v9", digest: run.thresholds.digest)
      #expect(try $0.storage.lastEvaluatedDay(of: .patterns, by: unknown) == nil)
      #expect(try $0.storage.succeededRuns().count == 61)
    },
  ]

  static let locking = [
    ConformanceCheck("doctor names a run that is recorded as running and has no process") {
      func finding(_ storage: any Storage) -> Finding? {
        storage.diagnose().first { $0.check == "runs" }
      }
      #expect(finding($0.storage)?.status == .ok)
      var run = try sampleRun(named: "a", startedAt: "2026-03-01T02:00:00Z")
      run.status = .running
      run.finishedAt = nil
      run.error = nil
      try $0.put(run)
      let abandoned = finding($0.storage)
      #expect(abandoned?.status == .warning)
      #expect(abandoned?.detail.contains("run \(run.id.lowercased), which began at") == true)
      for shard in [RunShard.whole, RunShard(2, of: 3)] {
        let lock = try $0.storage.acquireRunLock(for: run.id, shard: try #require(shard))
        #expect(finding($0.storage)?.status == .ok)
        #expect(try $0.reopened().runsAtWork() == [run.id])
        withExtendedLifetime(lock) {}
      }
      // A server needs a moment to notice that a session has gone.
      let deadline = ContinuousClock.now + .seconds(30)
      while try $0.storage.runsAtWork() != [], ContinuousClock.now < deadline {}
      #expect(try $0.storage.runsAtWork() == [])
      let lock = try $0.storage.acquireRunLock(for: person(1))
      #expect(finding($0.storage)?.status == .warning)
      #expect(try $0.storage.runsAtWork() == [person(1)])
      withExtendedLifetime(lock) {}
    },

    ConformanceCheck("a second run learns which run holds the lock, until that ends") { fixture in
      let first = UUID(name: "first")
      let others = [fixture.storage, try fixture.reopened()]
      var lock: (any RunLock)? = try fixture.storage.acquireRunLock(for: first)
      #expect(lock != nil)
      for other in others {
        let error = expectStorageError(.locked) {
          _ = try other.acquireRunLock(for: UUID(name: "second"))
        }
        #expect(error?.message.contains(first.lowercased) == true)
      }
      lock = nil
      for other in others {
        withExtendedLifetime(try other.acquireRunLock(for: UUID(name: "second"))) {}
      }
    },

    ConformanceCheck("of many that take the lock at once, one gets it") { fixture in
      let locks = Collected<any RunLock>()
      let refusals = Collected<StorageError>()
      DispatchQueue.concurrentPerform(iterations: 8) { attempt in
        do {
          locks.append(try fixture.storage.acquireRunLock(for: UUID(name: "\(attempt)")))
        } catch let error as StorageError {
          refusals.append(error)
        } catch {
          Issue.record(error)
        }
      }
      #expect(locks.values.count == 1)
      #expect(refusals.values.map(\.code) == Array(repeating: .locked, count: 7))
    },
  ]
}
