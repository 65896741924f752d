import ArgumentParser
import VigilModel

extension Vigil {
  /// Carries out the command that arguments name, and returns the status of its end.
  ///
  /// Every command begins here: that of the process, and those of tests, which run side by side.
  static func carryOut(
    _ arguments: [String], in surroundings: CommandSurroundings
  ) async -> ExitStatus {
    let status = await CommandSurroundings.$current.withValue(surroundings) {
      await run(arguments)
    }
    surroundings.monitor.end(status)
    return status
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
    let surroundings = CommandSurroundings.current
    let failure: CommandFailure
    switch Vigil.exitCode(for: error) {
    case .success:
      // Help, version and completion scripts arrive as errors.
      do {
        let text = Vigil.fullMessage(for: error, columns: surroundings.helpWidth)
        try surroundings.standardOutput.write(text + "\n")
        return .success
      } catch {
        failure = CommandFailure(error)
      }
    case .validationFailure:
      let (path, command) = commandPath(arguments)
      let words = path.joined(separator: " ")
      let text =
        mistyped(arguments.dropFirst(path.count - 1).first, of: command).map {
          "there is no command '\(words) \($0.word)'; did you mean '\(words) \($0.nearest)'?"
        } ?? "\(Vigil.message(for: error)); see '\(words) --help'"
      failure = CommandFailure(.usage, text)
    default:
      failure = CommandFailure(error)
    }
    surroundings.console.write(failure)
    return failure.status
  }

  /// The command that `arguments` name, for a pointer to its help.
  private static func commandPath(
    _ arguments: [String]
  ) -> (path: [String], command: any ParsableCommand.Type) {
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
    return (path, command)
  }

  /// The name of a command that `word` is close to; nil where it may be something else.
  private static func mistyped(
    _ word: String?, of command: any ParsableCommand.Type
  ) -> (word: String, nearest: String)? {
    let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let word, !word.hasPrefix("-"),
      let nearest = NearestName.of(word, among: names + ["help"])
    else { return nil }
    return (word, nearest)
  }
}
