import Logging
import VigilDispatch
import VigilModel
import VigilStorage

/// The metrics file of a sender, which is written now and then.
struct DispatchMetricsFile: Sendable {
  private let file: MetricsFile
  private let channels: [PlannedNotification.Channel]
  private let storage: any DispatchStorage
  private let clock: CommandClock
  private let logger: Logger

  /// Due rows are counted up to here.
  private static let largestBacklog = 10_000

  init(
    _ file: MetricsFile, channels: [PlannedNotification.Channel], storage: any DispatchStorage,
    clock: CommandClock, logger: Logger
  ) {
    self.file = file
    self.channels = channels
    self.storage = storage
    self.clock = clock
    self.logger = logger
  }

  /// Fails where `update` would fail.
  ///
  /// - Throws: `CommandFailure` (73).
  func begin() throws { try file.requireWritable() }

  /// Writes the figures; what prevents it is logged, and delivery goes on.
  func update(
    _ tallies: [PlannedNotification.Channel: DispatchTally], _ escalation: EscalationTally?
  ) {
    do {
      let now = clock.now
      let backlog = try storage.dispatchBacklog(
        on: channels, at: now, limit: Self.largestBacklog)
      let metrics = DispatchMetrics(
        channels: channels, tallies: tallies, escalation: escalation, backlog: backlog, at: now)
      try file.replace(by: metrics.text)
    } catch {
      logger.warning(
        "The metrics file could not be written",
        metadata: ["reason": "\(CommandFailure(error).message ?? "")"])
    }
  }
}
