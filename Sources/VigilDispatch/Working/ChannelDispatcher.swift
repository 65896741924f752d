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

  private var ready = ReadyRows()
  /// Of rows that an attempt is made at.
  private var inFlight: Set<DispatchLease> = []
  private var outcomes = OutcomeMemory()
  private var isClaiming = false
  private var isRenewing = false
  /// The database is not asked for rows before, nor to renew leases, because it has just failed.
  private var askedAgainAt = ContinuousClock.now
  /// Whether the last question found no more rows than it got.
  private var hasMore = true
  private var leasedUntil = Timestamp(microseconds: 0)
  private var pacer: Pacer?
  private var circuit: ChannelCircuit
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

  init(
    _ settings: ChannelSettings, work: DispatchWork, provider: any DeliveryProvider, isOnce: Bool
  ) {
    self.settings = settings
    self.work = work
    self.provider = provider
    self.isOnce = isOnce
    circuit = ChannelCircuit(settings)
    pacer = settings.perSecond.map { Pacer(perSecond: $0, at: .now) }
  }

  private var isStopping: Bool { failure != nil || work.isStopping() || Task.isCancelled }

  /// Works until it is asked to stop or its task is cancelled, or nothing is due where it works once.
  ///
  /// Attempts that have begun are waited for, and rows that were taken too early are given back. Outcomes that cannot
  /// be recorded are kept: until they can be, or for some seconds at the end.
  ///
  /// - Throws: `StorageError` that lasted, or `UnrecordedOutcomes`.
  mutating func run() async throws {
    await withTaskGroup(of: Event.self) { group in
      // Looks at the clock, the signal and the queue now and then.
      addTick(to: &group)
      while true {
        begin(in: &group)
        if isIdle, isStopping || (isOnce && !(hasMore && mayClaim)) { break }
        if isHopeless {
          giveUp()
          break
        }
        guard let event = await group.next() else { break }
        take(event, in: &group)
      }
      group.cancelAll()
    }
    if let failure { throw failure }
  }

  private var isIdle: Bool {
    !isAtWork && outcomes.isEmpty && ready.isEmpty
  }

  /// Whether a task is to end in an event.
  private var isAtWork: Bool {
    !inFlight.isEmpty || isClaiming || isRenewing || outcomes.isRecording
  }

  /// Whether it is to end, and the database does not take what it has.
  private var isHopeless: Bool {
    (isStopping || isOnce) && !isAtWork
      && outcomes.hasFailed(for: work.recordingPatience, at: .now)
  }

  private mutating func giveUp() {
    guard let reason = outcomes.failure else { return }
    let lost = outcomes.giveUp()
    let sent = lost.count { $0.result == .sent }
    // They were delivered, and will be again: the provider sees the same key.
    work.count(on: settings.channel) { $0.uncertain += sent }
    failure = UnrecordedOutcomes(count: lost.count, sent: sent, reason: reason)
  }

  // MARK: What can begin

  private mutating func begin(in group: inout TaskGroup<Event>) {
    // A row that waits for the database, or for its channel, is decided again then.
    if isStopping || outcomes.failure != nil || circuit.isResting(at: work.now()) { giveBack() }
    beginAttempts(in: &group)
    beginClaim(in: &group)
    beginRenewing(in: &group)
    beginSettling(in: &group)
  }

  private mutating func giveBack() {
    outcomes.add(
      ready.removeAll().map {
        DispatchOutcome(
          .released, of: $0.row.lease, message: settings.logsMessages ? .notSent : nil)
      })
  }

  private mutating func beginAttempts(in group: inout TaskGroup<Event>) {
    let now = ContinuousClock.now
    // Another sender may take a row whose lease ends: an attempt must fit into what is left of it.
    let lastStart = leasedUntil.microseconds - Int64(clamping: settings.timeout / .microseconds(1))
    let isInTime = work.now().microseconds < lastStart
    while !ready.isEmpty, inFlight.count < attemptsAtOnce, now >= pausedUntil, isInTime,
      !outcomes.isStalled(at: now)
    {
      if let seconds = pacer?.take(at: now) {
        pausedUntil = now + .seconds(seconds)
        group.addTask {
          try? await Task.sleep(for: .seconds(seconds))
          return .paused
        }
        return
      }
      guard let delivery = ready.next() else { return }
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
  }

  private var attemptsAtOnce: Int { circuit.attemptsAtOnce(of: settings.concurrency) }

  /// Whether the channel has something to do for rows; one that rests waits, and then tries one row at a time.
  private var mayClaim: Bool {
    circuit.rest == nil
      || (!circuit.isResting(at: work.now()) && inFlight.isEmpty && ready.isEmpty)
  }

  private mutating func beginClaim(in group: inout TaskGroup<Event>) {
    let now = ContinuousClock.now
    guard !isClaiming, !isRenewing, hasMore, mayClaim, !isStopping,
      ready.count < settings.concurrency,
      outcomes.count < 4 * settings.concurrency, !outcomes.isStalled(at: now), now >= askedAgainAt,
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
    guard let outcomes = outcomes.begin(at: .now) else { return }
    let (work, channel, change) = (work, settings.channel, circuit.beginRecording())
    group.addTask {
      do {
        return .settled(
          outcomes, counted: try await work.settle(outcomes, on: channel, change))
      } catch {
        return .notSettled(error, change)
      }
    }
  }

  private mutating func beginRenewing(in group: inout TaskGroup<Event>) {
    let half = settings.leaseSeconds * 500_000
    guard !isRenewing, !isClaiming, !isStopping, outcomes.failure == nil, .now >= askedAgainAt,
      !ready.isEmpty || !inFlight.isEmpty || !outcomes.isEmpty,
      work.now().microseconds > leasedUntil.microseconds - half
    else { return }
    // Decisions about waiting rows are old by now: the sender takes these rows again, and decides again.
    giveBack()
    isRenewing = true
    let leases = inFlight.union(outcomes.leases)
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
        ready.isEmpty && inFlight.isEmpty
        ? claimed.leasedUntil : min(leasedUntil, claimed.leasedUntil)
      if !outcomes.isRecording { circuit.take(claimed.rest) }
      ready.add(claimed.deliveries)
      outcomes.add(claimed.outcomes)
      hasMore = claimed.mayHaveMore
      if let error = claimed.failure { take(error) }
    case .answered(let row, let answer):
      inFlight.remove(row.lease)
      let answer = judged(answer)
      var outcome = row.outcome(
        of: answer, retryingBy: settings.retry, chance: .random(in: 0...1), at: work.now())
      if settings.logsMessages {
        outcome.message = answer.messageEnd
        // The provider may count the parts in another way.
        if let segments = answer.receipt?.segments, answer.receipt?.cost == nil {
          outcome.receipt?.cost = settings.messagePrice?.times(segments)
        }
      }
      outcomes.add(outcome)
    case .settled(let outcomes, let counted):
      if self.outcomes.failure != nil { work.logRecording(on: settings.channel) }
      self.outcomes.recorded()
      record(outcomes, counted: counted)
      // Rows that were given back are due.
      if !isStopping, outcomes.contains(where: { $0.result == .released }) { hasMore = true }
    case .notSettled(let error, let change):
      circuit.notRecorded(change)
      let isFirst = outcomes.failure == nil
      outcomes.failed(error, at: .now)
      if isFirst { work.logNotRecording(outcomes.count, on: settings.channel, error) }
      if !error.mayPass { failure = failure ?? error }
    case .renewed(let end):
      isRenewing = false
      // An attempt at a row that is lost goes on, and its outcome will not count.
      leasedUntil = end
    case .failed(let error, let activity):
      switch activity {
      case .claiming: isClaiming = false
      case .renewing: isRenewing = false
      }
      take(error)
    case .paused: break
    case .ticked:
      if !isOnce { lookAgainIfDue() }
      addTick(to: &group)
    }
  }

  /// Counts an answer, which may be about the channel rather than about its row.
  private mutating func judged(_ answer: DeliveryAnswer) -> DeliveryAnswer {
    let isAboutChannel = circuit.take(answer, chance: .random(in: 0...1), at: work.now())
    let (rest, hasFailed) = (circuit.rest, answer.complaint != nil)
    work.count(on: settings.channel) { tally in
      if answer.isUncertain { tally.uncertain += 1 }
      tally.attempts += 1
      if hasFailed { tally.failedAttempts += 1 }
    }
    work.note(rest, of: settings.channel)
    return isAboutChannel ? answer.aboutChannel : answer
  }

  /// Ends the sender for a failure of the database; not before what it has is recorded, if it goes on.
  private mutating func take(_ error: any Error) {
    guard !isOnce, error.mayPass, !outcomes.isEmpty || !inFlight.isEmpty else {
      failure = failure ?? error
      return
    }
    hasMore = true
    askedAgainAt = .now + .seconds(1)
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
