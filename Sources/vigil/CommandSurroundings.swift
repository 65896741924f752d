import Foundation
import VigilModel

/// The part of its process that a command sees, apart from its arguments and the clock.
///
/// Commands take it from here instead of from the process, so that many of them can run in one process, each
/// in its own surroundings.
struct CommandSurroundings: Sendable {
  let environment: [String: String]
  /// The folder in which relative paths begin; nil for the current folder of the process.
  let folder: String?
  /// The descriptor that is read.
  let standardInput: Int32
  let standardOutput: StandardOutput
  /// Standard error.
  let console: Console
  let interruption: Interruption
  /// The monitor of a command that has begun; none until then.
  let monitor = Monitor()

  init(
    environment: [String: String], folder: String?, standardInput: Int32, standardOutput: Int32,
    standardError: Int32, interruption: Interruption
  ) {
    self.environment = environment
    self.folder = folder
    self.standardInput = standardInput
    self.standardOutput = StandardOutput(descriptor: standardOutput)
    console = Console(descriptor: standardError)
    self.interruption = interruption
  }

  /// The surroundings of the only command of a process.
  static let ofProcess = CommandSurroundings(
    environment: ProcessInfo.processInfo.environment, folder: nil, standardInput: STDIN_FILENO,
    standardOutput: STDOUT_FILENO, standardError: STDERR_FILENO, interruption: .bySignals)

  /// The surroundings of the command whose task this is.
  ///
  /// Threads that a command starts have no task: what they need is taken before.
  @TaskLocal static var current = ofProcess

  /// The place of a file that the user has named.
  func path(of name: String) -> String { name.path(startingIn: folder) }

  /// Columns of help texts.
  var helpWidth: Int {
    environment["COLUMNS"].flatMap { Int($0) } ?? standardOutput.width ?? 80
  }
}
