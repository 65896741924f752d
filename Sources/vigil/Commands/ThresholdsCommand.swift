import ArgumentParser
import Foundation
import VigilLaboratory
import VigilReport

struct ThresholdsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thresholds",
    abstract: "Thresholds files: which metrics are watched, and when a day deviates.",
    discussion: """
      Example:
        vigil thresholds check v2
        vigil thresholds show v3 > mine.json
      """,
    subcommands: [ThresholdsCheck.self, ThresholdsShow.self])
}

struct ThresholdsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints a thresholds or vitality file as it is, such as to begin one of your own.",
    discussion: """
      Example:
        vigil thresholds show v3 > mine.json
        vigil thresholds check mine.json
      """)

  @Argument(
    help: "The file, or \(ThresholdsSource.names), \(ThresholdsSource.vitalityNames) as shipped.",
    completion: .file(extensions: ["json"]))
  var file: String

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    guard let source = ThresholdsSource(file) else {
      throw CommandFailure(
        .usage, "the name of the file is empty; give \(ThresholdsSource.names) or a path")
    }
    let contents = try source.contents()
    guard let text = String(bytes: contents.data, encoding: .utf8) else {
      throw CommandFailure(.badData, "\(contents.name) is not UTF-8 text")
    }
    try context.surroundings.standardOutput.write(text)
  }
}

struct ThresholdsCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Shows the contents of a thresholds or vitality file, or all its faults.",
    discussion: """
      Of a thresholds file it says too how many false episodes to expect. These are counted in \
      simulated people in whom nothing changes; they are fitted to a public data set and not to \
      your people, as those of 'vigil calibrate' are.

      Example:
        vigil thresholds check my-thresholds.json
      """)

  @Argument(
    help: "The file, or \(ThresholdsSource.names), \(ThresholdsSource.vitalityNames) as shipped.",
    completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "How many simulated people; 0 leaves the false episodes out.", valueName: "n"))
  var people = 500

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    guard (0...100_000).contains(people) else {
      throw ValidationError("--people \(people): give a number from 0 to 100000")
    }
  }

  func run() async throws {
    let context = try common.context()
    guard let source = ThresholdsSource(file) else {
      throw CommandFailure(
        .usage, "the name of the file is empty; give \(ThresholdsSource.names) or a path")
    }
    if let vitality = try source.loadVitality() {
      return try context.write(VitalityReport(vitality, file: file))
    }
    let thresholds = try source.load()
    context.interruption.begin()
    _ = try AddressSpace.threads()
    let progress = context.progress("Simulating")
    defer { progress.finish() }
    let expected = try await ExpectedFalseEpisodes.simulated(
      thresholds, people: people, interruption: context.interruption,
      progress: { progress.update(done: $0, total: people) })
    progress.finish()
    try context.write(ThresholdsReport(thresholds, file: file, expected: expected))
  }
}
