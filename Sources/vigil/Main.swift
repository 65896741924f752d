import ArgumentParser
import Foundation

@main
enum Main {
  static func main() async {
    // A reader that has gone away is an error of write(2), not the end of a nightly run.
    signal(SIGPIPE, SIG_IGN)
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    do {
      var command = try Vigil.parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return .success
    } catch {
      return end(with: error, arguments: arguments)
    }
  }

  private static func end(with error: any Error, arguments: [String]) -> ExitStatus {
    let failure: CommandFailure
    switch Vigil.exitCode(for: error) {
    case .success:
      // Help, version and completion scripts arrive as errors.
      do {
        try StandardOutput.write(Vigil.fullMessage(for: error) + "\n")
        return .success
      } catch {
        failure = CommandFailure(error)
      }
    case .validationFailure:
      let path = commandPath(arguments)
      failure = CommandFailure(
        .usage, "\(Vigil.message(for: error)); see '\(path) --help'")
    default:
      failure = CommandFailure(error)
    }
    if let line = failure.line { Console.standardError.write(line: line) }
    return failure.status
  }

  /// The command that `arguments` name, for a pointer to its help.
  private static func commandPath(_ arguments: [String]) -> String {
    var path = ["vigil"]
    var command: any ParsableCommand.Type = Vigil.self
    for argument in arguments {
      guard
        let next = command.configuration.subcommands.first(where: {
          $0.configuration.commandName == argument
        })
      else { break }
      command = next
      path.append(argument)
    }
    return path.joined(separator: " ")
  }
}
