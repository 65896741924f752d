import Foundation
import TestDatabases
import TestSupport
import Testing
import Yams

/// The indexed Jobs of Kubernetes in `packaging/kubernetes`: all their indexes as processes, some of
/// which are killed and repeated.
@Suite struct IndexedJobTests {
  static let manifests = ["night.yaml", "backfill.yaml"]

  /// A Job as Kubernetes carries it out.
  private struct IndexedJob {
    var arguments: [String]
    var completions: Int
    /// Exit codes after which an index is not repeated.
    var finalCodes: [Int32]

    init(_ name: String) throws {
      let file = SharedFolder.repository.appending(path: "packaging/kubernetes/\(name)")
      let text = try String(contentsOf: file, encoding: .utf8)
      let manifest = try #require(try Yams.load(yaml: text) as? [String: Any])
      var spec = try #require(manifest["spec"] as? [String: Any])
      if manifest["kind"] as? String == "CronJob" {
        let template = try #require(spec["jobTemplate"] as? [String: Any])
        spec = try #require(template["spec"] as? [String: Any])
      }
      try #require(spec["completionMode"] as? String == "Indexed")
      completions = try #require(spec["completions"] as? Int)
      let template = try #require(spec["template"] as? [String: Any])
      let pod = try #require(template["spec"] as? [String: Any])
      let containers = try #require(pod["containers"] as? [[String: Any]])
      let container = try #require(containers.first)
      try #require(container["command"] as? [String] == ["/usr/bin/vigil"])
      arguments = try #require(container["args"] as? [String])
      let policy = try #require(spec["podFailurePolicy"] as? [String: Any])
      let rules = try #require(policy["rules"] as? [[String: Any]])
      let codes = rules.compactMap { $0["onExitCodes"] as? [String: Any] }
        .compactMap { $0["values"] as? [Int] }
      finalCodes = codes.joined().map(Int32.init)
    }

    /// One pod of an index, from 0.
    func run(
      _ index: Int, in folder: TemporaryFolder, killedAfter delay: Double? = nil
    ) async throws -> CommandRun {
      // The night that the CronJob would take from the clock.
      let date = arguments.contains("backfill") ? [] : ["--date", "2026-06-30"]
      return try await CommandRun.vigil(
        arguments: arguments + date, in: folder, environment: ["JOB_COMPLETION_INDEX": "\(index)"],
        whileRunning: { process in
          guard let delay else { return }
          Thread.sleep(forTimeInterval: delay)
          if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        })
    }

    /// The same days in one process.
    func undivided(in folder: TemporaryFolder) async throws -> CommandRun {
      let shard = try #require(arguments.firstIndex(of: "--shard"))
      var whole = self
      whole.arguments.removeSubrange(shard...shard + 1)
      return try await whole.run(0, in: folder)
    }
  }

  private func imported(people: Int) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(.postgres)
    for command in [
      ["generate", "data", "--people", "\(people)", "--days", "130", "--seed", "9"]
        + ["--end-date", "2026-06-30"],
      ["import", "csv", "data"],
    ] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      try #require(run.status == 0, "\(run.errors)")
    }
    return folder
  }

  private static func records(in folder: TemporaryFolder) throws -> [String] {
    try folder.database.dump(
      "batch_runs", without: ["id", "host", "shards", "started_at", "finished_at"])
  }

  @Test(arguments: manifests)
  func podsThatAreKilledAndRepeatedLeaveTheRowsOfOneProcess(manifest: String) async throws {
    let job = try IndexedJob(manifest)
    let imported = try await imported(people: 24)
    let whole = try imported.copyOfDatabase()
    let undivided = try await job.undivided(in: whole)
    try #require(undivided.status == 0, "\(undivided.errors)")

    let folder = try imported.copyOfDatabase()
    var random = SeededGenerator(seed: 4)
    let delays = (0..<job.completions).map { _ in Double.random(in: 0...0.6, using: &random) }
    try await withThrowingTaskGroup(of: Void.self) { pods in
      for (index, delay) in delays.enumerated() {
        pods.addTask {
          // Every second pod is killed, once or twice.
          for attempt in 0..<8 {
            let isKilled = index % 2 == 1 && attempt <= index / 2
            let pod = try await job.run(
              index, in: folder, killedAfter: isKilled ? delay * Double(attempt + 1) : nil)
            #expect(!job.finalCodes.contains(pod.status), "\(pod.errors)")
            if pod.status == 0 { return }
            #expect(pod.status == SIGKILL && isKilled, "\(pod.status): \(pod.errors)")
          }
          Issue.record("index \(index) came to no end")
        }
      }
      try await pods.waitForAll()
    }
    let expected = try whole.database.outcome()
    #expect(expected.count > 24)
    #expect(try folder.database.outcome() == expected)
    #expect(try Self.records(in: folder) == Self.records(in: whole))
    #expect(
      try folder.database.rows("SELECT shard, status FROM run_shards ORDER BY shard")
        == (1...job.completions).map { "\($0)|succeeded" })

    // A pod whose end Kubernetes did not hear of is repeated too.
    let again = try await job.run(0, in: folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.database.outcome() == expected)
  }

  @Test(arguments: [
    (nil, "needs JOB_COMPLETION_INDEX in the environment"),
    ("4", "has the parts 0 to 3; give the Job 4 completions"),
    ("-1", "has the parts 0 to 3"), ("", "has the parts 0 to 3"), ("1x", "has the parts 0 to 3"),
  ])
  func indexesThatNoPartHasAreRefused(index: String?, text: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.vigil(
      "run", "--shard", "JOB_COMPLETION_INDEX/4", in: folder,
      environment: index.map { ["JOB_COMPLETION_INDEX": $0] } ?? [:])
    #expect(run.status == 64 && run.errors.contains(text), "\(run.status): \(run.errors)")
  }

  @Test(arguments: manifests)
  func theJobHasAsManyCompletionsAsTheShardHasParts(manifest: String) throws {
    let job = try IndexedJob(manifest)
    let option = try #require(job.arguments.firstIndex(of: "--shard"))
    #expect(job.arguments[option + 1] == "JOB_COMPLETION_INDEX/\(job.completions)")
  }
}
