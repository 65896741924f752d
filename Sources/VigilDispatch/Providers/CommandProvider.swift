import Foundation
import Synchronization
import VigilStorage

/// Delivers by a command that reads the row as JSON on its standard input.
///
/// Exit status 0 means delivered, 75 that another attempt may succeed (`EX_TEMPFAIL`), any other that none will.
/// The output of the command is not read, because it could hold an address.
public struct CommandProvider: DeliveryProvider {
  private let path: String
  private let arguments: [String]
  private let timeout: Duration

  /// - Parameters:
  ///   - path: The absolute path of the command.
  ///   - arguments: Given to it as they are.
  ///   - timeout: After it the command is killed.
  public init(path: String, arguments: [String], timeout: Duration) {
    self.path = path
    self.arguments = arguments
    self.timeout = timeout
  }

  public func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
    let body = DeliveryBody(delivery).data
    let key = delivery.row.dedupeKey
    return await withCheckedContinuation { continuation in
      // A thread of its own: waiting for a process blocks.
      Thread.detachNewThread { continuation.resume(returning: run(body, key: key)) }
    }
  }

  private static let inherited: Set = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"]

  private func run(_ body: Data, key: String) -> DeliveryAnswer {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    // Passwords of the database are none of its business.
    var environment = ProcessInfo.processInfo.environment.filter { Self.inherited.contains($0.key) }
    environment["VIGIL_IDEMPOTENCY_KEY"] = key
    process.environment = environment
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do {
      try process.run()
    } catch {
      return DeliveryAnswer(.failed(DeliveryErrorCode("command_not_started"), after: nil))
    }
    // A command that does not read must not end this process by SIGPIPE, which the caller ignores.
    try? input.fileHandleForWriting.write(contentsOf: body)
    try? input.fileHandleForWriting.close()
    let limit = DispatchTime.now() + (timeout / .seconds(1))
    guard ended.wait(timeout: limit) == .success else {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
      return DeliveryAnswer(.failed(DeliveryErrorCode("timeout"), after: nil), isUncertain: true)
    }
    guard process.terminationReason == .exit else {
      return DeliveryAnswer(
        .failed(DeliveryErrorCode("signal_\(process.terminationStatus)"), after: nil),
        isUncertain: true)
    }
    return Self.answer(Int(process.terminationStatus))
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
