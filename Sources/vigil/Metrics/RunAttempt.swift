import Logging
import VigilModel
import VigilReport
import VigilStorage

/// The facts about a run that become known while a command executes it.
struct RunAttempt {
  /// The run as it ended; nil until then.
  var run: RunRecord?
  /// Looks for the record of a run that ended with an error.
  var findRecord: () -> RunRecord? = { nil }
}

extension RunAttempt {
  /// Calls `body`, and writes the outcome and the figures to the file at `path`.
  ///
  /// The metrics file is written last, when the run is recorded and its result is written, so that
  /// an error in writing it loses no part of the run; causes that would prevent writing it are
  /// looked for before the run.
  ///
  /// - Throws: Any error of `body`, or `CommandFailure` (73) about the metrics file.
  static func report(
    _ kind: RunRecord.Kind, to path: String?, clock: CommandClock, logger: Logger,
    _ body: (inout RunAttempt) throws -> Void
  ) throws {
    var attempt = RunAttempt()
    guard let path else { return try body(&attempt) }
    let file = MetricsFile(path: path)
    try file.requireWritable()
    do {
      try body(&attempt)
    } catch {
      if attempt.run == nil, !error.saysThatTheDatabaseIsAway { attempt.run = attempt.findRecord() }
      let failure = CommandFailure(error)
      do {
        try attempt.write(kind, failure.status, to: file, clock, logger)
      } catch let unwritten as CommandFailure {
        let messages = [failure.message, unwritten.message].compactMap { $0 }
        throw CommandFailure(
          failure.status == .success ? unwritten.status : failure.status,
          messages.joined(separator: "; "))
      }
      throw error
    }
    do {
      try attempt.write(kind, .success, to: file, clock, logger)
    } catch let unwritten as CommandFailure {
      throw CommandFailure(
        unwritten.status, "\(unwritten.message ?? ""); the run itself is done and recorded")
    }
  }

  private func write(
    _ kind: RunRecord.Kind, _ status: ExitStatus, to file: MetricsFile, _ clock: CommandClock,
    _ logger: Logger
  ) throws {
    try file.update { earlier in
      if earlier.condition == .damaged {
        logger.warning(
          "The metrics file was damaged; what could be read of it is kept",
          metadata: ["metrics.file": "\(file.path)"])
      }
      return RunMetrics(
        kind: kind, endedAt: clock.now, exitStatus: status.rawValue, run: run,
        earlier: earlier)
    }
  }
}

extension Error {
  /// Whether another question to the database would only wait for it once more.
  fileprivate var saysThatTheDatabaseIsAway: Bool {
    guard let code = (self as? StorageError)?.code else { return false }
    return [.unreachable, .transient].contains(code)
  }
}
