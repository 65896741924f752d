import Foundation
import TestSupport

@testable import vigil

/// A command that is called in the process of the tests, in surroundings of its own.
struct CommandInProcess {
  let arguments: [String]
  /// The current folder.
  let folder: String
  let environment: [String: String]
  /// The text that the command can read.
  var standardInput = ""
  var interruption = Interruption()

  /// As the executable has it, for commands that do not read what dispatch writes to them.
  private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

  /// Carries the command out on this thread.
  func run() throws -> CommandRun {
    Self.ignoresBrokenPipes
    let (input, output, errors) = (
      try NamelessFile(standardInput), try NamelessFile(), try NamelessFile()
    )
    let surroundings = CommandSurroundings(
      environment: environment, folder: folder, standardInput: input.descriptor,
      standardOutput: output.descriptor, standardError: errors.descriptor,
      interruption: interruption)
    let arguments = arguments
    let status = CallerThread.run { await Vigil.carryOut(arguments, in: surroundings) }
    return CommandRun(
      status: status.rawValue, output: try output.text(), errors: try errors.text())
  }
}

/// A file that is gone when it is closed; it takes any amount without a reader, as no pipe does.
private final class NamelessFile {
  let descriptor: Int32

  /// - Parameter text: Its contents.
  init(_ text: String = "") throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/vigil-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(&template)
    guard !text.isEmpty else { return }
    let handle = FileHandle(fileDescriptor: descriptor)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.seek(toOffset: 0)
  }

  deinit { close(descriptor) }

  func text() throws -> String {
    let handle = FileHandle(fileDescriptor: descriptor)
    try handle.seek(toOffset: 0)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }
}
