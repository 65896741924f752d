import Foundation

/// A mail server that goes wrong where a test asks for it: hangs, closes or answers a code.
///
/// `smtp.py` names the behaviours. It ends with this object.
public final class FaultyMailServer: Sendable {
  public let port: Int
  private let directory: TemporaryDirectory
  private let process: Process
  private let input: Pipe

  private struct NotStarted: Error {}

  /// - Parameter behaviours: Of the first connection, the second, and so on, such as `close@end`.
  public init(_ behaviours: String...) throws {
    directory = try TemporaryDirectory()
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "smtp.py")
    process.arguments = ["python3", script.path, directory.path("log")] + behaviours
    let output: Pipe
    (input, output) = try Process.startingAlone { [process] in
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
    self.port = port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.terminate()
    directory.remove()
  }

  public var url: String { "smtp://127.0.0.1:\(port)" }

  /// The lines that clients have sent outside of messages, and `END` with a number of bytes for each whole message.
  public var log: [String] {
    ((try? String(contentsOf: directory.url("log"), encoding: .utf8)) ?? "")
      .split(separator: "\n").map(String.init)
  }
}
