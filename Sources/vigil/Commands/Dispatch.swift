import ArgumentParser
import Foundation
import Logging
import VigilBatch
import VigilDispatch
import VigilModel
import VigilReport
import VigilStorage

struct Dispatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dispatch",
    abstract: "Sends the notifications that live runs have enqueued.",
    discussion: """
      Runs until it is stopped; with --once it ends when nothing is due, with 69 where a channel \
      delivered nothing. Any number of them may work \
      on one database. Before each notification is sent, preferences, quiet hours, exclusions and \
      what members have decided are looked at again. In-app notifications are left to the app.

      Example:
        vigil dispatch --providers /etc/vigil/providers.json
        vigil dispatch --providers /etc/vigil/providers.json --once
        vigil dispatch --providers /etc/vigil/providers.json --dry-run
      """)

  @Option(
    help: .setting(\.providers, valueName: "file"), completion: .file(extensions: ["json"]))
  var providers: String?

  @Flag(help: "Ends when nothing is due; for cron.")
  var once = false

  @Flag(
    help: "Only says what it would do with each notification that is due; takes and writes nothing."
  )
  var dryRun = false

  @Option(
    help: .setting(\.metricsFile, valueName: "file"),
    completion: .file())
  var metricsFile: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if once, dryRun { throw ValidationError("--once and --dry-run exclude each other") }
  }

  func run() async throws {
    let context = try common.context(
      .option(\.providers, providers).with(.option(\.metricsFile, metricsFile)))
    if !dryRun { context.surroundings.monitor.begin(context) }
    let file = try ProvidersFile(context.settings.providers)
    let messages = try MessageCatalog(
      folder: file.messages, in: context.surroundings.folder, fallback: file.language)
    let storage = try context.openCurrentDatabase(dryRun ? .existingReadOnly : .existing)
    let clock = context.clock
    try ClockSetback.requireNone(at: clock.now, in: storage, toBe: "sent")
    let providers = try ProviderSet(file, now: { clock.now }, logger: context.logger)
    context.interruption.begin(.toDeliver)
    let dispatcher = Dispatcher(
      channels: providers.channels, storage: storage, zones: context.zones, messages: messages,
      owner: Self.owner, isOnce: once, escalation: file.escalation, pollSeconds: file.pollSeconds,
      now: { clock.now },
      isStopping: { context.interruption.isRequested }, logger: context.logger)
    do {
      try await dispatch(dispatcher, file, storage, context)
    } catch {
      await providers.close()
      throw error
    }
    await providers.close()
    // A service ends by a signal; a job that is to end by itself was cut off.
    if once, context.interruption.isRequested {
      throw CommandFailure(context.interruption.exitStatus)
    }
  }

  private func dispatch(
    _ dispatcher: Dispatcher, _ file: ProvidersFile, _ storage: any Storage,
    _ context: CommandContext
  ) async throws {
    if dryRun {
      return try context.write(DispatchPreviewReport(try dispatcher.preview(), of: file))
    }
    let metrics = context.settings.metricsFile.path.map {
      DispatchMetricsFile(
        MetricsFile(path: $0, in: context.surroundings),
        channels: file.channels.map(\.settings.channel), storage: storage,
        clock: context.clock, logger: context.logger)
    }
    try metrics?.begin()
    if !once {
      context.logger.notice(
        "Waiting for notifications (SIGTERM ends this)",
        metadata: [
          "channels": "\(file.channels.map(\.settings.channel.rawValue).joined(separator: ","))"
        ])
    }
    try await dispatcher.run {
      metrics?.update(dispatcher.tallies, dispatcher.escalationTally)
      if !once { context.surroundings.monitor.live() }
    }
    try context.write(DispatchReport(dispatcher.tallies, of: file))
    if once { try Self.requireDelivery(dispatcher.tallies, of: file) }
  }

  /// - Throws: `CommandFailure` (69) about channels none of whose attempts has succeeded.
  private static func requireDelivery(
    _ tallies: [PlannedNotification.Channel: DispatchTally], of file: ProvidersFile
  ) throws {
    let failing = file.channels.map(\.settings.channel).compactMap { channel -> String? in
      guard let tally = tallies[channel], tally.isFailing else { return nil }
      let attempts =
        switch tally.attempts {
        case 0: "no attempt was made"
        case 1: "the only attempt failed"
        default: "all \(tally.attempts) attempts failed"
        }
      let rest = tally.rest.map {
        "; after \($0.failures) failures in a row (\($0.error)) it rests until \($0.until)"
      }
      return "\(channel.rawValue): \(attempts)\(rest ?? "")"
    }
    guard !failing.isEmpty else { return }
    throw CommandFailure(
      .unavailable,
      "nothing was delivered on \(failing.joined(separator: "; ")); check the provider, then"
        + " `vigil queue list --status failed` and `vigil queue retry ID`")
  }

  /// The name of this process in leases.
  private static var owner: String {
    "\(ProcessInfo.processInfo.hostName):\(ProcessInfo.processInfo.processIdentifier)"
  }
}
