import Foundation
import Synchronization
import VigilDelivery
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

  let storage: any DispatchStorage & EscalationStorage
  let zones: ZoneCatalog
  let messages: MessageCatalog
  private let owner: String
  /// Taking rows, and recording outcomes, do not wait for each other.
  private let claims = BlockingCalls(named: "vigil.dispatch.claims")
  private let settlements = BlockingCalls(named: "vigil.dispatch.settlements")
  private let state = Mutex(State())

  private struct State {
    var tallies: [PlannedNotification.Channel: DispatchTally] = [:]
    var escalation = EscalationTally()
    var additions = 0
    var nextTakingBack = ContinuousClock.now
    /// Rows that are still to be taken one by one, by channel.
    var singly: [PlannedNotification.Channel: Int] = [:]
  }

  init(
    _ storage: any DispatchStorage & EscalationStorage, zones: ZoneCatalog,
    messages: MessageCatalog, owner: String,
    pollSeconds: Int64, now: @escaping @Sendable () -> Timestamp,
    isStopping: @escaping @Sendable () -> Bool
  ) {
    self.storage = storage
    self.zones = zones
    self.messages = messages
    self.owner = owner
    self.pollSeconds = pollSeconds
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

  // MARK: Questions to the database

  /// Takes due rows of a channel, and decides about each.
  ///
  /// - Throws: `StorageError`.
  func claim(
    _ settings: ChannelSettings, limit: Int
  ) async throws -> ClaimedRows {
    try await claims.run { [self] in
      try takeBackLeases(for: settings)
      let limit = takesSingly(settings.channel) ? 1 : limit
      let now = now()
      let end = now.adding(seconds: settings.leaseSeconds)
      let rows = try storage.claim(
        DispatchClaim(
          channel: settings.channel, owner: "\(owner):\(settings.channel.rawValue)", limit: limit,
          leaseUntil: end), at: now)
      noteTaking(of: rows.count, on: settings.channel)
      var earlier = EarlierDeliveries()
      var claimed = try decide(rows, settings, after: &earlier, at: now)
      try logMessages(&claimed, settings, at: now)
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

  /// - Throws: `StorageError`.
  func settle(_ outcomes: [DispatchOutcome]) async throws -> Set<UUID> {
    try await settlements.run { [self] in try storage.settle(outcomes, at: now()) }
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
    let number = try storage.takeBackLeases(endedBy: takingBackInstant(for: settings, at: now()))
    guard number > 0 else { return }
    count(on: settings.channel) { $0.takenBack += number }
    // They may be of any channel.
    state.withLock { state in
      for channel in PlannedNotification.Channel.allCases {
        state.singly[channel] = max(number, state.singly[channel, default: 0])
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
  var leasedUntil = Timestamp(microseconds: 0)
  /// Whether there were as many as were asked for.
  var mayHaveMore = false
}
