import Foundation
import VigilModel
import VigilStorage

/// Sends the rows of one channel: takes due rows, asks again whether they are to be sent, gives them to the
/// provider, and records the outcomes.
///
/// One loop owns all state and reacts to events one at a time; attempts and questions to the database are tasks
/// that end in an event. While outcomes are being recorded others collect, so that a busy channel writes many
/// at once. Memory is bounded by the rows that are taken at a time.
struct ChannelDispatcher {
  let settings: ChannelSettings
  let work: DispatchWork
  let provider: any DeliveryProvider
  /// Ends when it has nothing left that is due.
  let isOnce: Bool

  private var ready: [ReadyDelivery] = []
  /// The place of the next one in `ready`.
  private var nextReady = 0
  /// Of rows that an attempt is made at.
  private var inFlight: Set<DispatchLease> = []
  private var unsettled: [DispatchOutcome] = []
  private var isClaiming = false
  /// Since when outcomes are being recorded; nil where none are.
  private var settlingSince: ContinuousClock.Instant?
  private var isRenewing = false
  /// Whether the last question found no more rows than it got.
  private var hasMore = true
  private var leasedUntil = Timestamp(microseconds: 0)
  private var pacer: Pacer?
  /// No attempt begins before.
  ///
  /// This and other waits follow the monotonic clock.
  private var pausedUntil = ContinuousClock.now
  private var failure: (any Error)?
  /// When rows in flight, or with an outcome, were due.
  private var dueAt: [DispatchLease: Timestamp] = [:]
  private var seenAdditions = 0
  /// When it asks for rows without a sign that there are some.
  private var nextLook = ContinuousClock.now

  enum Event: Sendable {
    case claimed(ClaimedRows)
    case answered(ClaimedNotification, DeliveryAnswer)
    case settled([DispatchOutcome], counted: Set<UUID>)
    case renewed(until: Timestamp)
    case failed(any Error, Activity)
    /// A pause of the provider's rate limit is over.
    case paused
    case ticked
  }

  enum Activity: Sendable {
    case claiming
    case settling
    case renewing
  }

  init(
    _ settings: ChannelSettings, work: DispatchWork, provider: any DeliveryProvider, isOnce: Bool
  ) {
    self.settings = settings
    self.work = work
    self.provider = provider
    self.isOnce = isOnce
    pacer = settings.perSecond.map { Pacer(perSecond: $0, at: .now) }
  }

  private var isStopping: Bool { failure != nil || work.isStopping() || Task.isCancelled }

  private var waiting: Int { ready.count - nextReady }

  /// Works until it is asked to stop or its task is cancelled, or nothing is due where it works once.
  ///
  /// Attempts that have begun are waited for, and rows that were taken too early are given back.
  ///
  /// - Throws: `StorageError` that lasted.
  mutating func run() async throws {
    await withTaskGroup(of: Event.self) { group in
      // Looks at the clock, the signal and the queue now and then.
      addTick(to: &group)
      while true {
        begin(in: &group)
        if isIdle, isStopping || (isOnce && !hasMore) { break }
        guard let event = await group.next() else { break }
        take(event, in: &group)
      }
      group.cancelAll()
    }
    if let failure { throw failure }
  }

  private var isIdle: Bool {
    inFlight.isEmpty && unsettled.isEmpty && waiting == 0 && !isClaiming && settlingSince == nil
      && !isRenewing
  }

  // MARK: What can begin

  private mutating func begin(in group: inout TaskGroup<Event>) {
    if isStopping { giveBack() }
    beginAttempts(in: &group)
    beginClaim(in: &group)
    beginRenewing(in: &group)
    beginSettling(in: &group)
  }

  private mutating func giveBack() {
    for delivery in ready[nextReady...] {
      unsettled.append(
        DispatchOutcome(
          .released, of: delivery.row.lease, message: settings.logsMessages ? .notSent : nil))
    }
    ready = []
    nextReady = 0
  }

  private mutating func beginAttempts(in group: inout TaskGroup<Event>) {
    let now = ContinuousClock.now
    // Another sender may take a row whose lease ends: an attempt must fit into what is left of it.
    let lastStart = leasedUntil.microseconds - Int64(clamping: settings.timeout / .microseconds(1))
    let isInTime = work.now().microseconds < lastStart
    while waiting > 0, inFlight.count < settings.concurrency, now >= pausedUntil, isInTime,
      !isSettlingLong(at: now)
    {
      if let seconds = pacer?.take(at: now) {
        pausedUntil = now + .seconds(seconds)
        group.addTask {
          try? await Task.sleep(for: .seconds(seconds))
          return .paused
        }
        return
      }
      let delivery = ready[nextReady]
      nextReady += 1
      inFlight.insert(delivery.row.lease)
      dueAt[delivery.row.lease] = delivery.row.scheduledFor
      let provider = provider
      group.addTask {
        .answered(
          delivery.row,
          await provider.deliver(
            Delivery(row: delivery.row, message: delivery.message, addresses: delivery.addresses)))
      }
    }
    if nextReady == ready.count {
      ready = []
      nextReady = 0
    }
  }

  /// Whether the database takes long to record outcomes: what cannot be recorded would be repeated.
  private func isSettlingLong(at now: ContinuousClock.Instant) -> Bool {
    settlingSince.map { now > $0 + .seconds(1) } ?? false
  }

  private mutating func beginClaim(in group: inout TaskGroup<Event>) {
    guard !isClaiming, !isRenewing, hasMore, !isStopping, waiting < settings.concurrency,
      unsettled.count < 4 * settings.concurrency,
      isIdle || !work.takesSingly(settings.channel)
    else { return }
    isClaiming = true
    let (work, settings) = (work, settings)
    // A few seconds of work, so that little is given back at the end.
    let limit = min(
      4 * settings.concurrency, settings.perSecond.map { max(1, Int(clamping: $0 * 4)) } ?? .max)
    group.addTask {
      do {
        return .claimed(try await work.claim(settings, limit: limit))
      } catch {
        return .failed(error, .claiming)
      }
    }
  }

  private mutating func beginSettling(in group: inout TaskGroup<Event>) {
    guard settlingSince == nil, !unsettled.isEmpty else { return }
    settlingSince = .now
    let outcomes = unsettled
    unsettled = []
    let (work, channel) = (work, settings.channel)
    group.addTask {
      do {
        return .settled(outcomes, counted: try await work.settle(outcomes))
      } catch {
        // They were delivered, and will be again: the provider sees the same key.
        work.count(on: channel) { $0.uncertain += outcomes.count { $0.result == .sent } }
        return .failed(error, .settling)
      }
    }
  }

  private mutating func beginRenewing(in group: inout TaskGroup<Event>) {
    let half = settings.leaseSeconds * 500_000
    guard !isRenewing, !isClaiming, !isStopping,
      waiting > 0 || !inFlight.isEmpty || !unsettled.isEmpty,
      work.now().microseconds > leasedUntil.microseconds - half
    else { return }
    // Decisions about waiting rows are old by now: the sender takes these rows again, and decides again.
    giveBack()
    isRenewing = true
    let leases = inFlight.union(unsettled.map(\.lease))
    let (work, seconds) = (work, settings.leaseSeconds)
    group.addTask {
      do {
        return .renewed(until: try await work.renew(Array(leases), for: seconds))
      } catch {
        return .failed(error, .renewing)
      }
    }
  }

  private func addTick(to group: inout TaskGroup<Event>) {
    group.addTask {
      try? await Task.sleep(for: .milliseconds(100))
      return .ticked
    }
  }

  // MARK: What has happened

  private mutating func take(_ event: Event, in group: inout TaskGroup<Event>) {
    switch event {
    case .claimed(let claimed):
      isClaiming = false
      // The shortest lease of all decides; earlier ones are renewed together with these.
      leasedUntil =
        waiting == 0 && inFlight.isEmpty
        ? claimed.leasedUntil : min(leasedUntil, claimed.leasedUntil)
      ready = Array(ready[nextReady...]) + claimed.deliveries
      nextReady = 0
      unsettled += claimed.outcomes
      hasMore = claimed.mayHaveMore
    case .answered(let row, let answer):
      inFlight.remove(row.lease)
      if answer.isUncertain { work.count(on: settings.channel) { $0.uncertain += 1 } }
      var outcome = row.outcome(
        of: answer, retryingBy: settings.retry, chance: .random(in: 0...1), at: work.now())
      if settings.logsMessages { outcome.message = answer.messageEnd }
      unsettled.append(outcome)
    case .settled(let outcomes, let counted):
      settlingSince = nil
      record(outcomes, counted: counted)
      // Rows that were given back are due.
      if !isStopping, outcomes.contains(where: { $0.result == .released }) { hasMore = true }
    case .renewed(let end):
      isRenewing = false
      // An attempt at a row that is lost goes on, and its outcome will not count.
      leasedUntil = end
    case .failed(let error, let activity):
      failure = failure ?? error
      switch activity {
      case .claiming: isClaiming = false
      case .settling: settlingSince = nil
      case .renewing: isRenewing = false
      }
    case .paused: break
    case .ticked:
      if !isOnce { lookAgainIfDue() }
      addTick(to: &group)
    }
  }

  /// Asks for rows when some were added, or some may have become due.
  private mutating func lookAgainIfDue() {
    let now = ContinuousClock.now
    let additions = work.additions
    if additions != seenAdditions || now >= nextLook {
      seenAdditions = additions
      nextLook = now + .seconds(work.pollSeconds)
      hasMore = true
    }
  }

  private mutating func record(_ outcomes: [DispatchOutcome], counted: Set<UUID>) {
    let now = work.now()
    let due = outcomes.map { dueAt.removeValue(forKey: $0.lease) }
    work.count(on: settings.channel) { tally in
      for (outcome, due) in zip(outcomes, due) {
        guard counted.contains(outcome.lease.id) else {
          tally.lost += 1
          continue
        }
        tally.count(outcome)
        if outcome.result == .sent, let due {
          tally.latency.add(Double(now.microseconds - due.microseconds) / 1e6)
        }
      }
    }
  }
}
