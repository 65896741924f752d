import Foundation
import Logging
import TestSupport
import Testing
import VigilStorage

@testable import vigil

/// The metrics file after a command, whatever happens in between.
@Suite struct RunAttemptTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.appending(path: "textfiles/vigil.prom").path
    try makeFolder()
  }

  private var parent: URL { folder.url.appending(path: "textfiles") }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
  }

  private func report(_ body: () throws -> Void) throws {
    try RunAttempt.report(.run, to: path, clock: CommandClock(), logger: Logger(label: "test")) {
      _ in try body()
    }
  }

  @Test func successfulRunEndsWith73AndSaysThatItIsRecorded() throws {
    let failure = try #require(throws: CommandFailure.self) {
      try report { try FileManager.default.removeItem(at: parent) }
    }
    #expect(failure.status == .cannotCreate)
    #expect(failure.message?.contains("metrics file \(path)") == true)
    #expect(failure.message?.contains("the run itself is done and recorded") == true)
  }

  @Test func failedRunKeepsItsOwnStatusAndNamesBoth() throws {
    let failure = try #require(throws: CommandFailure.self) {
      try report {
        try FileManager.default.removeItem(at: parent)
        throw CommandFailure(.tryAgain, "locked by run 1")
      }
    }
    #expect(failure.status == .tryAgain)
    #expect(failure.line?.hasPrefix("vigil: locked by run 1; metrics file ") == true)
  }

  @Test func interruptedRunIsNoSuccess() throws {
    try report {}
    let good = try PrometheusText(String(contentsOfFile: path, encoding: .utf8))
    #expect(throws: CommandFailure.self) { try report { throw CommandFailure(.terminated) } }
    let read = try PrometheusText(String(contentsOfFile: path, encoding: .utf8))
    #expect(read.value("vigil_run_exit_status", ["kind": "run"]) == 143)
    #expect(read.value("vigil_run_status", ["kind": "run", "status": "interrupted"]) == 1)
    let success = "vigil_last_success_timestamp_seconds"
    #expect(read.value(success, ["kind": "run"]) == good.value(success, ["kind": "run"]))
  }

  @Test func partialFileOfAKilledCommandIsTakenOver() throws {
    try Data(count: 10_000).write(to: parent.appending(path: "vigil.prom.partial"))
    try report {}
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == ["vigil.prom"])
    _ = try PrometheusText(String(contentsOfFile: path, encoding: .utf8))
  }

  @Test func commandsThatEndAtTheSameTimeLoseNoSuccess() async throws {
    // A success is never earlier than the one that was there; a lost one would be.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let kind: RunRecord.Kind = worker.isMultiple(of: 2) ? .run : .backfill
            let isRefused = worker < 2
            let before = Date().timeIntervalSince1970
            try? RunAttempt.report(
              kind, to: path, clock: CommandClock(), logger: Logger(label: "test")
            ) { _ in
              if isRefused { throw CommandFailure(.tryAgain) }
            }
            let read = try PrometheusText(String(contentsOfFile: path, encoding: .utf8))
            guard !isRefused else { continue }
            let success = try #require(
              read.value("vigil_last_success_timestamp_seconds", ["kind": kind.rawValue]))
            #expect(success >= before)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == ["vigil.prom"])
  }

  @Test func readerOfTheOutputThatHasGoneIsASuccess() throws {
    #expect(throws: StandardOutput.ReaderHasGone.self) {
      try report { throw StandardOutput.ReaderHasGone() }
    }
    let read = try PrometheusText(String(contentsOfFile: path, encoding: .utf8))
    #expect(read.value("vigil_run_exit_status", ["kind": "run"]) == 0)
  }
}
