import Foundation
import Logging
import Synchronization
import VigilAlerts
import VigilModel
import VigilStorage

/// A row that was taken and is to be sent.
struct ReadyDelivery: Sendable {
  var row: ClaimedNotification
  var message: Message?
  var addresses: [DeliveryAddress]
}

/// The parts that the channels of a sender share: the database, the words, the clock and the numbers.
final class DispatchWork: Sendable {
  let now: @Sendable () -> Timestamp
  let isStopping: @Sendable () -> Bool
  /// Seconds after which the queue is asked without a sign.
  let pollSeconds: Int64
  /// For how long outcomes that the database does not take are kept at the end.
  let recordingPatience: Duration

  let storage: any DispatchStorage & EscalationStorage & PromptStorage
  let zones: ZoneCatalog
  let messages: MessageCatalog
  private let owner: String
  private let logger: Logger
  /// Taking rows, and recording outcomes, do not wait for each other.
  private let claims = BlockingCalls(named: "vigil.dispatch.claims")
  private let settlements = BlockingCalls(named: "vigil.dispatch.settlements")
  private let state = Mutex(State())

  private struct State {
    var tallies: [PlannedNotification.Channel: DispatchTally] = [:]
    var escalation = EscalationTally()
    var additions = 0
    var nextTakingBack = ContinuousClock.now
    /// The minute since 1970 in which prompts that come with time were looked for: to find those who are to be reminded,
    /// all check-in plans are read.
    var minuteOfClockPrompts: Int64?
    /// The place from which the next look at the rows of the app goes on.
    var inApp = InAppChecker.Place()
    /// Rows that are still to be taken one by one, by channel.
    var singly: [PlannedNotification.Channel: Int] = [:]
  }

  init(
    _ storage: any DispatchStorage & EscalationStorage & PromptStorage, zones: ZoneCatalog,
    messages: MessageCatalog, owner: String,
    pollSeconds: Int64, recordingPatience: Duration, now: @escaping @Sendable () -> Timestamp,
    isStopping: @escaping @Sendable () -> Bool, logger: Logger
  ) {
    self.storage = storage
    self.zones = zones
    self.messages = messages
    self.owner = owner
    self.pollSeconds = pollSeconds
    self.recordingPatience = recordingPatience
    self.logger = logger
    self.now = now
    self.isStopping = isStopping
  }

  /// The number of times that the database has reported new rows.
  var additions: Int { state.withLock { $0.additions } }

  /// Has each channel look for due rows.
  func noteAddition() { state.withLock { $0.additions += 1 } }

  var tallies: [PlannedNotification.Channel: DispatchTally] { state.withLock { $0.tallies } }

  func count(
    on channel: PlannedNotification.Channel, _ change: (inout DispatchTally) -> Void
  ) {
    state.withLock { change(&$0.tallies[channel, default: DispatchTally()]) }
  }

  /// The numbers of calls so far.
  var escalationTally: EscalationTally { state.withLock { $0.escalation } }

  /// Whether rows of a channel are taken one by one.
  ///
  /// A sender that is gone has left rows without an outcome, and one of them may have ended it. Alone, such a row
  /// holds up no other one.
  func takesSingly(_ channel: PlannedNotification.Channel) -> Bool {
    state.withLock { $0.singly[channel, default: 0] > 0 }
  }

  // MARK: What an operator is to know

  func logNotRecording(
    _ outcomes: Int, on channel: PlannedNotification.Channel, _ error: any Error
  ) {
    logger.warning(
      "The database does not take outcomes; nothing is sent until it does",
      metadata: [
        "channel": "\(channel.rawValue)", "outcomes": "\(outcomes)", "reason": "\(error)",
      ])
  }

  /// Keeps the rest of a channel for reports, and says when it begins and ends.
  func note(_ rest: ChannelRest?, of channel: PlannedNotification.Channel) {
    let earlier = state.withLock { state in
      let earlier = state.tallies[channel]?.rest
      state.tallies[channel, default: DispatchTally()].rest = rest
      return earlier
    }
    if let rest, rest.until != earlier?.until {
      logger.warning(
        "The channel rests: its attempts fail, and its notifications wait",
        metadata: [
          "channel": "\(channel.rawValue)", "failures": "\(rest.failures)",
          "error": "\(rest.error)", "until": "\(rest.until)",
        ])
    } else if rest == nil, earlier != nil {
      logger.notice("The channel works again", metadata: ["channel": "\(channel.rawValue)"])
    }
  }

  func logRecording(on channel: PlannedNotification.Channel) {
    logger.notice(
      "The database takes outcomes again", metadata: ["channel": "\(channel.rawValue)"])
  }

  // MARK: Questions to the database

  /// Takes due rows of a channel, and decides about each.
  ///
  /// Rows about which it cannot decide are given back.
  ///
  /// - Throws: `StorageError` where it has taken none.
  func claim(
    _ settings: ChannelSettings, limit: Int
  ) async throws -> ClaimedRows {
    try await claims.run { [self] in
      try takeBackLeases(for: settings)
      let now = now()
      let rest = try storage.channelRests().first { $0.channel == settings.channel }
      note(rest, of: settings.channel)
      if let rest, !rest.isOver(at: now) { return ClaimedRows(leasedUntil: now, rest: rest) }
      // One attempt shows whether the channel works again.
      let limit = rest == nil && !takesSingly(settings.channel) ? limit : 1
      let end = now.adding(seconds: settings.leaseSeconds)
      let rows = try storage.claim(
        DispatchClaim(
          channel: settings.channel, owner: "\(owner):\(settings.channel.rawValue)", limit: limit,
          leaseUntil: end), at: now)
      noteTaking(of: rows.count, on: settings.channel)
      var claimed = ClaimedRows()
      do {
        var earlier = EarlierDeliveries()
        claimed = try decide(rows, settings, after: &earlier, at: now)
        try logMessages(&claimed, settings, at: now)
      } catch {
        claimed = ClaimedRows(
          outcomes: rows.map {
            DispatchOutcome(
              .released, of: $0.lease, message: settings.logsMessages ? .notSent : nil)
          }, failure: error)
      }
      claimed.rest = rest
      claimed.leasedUntil = end
      claimed.mayHaveMore = rows.count >= limit
      return claimed
    }
  }

  /// Makes the calls that are due because no member has answered; returns their number.
  ///
  /// - Throws: `StorageError`.
  func escalate(by policy: EscalationPolicy) async throws -> Int {
    try await claims.run { [self] in
      var made = 0
      try Escalator(storage: storage, policy: policy, zones: zones).run(at: now()) { tally in
        made += tally.made
        state.withLock { $0.escalation += tally }
      }
      return made
    }
  }

  /// Enqueues the notifications of prompts that no sender has planned; returns the number of prompts.
  ///
  /// - Throws: `StorageError`.
  func planPrompts() async throws -> Int {
    let planned = try await claims.run { [self] in
      let now = now()
      let planner = PromptPlanner(storage: storage, zones: zones)
      let minute = now.microseconds / 60_000_000
      let isNewMinute = state.withLock { $0.minuteOfClockPrompts != minute }
      let planned = try planner.run(
        Prompt.Kind.allCases.filter { isNewMinute || !$0.isOfTheClock }, at: now)
      // The rest of very many comes with the next look.
      if planned < planner.limit { state.withLock { $0.minuteOfClockPrompts = minute } }
      return planned
    }
    if planned > 0 { noteAddition() }
    return planned
  }

  /// The rows of the app that one look of a sender sees.
  private static let rowsInApp = 1_000

  /// Cancels rows of the app that are not to be shown any more: some in each look, or all of them.
  ///
  /// - Throws: `StorageError`.
  func checkInApp(all: Bool) async throws {
    try await claims.run { [self] in
      let place = all ? InAppChecker.Place() : state.withLock { $0.inApp }
      let next = try InAppChecker(storage: storage, zones: zones).run(
        from: place, limit: all ? .max : Self.rowsInApp, at: now()
      ) { cancelled in
        count(on: .inApp) { $0.cancelled.merge(cancelled, uniquingKeysWith: +) }
      }
      state.withLock { $0.inApp = next }
    }
  }

  /// Records outcomes, and first what they say about their channel.
  ///
  /// - Throws: `StorageError`.
  func settle(
    _ outcomes: [DispatchOutcome], on channel: PlannedNotification.Channel, _ change: RestChange?
  ) async throws -> Set<UUID> {
    try await settlements.run { [self] in
      let now = now()
      if let change { try storage.record(change.rest, of: channel, at: now) }
      return try storage.settle(outcomes, at: now)
    }
  }

  /// Prolongs leases, of rows that are still this sender's; returns their end.
  ///
  /// - Throws: `StorageError`.
  func renew(_ leases: [DispatchLease], for seconds: Int64) async throws -> Timestamp {
    try await settlements.run { [self] in
      let end = now().adding(seconds: seconds)
      _ = try storage.renew(leases, until: end)
      return end
    }
  }

  /// Clocks of hosts differ a little: a lease is taken back some seconds after its end.
  private static func grace(for settings: ChannelSettings) -> Int64 {
    min(5, settings.leaseSeconds / 2)
  }

  /// Leases that have ended by then are taken back.
  func takingBackInstant(for settings: ChannelSettings, at now: Timestamp) -> Timestamp {
    now.adding(seconds: -Self.grace(for: settings))
  }

  private func takeBackLeases(for settings: ChannelSettings) throws {
    let grace = Self.grace(for: settings)
    let isDue = state.withLock { state in
      let now = ContinuousClock.now
      guard now >= state.nextTakingBack else { return false }
      state.nextTakingBack = now + .seconds(grace)
      return true
    }
    guard isDue else { return }
    let taken = try storage.takeBackLeases(endedBy: takingBackInstant(for: settings, at: now()))
    guard taken != TakenBackLeases() else { return }
    count(on: settings.channel) {
      $0.takenBack += taken.waiting + taken.failed
      $0.failed += taken.failed
      $0.uncertain += taken.failed
    }
    // They may be of any channel.
    state.withLock { state in
      for channel in PlannedNotification.Channel.allCases {
        state.singly[channel] = max(taken.waiting, state.singly[channel, default: 0])
      }
    }
  }

  /// Counts rows that were taken; none of those that were taken back is left where none was found.
  private func noteTaking(of rows: Int, on channel: PlannedNotification.Channel) {
    state.withLock { state in
      let left = rows == 0 ? 0 : state.singly[channel, default: 0] - rows
      state.singly[channel] = max(0, left)
    }
  }
}

/// Rows that were taken, with the decisions about them.
struct ClaimedRows: Sendable {
  var deliveries: [ReadyDelivery] = []
  /// Of rows that are not sent.
  var outcomes: [DispatchOutcome] = []
  /// Why nothing was decided; nil where it was.
  var failure: (any Error)?
  var leasedUntil = Timestamp(microseconds: 0)
  /// The rest of the channel, as the database has it; nil for a channel that works.
  var rest: ChannelRest?
  /// Whether there were as many as were asked for.
  var mayHaveMore = false
}
