import ArgumentParser
import Foundation
import Synchronization
import TestDatabases
import TestSupport
import VigilModel

@testable import vigil

/// A command that has ended.
///
/// It is called in the process of the tests, through the entry of the executable. The built executable is
/// run where the process is the subject: signals, streams, privileges, limits, variables of libraries.
struct CommandRun {
  var status: Int32
  var output: String
  var errors: String

  struct TimedOut: Error, CustomStringConvertible {
    var arguments: [String]
    var description: String { "still running after its time: vigil \(arguments)" }
  }

  /// The number of commands that run side by side, without those that are run while another one is.
  ///
  /// All tests begin together; hundreds of processes at once would be slow, and Foundation can keep only so
  /// many pipes open.
  private static let turns = DispatchSemaphore(value: 16)

  static func vigil(
    _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:],
    standardInput: String? = nil,
    whileRunning: (@Sendable (Process) throws -> Void)? = nil
  ) async throws -> CommandRun {
    try await vigil(
      arguments: arguments, in: folder, environment: environment, standardInput: standardInput,
      whileRunning: whileRunning)
  }

  /// Runs `vigil arguments` in `folder`, on its database, by the clock of tests, with no other
  /// environment than the given one.
  ///
  /// - Parameters:
  ///   - launcher: Put before the executable, such as a command that drops privileges; the command is then
  ///     a process.
  ///   - standardInput: What the command can read; nil for nothing.
  ///   - standardOutput: Where the output of a process goes; nil collects it.
  ///   - timeout: Seconds until a process is killed and the test fails, once `whileRunning` returned.
  ///   - isProcess: Whether the command is a process without any of these.
  ///   - whileRunning: Called with the process after its start; the process is killed where it throws.
  static func vigil(
    arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    launcher: [String] = [], standardInput: String? = nil, standardOutput: FileHandle? = nil,
    timeout: Double = 120, isProcess: Bool = false,
    whileRunning: (@Sendable (Process) throws -> Void)? = nil
  ) async throws -> CommandRun {
    try await onOwnThread {
      try blocking(
        arguments, in: folder, environment: environment, launcher: launcher,
        standardInput: standardInput, standardOutput: standardOutput, timeout: timeout,
        isProcess: isProcess, whileRunning: whileRunning)
    }
  }

  /// Waiting blocks, so it gets a thread of its own instead of one that tests share.
  static func onOwnThread(
    _ run: @escaping @Sendable () throws -> CommandRun
  ) async throws -> CommandRun {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        turns.wait()
        defer { turns.signal() }
        continuation.resume(with: Result { try run() })
      }
    }
  }

  /// The same on the caller's thread, for what happens while another command runs.
  ///
  /// A task of its own could wait there for as long as other tests block the threads of tasks.
  static func blocking(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    launcher: [String] = [], standardInput: String? = nil, standardOutput: FileHandle? = nil,
    timeout: Double = 120, isProcess: Bool = false,
    whileRunning: ((Process) throws -> Void)? = nil
  ) throws -> CommandRun {
    let environment = base(in: folder.url).merging(folder.database.environment) { $1 }
      .merging(profile(of: arguments)) { $1 }.merging(environment) { $1 }
    let needsProcess =
      isProcess || folder.hasProcesses || !launcher.isEmpty || standardOutput != nil
      || whileRunning != nil || delivers(arguments)
      || environment.keys.contains(where: isOfLibraries)
    guard needsProcess else {
      return try CommandInProcess(
        arguments: onTime(arguments), folder: folder.url.path, environment: environment,
        standardInput: standardInput ?? ""
      ).run()
    }
    return try run(
      launcher + [try BuiltExecutable.url("vigil").path] + onTime(arguments), in: folder.url,
      environment: environment, standardInput: standardInput, standardOutput: standardOutput,
      timeout: timeout, whileRunning: whileRunning)
  }

  private static func base(in folder: URL) -> [String: String] {
    ["PATH": "/usr/bin:/bin", "HOME": folder.path]
  }

  /// Whether a command delivers in time-limited tasks of its own, which tests that block the threads of tasks
  /// would keep waiting.
  private static func delivers(_ arguments: [String]) -> Bool {
    arguments.first == "dispatch" && !arguments.contains("--dry-run")
  }

  /// Whether a variable is read by a library, from the process.
  private static func isOfLibraries(_ variable: String) -> Bool {
    let known = ["PATH", "HOME", "NO_COLOR", "TZDIR", "COLUMNS", "JOB_COMPLETION_INDEX"]
    return !known.contains(variable) && !variable.hasPrefix("VIGIL")
  }

  /// Runs another command, in a folder.
  static func command(_ command: [String], in folder: TemporaryFolder) async throws -> CommandRun {
    try await onOwnThread {
      try run(
        command, in: folder.url, environment: base(in: folder.url), standardInput: nil,
        standardOutput: nil,
        timeout: 1800, whileRunning: nil)
    }
  }

  /// Gives a run v1, where it has no other profile: most tests follow alerts, and v1 raises many.
  ///
  /// A test of the default gives `thresholdsOfDatabase`.
  private static func profile(of arguments: [String]) -> [String: String] {
    guard ["run", "backfill"].contains(arguments.first), !arguments.contains("--thresholds") else {
      return [:]
    }
    return ["VIGIL_THRESHOLDS": "v1"]
  }

  /// Leaves the choice of the profile to the command.
  static let thresholdsOfDatabase = ["VIGIL_THRESHOLDS": "auto"]

  /// Gives a command the clock of tests, where it has no other one.
  private static func onTime(_ arguments: [String]) -> [String] {
    let isCommand = Vigil.configuration.subcommands.contains { command in
      command.configuration.commandName == arguments.first
    }
    guard isCommand, !arguments.contains("--now") else { return arguments }
    return arguments + ["--now", TestClock.now.description]
  }

  private static func run(
    _ command: [String], in folder: URL, environment: [String: String], standardInput: String?,
    standardOutput: FileHandle?, timeout: Double, whileRunning: ((Process) throws -> Void)?
  ) throws -> CommandRun {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = folder
    process.environment = environment
    let (output, errors) = try Process.startingAlone {
      let (output, errors) = (Collector(), Collector())
      if let standardInput {
        // Small enough for a pipe that no process reads yet.
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(standardInput.utf8))
        try pipe.fileHandleForWriting.close()
        process.standardInput = pipe
      } else {
        process.standardInput = FileHandle.nullDevice
      }
      process.standardOutput = standardOutput.map { $0 as Any } ?? output.pipe
      process.standardError = errors.pipe
      try process.run()
      return (output, errors)
    }
    // Both are read while the command runs: a full pipe would block it.
    output.start()
    errors.start()
    if standardOutput != nil { try output.pipe.fileHandleForWriting.close() }
    do {
      try whileRunning?(process)
    } catch {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      throw error
    }
    var isTooLate = false
    let deadline = Date(timeIntervalSinceNow: timeout)
    while process.isRunning {
      if Date() > deadline {
        isTooLate = true
        kill(process.processIdentifier, SIGKILL)
        break
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
    process.waitUntilExit()
    let run = CommandRun(
      status: process.terminationStatus, output: output.text(), errors: errors.text())
    if isTooLate { throw TimedOut(arguments: command) }
    return run
  }
}

/// Reads a pipe to its end on a thread of its own.
private final class Collector: Sendable {
  let pipe = Pipe()
  private let data = Mutex(Data())
  private let isDone = DispatchSemaphore(value: 0)

  func start() {
    Thread.detachNewThread { [self] in
      let read = pipe.fileHandleForReading.readDataToEndOfFile()
      data.withLock { $0 = read }
      isDone.signal()
    }
  }

  func text() -> String {
    isDone.wait()
    return data.withLock { String(decoding: $0, as: UTF8.self) }
  }
}
