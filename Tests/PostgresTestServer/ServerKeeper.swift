import Foundation
import Synchronization
import TestSupport

/// A shell that starts and stops one server, and that tidies up when this process ends, however it
/// ends: `keeper.sh` says how.
final class ServerKeeper: Sendable {
  /// Removed by the shell when it ends.
  let folder: String

  private let conversation: Mutex<Conversation>

  /// - Parameter finder: The text of a script that prints the folder of the server's programs, or
  ///   says what to do where there is none; nil for that of the repository.
  /// - Throws: `PostgresServer.Failure` where there is no server to be kept.
  init(finder: String? = nil) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "keeper.sh")
    let scripts = SharedFolder.repository.appending(path: "scripts")
    // As texts, because another user may be unable to read the repository.
    var conversation = try Conversation(
      with: try Self.unprivileged + [
        "/bin/sh", "-c", String(contentsOf: script, encoding: .utf8), "keeper",
        finder ?? String(contentsOf: scripts.appending(path: "find-postgres"), encoding: .utf8),
        String(contentsOf: scripts.appending(path: "test-folder"), encoding: .utf8),
      ])
    folder = try conversation.answer()
    self.conversation = Mutex(conversation)
  }

  /// Does one line of `keeper.sh`, and throws its reason where it fails.
  func perform(_ line: String) throws {
    try conversation.withLock { conversation in
      try conversation.send(line)
      _ = try conversation.answer()
    }
  }

  /// The command prefix that changes the user: PostgreSQL refuses to run as root.
  private static var unprivileged: [String] {
    get throws {
      guard geteuid() == 0 else { return [] }
      let tool = "/usr/bin/setpriv"
      guard FileManager.default.isExecutableFile(atPath: tool), getpwnam("postgres") != nil else {
        throw PostgresServer.Failure(
          "PostgreSQL does not run as root; run the tests as another user, or install a server with"
            + " scripts/setup --tests, which brings the user postgres along")
      }
      return [tool, "--reuid=postgres", "--regid=postgres", "--init-groups"]
    }
  }
}

/// Lines to and from a child process.
private struct Conversation {
  /// Its own end of the socket; the child's standard input ends when this is closed.
  private let socket: FileHandle
  private let process = Process()

  init(with command: [String]) throws {
    let process = self.process
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(filePath: "/")
    // Nothing that sets up PostgreSQL's programs otherwise.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ["PATH": path]
    process.standardError = FileHandle.nullDevice
    socket = try Process.startingAlone {
      let (own, childs) = try Self.socketPair()
      process.standardInput = childs
      process.standardOutput = childs
      try process.run()
      try childs.close()
      return own
    }
  }

  /// A socket instead of two pipes: writing to one whose reader is gone is an error and no signal.
  ///
  /// No other child inherits an end. A copy of the own one would keep the server alive.
  private static func socketPair() throws -> (FileHandle, FileHandle) {
    var ends: [Int32] = [0, 0]
    #if canImport(Darwin)
      let status = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
    #else
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      let status = socketpair(AF_UNIX, kind, 0, &ends)
    #endif
    guard status == 0 else { throw PostgresServer.Failure("no socket pair: errno \(errno)") }
    #if canImport(Darwin)
      var isOn: Int32 = 1
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      }
    #endif
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  func send(_ line: String) throws {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    let bytes = Array("\(line)\n".utf8)
    guard Foundation.send(socket.fileDescriptor, bytes, bytes.count, flags) == bytes.count else {
      throw PostgresServer.Failure("the shell that keeps the server is gone")
    }
  }

  /// Returns the text after `ok` in the next line.
  mutating func answer() throws -> String {
    var line: [UInt8] = []
    while let byte = try socket.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix("ok") else {
      throw PostgresServer.Failure(
        text.isEmpty
          ? "the shell that keeps the server is gone"
          : "no PostgreSQL server: \(text.trimmingPrefix("failed "))")
    }
    return String(text.dropFirst("ok ".count))
  }
}
