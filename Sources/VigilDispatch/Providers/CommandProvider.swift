import Foundation
import Subprocess
import Synchronization
import VigilStorage

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Delivers by a command that reads the row as JSON on its standard input.
///
/// Exit status 0 means delivered, 75 that another attempt may succeed (`EX_TEMPFAIL`), any other that none will.
/// The output of the command is not read, because it could hold an address.
///
/// A command has a session of its own, so that it can be killed together with the processes that it has started.
/// The caller ignores SIGPIPE: a command need not read its input.
public struct CommandProvider: DeliveryProvider {
  private let path: String
  private let arguments: [String]
  private let timeout: Duration
  private let environment: [String: String]
  private let folder: String?
  /// Attempts of all providers whose commands have not begun.
  private static let starting = Mutex(0)

  /// - Parameters:
  ///   - path: The absolute path of the command.
  ///   - arguments: Given to it as they are.
  ///   - timeout: After it the command is killed, with the processes that it has started.
  ///   - environment: The command gets some of these variables; nil for those of this process.
  ///   - folder: The current folder of the command; nil for that of this process.
  public init(
    path: String, arguments: [String], timeout: Duration,
    environment: [String: String]? = nil, folder: String? = nil
  ) {
    self.path = path
    self.arguments = arguments
    self.timeout = timeout
    self.environment = environment ?? ProcessInfo.processInfo.environment
    self.folder = folder
  }

  /// Runs the command, to its end or to the timeout.
  ///
  /// A command that has begun is waited for where the task is cancelled: what it has delivered is known then.
  public func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
    let input = [UInt8](DeliveryBody(delivery).data)
    let configuration = configuration(key: delivery.row.dedupeKey)
    // The library ends the process where it finds no descriptor.
    guard Self.mayStart() else {
      return DeliveryAnswer(.notStarted(DeliveryErrorCode("no_descriptors")))
    }
    let start = Start()
    let running = Task {
      defer { start.end() }
      return try await Subprocess.run(
        configuration, input: .inputWriter, output: .discarded, error: .discarded
      ) { command in
        start.end()
        // A command that does not read its input may deliver all the same.
        _ = try? await command.standardInputWriter.write(input)
        try? await command.standardInputWriter.finish()
      }.terminationStatus
    }
    let killing = Task {
      try await Task.sleep(for: timeout)
      running.cancel()
    }
    defer { killing.cancel() }
    do {
      switch try await running.value {
      case .exited(let status): return Self.answer(Int(status))
      case .signaled(let signal):
        return Self.uncertain(running.isCancelled ? "timeout" : "signal_\(signal)")
      }
    } catch let error as SubprocessError where Self.startErrors.contains(error.code) {
      return DeliveryAnswer(.notStarted(DeliveryErrorCode("command_not_started")))
    } catch {
      return Self.uncertain(running.isCancelled ? "timeout" : "command_lost")
    }
  }

  /// Counts a command that starts, where there are descriptors for it and others that start.
  private static func mayStart() -> Bool {
    starting.withLock { starting in
      guard FreeDescriptors.count >= FreeDescriptors.ofCommand * (starting + 1) else {
        return false
      }
      starting += 1
      return true
    }
  }

  /// The start of one command, which ends once.
  private final class Start: Sendable {
    private let isEnded = Mutex(false)

    func end() {
      let isFirst = isEnded.withLock { isEnded in
        defer { isEnded = true }
        return !isEnded
      }
      if isFirst { CommandProvider.starting.withLock { $0 -= 1 } }
    }
  }

  private static let inherited: Set = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"]

  /// Errors of a command that has not begun.
  private static let startErrors: Set<SubprocessError.Code> = [.spawnFailed, .executableNotFound]

  private func configuration(key: String) -> Configuration {
    // Passwords of the database are none of its business.
    var variables: [Environment.Key: String] = ["VIGIL_IDEMPOTENCY_KEY": key]
    for (name, value) in environment where Self.inherited.contains(name) {
      variables[Environment.Key(stringLiteral: name)] = value
    }
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
      // The pause ends with the command, which this signal ends.
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(60))
    ]
    return Configuration(
      executable: .path(FilePath(path)), arguments: Arguments(arguments),
      environment: .custom(variables), workingDirectory: folder.map { FilePath($0) },
      platformOptions: options)
  }

  /// The answer of an attempt that may have delivered.
  private static func uncertain(_ code: String) -> DeliveryAnswer {
    DeliveryAnswer(.failed(DeliveryErrorCode(code), after: nil), isUncertain: true)
  }

  /// The answer that an exit status stands for.
  static func answer(_ status: Int) -> DeliveryAnswer {
    let code = DeliveryErrorCode("exit_\(status)")
    switch status {
    case 0: return DeliveryAnswer(.delivered)
    case 75: return DeliveryAnswer(.failed(code, after: nil))
    default: return DeliveryAnswer(.refused(code))
    }
  }
}
