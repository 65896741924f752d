import Foundation
import Synchronization

/// A provider: an HTTP server of its own process, which answers as the path of a request says.
///
/// `provider.py` names the paths. It ends with this object.
public final class ProviderServer: Sendable {
  public let port: Int
  private let log: URL
  private let directory: TemporaryDirectory
  private let running: Mutex<Running>

  private struct Running {
    var process: Process
    var input: Pipe
    var port: Int
  }

  /// A request that the server has got.
  public struct Request: Decodable, Sendable {
    /// Seconds since 1970.
    public var time: Double
    /// The path that decided about the answer.
    public var answer: String
    public var method: String
    public var headers: [String: String]
    public var body: String

    /// The idempotency key.
    public var key: String { headers["idempotency-key"] ?? "" }

    /// The sender's number of the row's taking.
    public var attempt: Int? { headers["vigil-attempt"].flatMap { Int($0) } }

    /// Whether the server answered that it was delivered.
    public var isAccepted: Bool { answer == "ok" || answer == "twice" || answer == "receipt" }

    /// Whether a provider that answered like this has delivered it, or may have.
    public var mayBeDelivered: Bool {
      isAccepted || answer == "close" || answer == "reset" || answer == "hang"
    }
  }

  public init() throws {
    directory = try TemporaryDirectory()
    log = directory.url("requests")
    try Data().write(to: log)
    let started = try Self.start(log, port: 0)
    port = started.port
    running = Mutex(started)
  }

  private static func start(_ log: URL, port: Int) throws -> Running {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "provider.py")
    process.arguments = ["python3", script.path, log.path, "\(port)"]
    let (input, output) = try Process.startingAlone {
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      return (input, output)
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw NotStarted()
    }
    return Running(process: process, input: input, port: port)
  }

  /// Kills the server in the middle of what it does, and starts it again on its port.
  public func restart() throws {
    try running.withLock { running in
      kill(running.process.processIdentifier, SIGKILL)
      running.process.waitUntilExit()
      running = try Self.start(log, port: port)
    }
  }

  private struct NotStarted: Error {}

  deinit {
    running.withLock { running in
      try? running.input.fileHandleForWriting.close()
      running.process.terminate()
    }
    directory.remove()
  }

  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  /// The requests so far, in the order in which they came.
  public func requests() throws -> [Request] {
    try String(decoding: Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
      .map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
  }
}
