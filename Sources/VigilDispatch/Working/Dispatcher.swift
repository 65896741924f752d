import Foundation
public import Logging
import Synchronization
public import VigilAlerts
public import VigilModel
public import VigilStorage

/// The queue worker: sends the rows of its channels until it is stopped, or once.
///
/// Any number of them may work on one database, on any number of hosts: each row is one sender's at a time. A row
/// is delivered at least once; more than once only where the outcome of an attempt is unknown, such as when
/// no answer came or the sender was killed before it recorded one. The provider then sees the same key.
public struct Dispatcher: Sendable {
  let work: DispatchWork
  let storage: any DispatchStorage & EscalationStorage & PromptStorage
  let channels: [(settings: ChannelSettings, provider: any DeliveryProvider)]
  private let isOnce: Bool
  private let escalation: EscalationPolicy?
  private let logger: Logger

  /// - Parameters:
  ///   - channels: Each channel once, with what delivers its rows.
  ///   - storage: The queue.
  ///   - zones: The rules of the recipients' quiet hours.
  ///   - messages: The words.
  ///   - owner: The name of this sender, such as `host:4711`.
  ///   - isOnce: Whether it ends when nothing is due.
  ///   - escalation: The windows after which the next caregiver is called upon; nil to call none.
  ///   - pollSeconds: After which it looks for due rows without being woken.
  ///   - recordingPatience: For how long it tries, before it ends, to record outcomes that the database does not take.
  ///   - now: The clock.
  ///   - isStopping: Asked often; true lets attempts end and begins no more.
  ///   - logger: Gets numbers and codes, never an id of a person.
  public init(
    channels: [(settings: ChannelSettings, provider: any DeliveryProvider)],
    storage: any DispatchStorage & EscalationStorage & PromptStorage, zones: ZoneCatalog,
    messages: MessageCatalog, owner: String,
    isOnce: Bool, escalation: EscalationPolicy? = nil, pollSeconds: Int64 = 10,
    recordingPatience: Duration = .seconds(10), now: @escaping @Sendable () -> Timestamp,
    isStopping: @escaping @Sendable () -> Bool, logger: Logger
  ) {
    self.channels = channels
    self.storage = storage
    self.isOnce = isOnce
    self.escalation = escalation
    self.logger = logger
    work = DispatchWork(
      storage, zones: zones, messages: messages, owner: owner, pollSeconds: pollSeconds,
      recordingPatience: recordingPatience, now: now, isStopping: isStopping, logger: logger)
  }

  /// The numbers of each channel so far.
  public var tallies: [PlannedNotification.Channel: DispatchTally] { work.tallies }

  /// The numbers of calls so far; nil where it makes none.
  public var escalationTally: EscalationTally? {
    escalation == nil ? nil : work.escalationTally
  }

  /// Works until it is asked to stop or its task is cancelled or, once, until nothing is due.
  ///
  /// - Parameter report: Called now and then, and at the end.
  /// - Throws: `StorageError`, when attempts that had begun have ended; `UnrecordedOutcomes` where the database has
  ///   not taken what they have come to.
  public func run(
    reportEvery pause: Duration = .seconds(15), report: @escaping @Sendable () -> Void = {}
  ) async throws {
    // Before anything is looked for by the clock.
    let clockWatch = ClockWatch(wall: work.now(), instant: .now)
    if let messages = channels.first(where: \.settings.logsMessages)?.settings {
      try storage.record(messages.messageAllowance, at: work.now())
    }
    // Prompts and calls that are due go out with the rows that are.
    if isOnce { log(prompts: try await work.planPrompts()) }
    if let escalation, isOnce { log(try await work.escalate(by: escalation)) }
    if isOnce { try await work.checkInApp(all: true) }
    let alarm = isOnce ? nil : try storage.makeQueueAlarm()
    let hasEnded = Flag()
    // A thread of its own: it waits for the server most of the time.
    if let alarm {
      Thread.detachNewThread { [work, logger] in
        watch(alarm, for: work, until: hasEnded, logger)
      }
    }
    defer { hasEnded.raise() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for (settings, provider) in channels {
        group.addTask { [work, isOnce] in
          var channel = ChannelDispatcher(
            settings, work: work, provider: provider, isOnce: isOnce)
          try await channel.run()
          return true
        }
      }
      if !isOnce {
        group.addTask {
          await planPrompts()
          return false
        }
      }
      if !isOnce {
        group.addTask {
          await checkInApp()
          return false
        }
      }
      if let escalation, !isOnce {
        group.addTask {
          await escalate(by: escalation)
          return false
        }
      }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: pause)
          report()
        }
        return false
      }
      if !isOnce {
        group.addTask {
          await watchClock(clockWatch)
          return false
        }
      }
      var left = channels.count
      var failure: (any Error)?
      while left > 0 {
        do {
          if try await group.next() == true { left -= 1 }
        } catch {
          // The others end by themselves: they have the same database.
          // Unrecorded outcomes come before their cause: their messages may be sent again.
          if failure == nil || error is UnrecordedOutcomes { failure = error }
          left -= 1
        }
      }
      group.cancelAll()
      report()
      if let failure { throw failure }
    }
  }

  /// Plans prompts, until the task is cancelled or the sender is to stop: at once where the database reports rows.
  private func planPrompts() async {
    var (seen, next) = (-1, ContinuousClock.now)
    while !Task.isCancelled, !work.isStopping() {
      if work.additions != seen || ContinuousClock.now >= next {
        next = .now + .seconds(work.pollSeconds)
        do {
          log(prompts: try await work.planPrompts())
        } catch {
          // Channels that cannot reach the database either end the sender.
          logger.warning("Prompts could not be looked at, and will be again: \(error)")
        }
        seen = work.additions
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  /// Makes calls that are due, until the task is cancelled or the sender is to stop.
  private func escalate(by policy: EscalationPolicy) async {
    while !Task.isCancelled, !work.isStopping() {
      do {
        log(try await work.escalate(by: policy))
      } catch {
        // Channels that cannot reach the database either end the sender.
        logger.warning("Escalations could not be looked at, and will be again: \(error)")
      }
      try? await Task.sleep(for: .seconds(work.pollSeconds))
    }
  }

  /// Looks again at rows of the app, until the task is cancelled or the sender is to stop.
  private func checkInApp() async {
    while !Task.isCancelled, !work.isStopping() {
      do {
        try await work.checkInApp(all: false)
      } catch {
        // Channels that cannot reach the database either end the sender.
        logger.warning("Rows of the app could not be looked at, and will be again: \(error)")
      }
      try? await Task.sleep(for: .seconds(work.pollSeconds))
    }
  }

  /// Has the queue looked at anew where the clock was set: other rows are due by it.
  private func watchClock(_ watch: ClockWatch) async {
    var watch = watch
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      guard let seconds = watch.step(wall: work.now(), instant: .now) else { continue }
      logger.warning(
        "The clock was set", metadata: ["seconds": "\(Int(clamping: seconds.rounded()))"])
      work.noteAddition()
    }
  }

  private func log(prompts: Int) {
    if prompts > 0 { logger.notice("Planned prompts", metadata: ["prompts": "\(prompts)"]) }
  }

  private func log(_ calls: Int) {
    if calls > 0 { logger.notice("Escalated", metadata: ["calls": "\(calls)"]) }
  }
}

/// A mark that is set once.
private final class Flag: Sendable {
  private let state = Mutex(false)

  var isRaised: Bool { state.withLock { $0 } }

  func raise() { state.withLock { $0 = true } }
}

/// Reports rows that were added to `work`, until it has ended.
private func watch(
  _ alarm: any QueueAlarm, for work: DispatchWork, until hasEnded: Flag, _ logger: Logger
) {
  while !hasEnded.isRaised {
    do {
      if try alarm.wait(upTo: .milliseconds(500)) { work.noteAddition() }
    } catch {
      // It looks now and then all the same.
      logger.warning("The database cannot report new rows; the queue is looked at now and then")
      return
    }
  }
}
