import Foundation
import TestSupport
import Testing
import VigilStorage

@testable import VigilDispatch

@Suite("Commands")
struct CommandProviderTests {
  init() {
    // As `vigil dispatch` does: a command need not read its input.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Longer than any command takes: all tests begin together, and a timer may be minutes late in coming to an end.
  private static let patience: Duration = .seconds(3600)

  private func shell(_ script: String, timeout: Duration = patience) -> CommandProvider {
    CommandProvider(path: "/bin/sh", arguments: ["-c", script], timeout: timeout)
  }

  private func delivery(payload: String = standardPayload()) throws -> Delivery {
    Delivery(
      row: try sampleRow(payload: payload), message: nil,
      addresses: [DeliveryAddress("tok", platform: "fcm")])
  }

  @Test(
    "the exit status of a command is its answer",
    arguments: [
      ("test \"$VIGIL_IDEMPOTENCY_KEY\" = anna:alert:ben:push:7", "delivered", false),
      ("exit 75", "failed exit_75", false), ("exit 1", "refused exit_1", false),
      ("kill -KILL $$", "failed signal_9", true), ("exec sleep 100000", "failed timeout", true),
      ("exec <&-; exit 0", "delivered", false),
    ])
  func status(script: String, meaning: String, isUncertain: Bool) async throws {
    let provider = shell(
      script, timeout: meaning.hasSuffix("timeout") ? .milliseconds(300) : Self.patience)
    let answer = await provider.deliver(try delivery())
    #expect(answer.text == meaning)
    #expect(answer.isUncertain == isUncertain)
  }

  @Test("a command reads the row, and gets no variable but those that it needs")
  func inputAndEnvironment() async throws {
    try await TemporaryDirectory.with { folder in
      let answer = await shell("cd '\(folder.path)'; cat >body; env >variables")
        .deliver(try delivery())
      #expect(answer == DeliveryAnswer(.delivered))
      let data = try Data(contentsOf: folder.url("body"))
      let body = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(
        (body["addresses"] as? [[String: String]]) == [["address": "tok", "platform": "fcm"]])
      let names = try String(contentsOf: folder.url("variables"), encoding: .utf8)
        .split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
      // The shell itself adds the second three.
      let allowed: Set = [
        "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "VIGIL_IDEMPOTENCY_KEY",
        "PWD", "OLDPWD", "SHLVL", "_",
      ]
      #expect(Set(names).subtracting(allowed) == [])
      #expect(names.contains("PATH"))
    }
  }

  @Test("a command that is not there is no attempt")
  func noCommand() async throws {
    let provider = CommandProvider(path: "/no/such/command", arguments: [], timeout: Self.patience)
    let answer = await provider.deliver(try delivery())
    #expect(answer.text == "not started command_not_started")
    #expect(!answer.isUncertain)
  }

  @Test("the end of a command is noticed, although others start at that moment and run on")
  func manyCommands() async throws {
    try await TemporaryDirectory.with { folder in
      let (lanes, rounds, period) = (16, 64, 8)
      let pipe = folder.path("end")
      #expect(mkfifo(pipe, 0o600) == 0)
      let gate = open(pipe, O_RDWR | O_CLOEXEC)
      defer { close(gate) }
      let short = CommandProvider(path: "/bin/true", arguments: [], timeout: .seconds(900))
      let long = shell("read line <'\(pipe)'", timeout: Self.patience)
      let delivery = try delivery()
      await withTaskGroup(of: DeliveryAnswer.self) { running in
        await withTaskGroup(of: [DeliveryAnswer].self) { ending in
          for _ in 1...lanes {
            for _ in 1...rounds / period { running.addTask { await long.deliver(delivery) } }
            ending.addTask {
              var answers: [DeliveryAnswer] = []
              for _ in 1...rounds { answers.append(await short.deliver(delivery)) }
              return answers
            }
          }
          for await answers in ending {
            #expect(answers.allSatisfy { $0.result == .delivered }, "\(Set(answers.map(\.text)))")
          }
        }
        // A line for each command that runs on.
        let lines = [UInt8](repeating: 10, count: lanes * rounds / period)
        #expect(write(gate, lines, lines.count) == lines.count)
        for await answer in running { #expect(answer.result == .delivered, "\(answer.text)") }
      }
    }
  }

  /// Whether a process runs; one that has ended may wait for its parent to ask.
  private static func isRunning(_ id: pid_t) -> Bool {
    guard kill(id, 0) == 0 else { return false }
    let state = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return state?.contains(") Z ") != true
  }

  @Test("a command that is killed takes the processes with it that it has started")
  func killedWithChildren() async throws {
    try await TemporaryDirectory.with { folder in
      // The shell waits for a child, which waits for a child of its own.
      let script = "cd '\(folder.path)'; (sleep 100000 & echo $! >new; mv new child; wait) & wait"
      var answer = DeliveryAnswer(.delivered)
      // A slow machine may need longer than the first timeout to start three processes.
      for seconds in [1, 4, 16, 64]
      where !FileManager.default.fileExists(atPath: folder.path("child")) {
        answer = await shell(script, timeout: .seconds(seconds)).deliver(try delivery())
      }
      #expect(answer.text == "failed timeout")
      let text = try String(contentsOf: folder.url("child"), encoding: .utf8)
      let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      for _ in 1...500 where Self.isRunning(child) {
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(!Self.isRunning(child))
    }
  }

  @Test(
    "a command that does not read a long input has its answer, and is killed in time",
    arguments: [
      ("exec sleep 100000", "failed timeout"), ("exit 75", "failed exit_75"),
      ("exec <&-; sleep 0.1; exit 0", "delivered"),
    ])
  func unreadInput(script: String, meaning: String) async throws {
    // Longer than a pipe holds.
    let long = #"{"text":"\#(String(repeating: "x", count: 1 << 20))"}"#
    let timeout: Duration = meaning.hasSuffix("timeout") ? .milliseconds(300) : Self.patience
    let answer = await shell(script, timeout: timeout).deliver(try delivery(payload: long))
    #expect(answer.text == meaning)
  }

  @Test("a command that has begun is waited for where the task is cancelled")
  func cancelled() async throws {
    try await TemporaryDirectory.with { folder in
      let provider = shell("cd '\(folder.path)'; echo >begun; sleep 0.3; echo >ended")
      let delivery = try delivery()
      let attempt = Task { await provider.deliver(delivery) }
      for _ in 1...3000 where !FileManager.default.fileExists(atPath: folder.path("begun")) {
        try await Task.sleep(for: .milliseconds(20))
      }
      attempt.cancel()
      #expect(await attempt.value == DeliveryAnswer(.delivered))
      #expect(FileManager.default.fileExists(atPath: folder.path("ended")))
    }
  }
}
