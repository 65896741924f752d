import ArgumentParser
import Foundation
import Logging
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage

/// What `run` and `backfill` have in common.
struct BatchArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only the persons of this file, one id a line.", valueName: "file"),
    completion: .file())
  var users: String?

  @Option(
    help: ArgumentHelp(
      "When a day deviates: v1, v2 (as shipped) or a file (default: v1).", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func context(_ own: [Setting: SettingValue] = [:]) throws -> CommandContext {
    try common.context(own.merging(.flag(.thresholds, thresholds, "--thresholds")) { $1 })
  }

  /// Evaluates `days` and says what came of it.
  func run(
    _ kind: RunRecord.Kind, days: ClosedRange<Day>, mode: RunRecord.Mode, _ context: CommandContext
  ) throws {
    let request = BatchRequest(
      kind: kind, days: days, mode: mode, persons: try users.map(PersonList.read),
      thresholds: try context.settings.thresholds.load())
    let storage = try context.openCurrentDatabase(.existing)
    Interruption.install()
    let progress = context.progress(kind == .run ? "Evaluating" : "Backfilling")
    defer { progress.finish() }
    let run = try request.evaluate(on: storage, progress: progress, logger: context.logger)
    progress.finish()
    try context.write(RunSummary(run: run, database: storage.displayName))
    switch run.status {
    case .succeeded, .running: break
    case .interrupted: throw CommandFailure(Interruption.exitStatus)
    case .failed: throw CommandFailure(.internalError)
    }
  }
}

/// One run or backfill, with everything that the command line has to say about it.
struct BatchRequest: Sendable {
  var kind: RunRecord.Kind
  var days: ClosedRange<Day>
  var mode: RunRecord.Mode
  /// Nil for everybody who has data.
  var persons: [UUID]?
  var thresholds: Thresholds

  /// Evaluates the days and returns the finished run as it is recorded.
  func evaluate(
    on storage: some Storage, progress: ProgressIndicator, logger: Logger
  ) throws -> RunRecord {
    throw CommandFailure(.internalError, "vigil \(kind.rawValue) is not part of this build")
  }
}
