import VigilModel
import VigilStorage

/// Notices that the attempts of a channel fail one after the other, and lets the channel rest.
///
/// Its notifications wait meanwhile. After the rest one attempt shows whether the channel works again; if it does not,
/// a longer rest follows. A refusal is not held against a row while the channel rests: it is about the channel.
struct ChannelCircuit {
  /// So many attempts that fail in a row are not about their rows.
  static let failuresBeforeRest = 5
  static let longestRestSeconds = 900.0

  private let channel: PlannedNotification.Channel
  private let schedule: RetrySchedule
  private(set) var failures = 0
  private(set) var rest: ChannelRest?
  /// Whether an attempt has shown that the channel works.
  private var hasWorked = false
  /// Whether the database has `rest` as it is.
  private(set) var isRecorded = true

  init(_ settings: ChannelSettings) {
    channel = settings.channel
    schedule = RetrySchedule(
      firstSeconds: settings.retry.firstSeconds,
      longestSeconds: min(settings.retry.longestSeconds, Self.longestRestSeconds))
  }

  func isResting(at now: Timestamp) -> Bool { rest.map { !$0.isOver(at: now) } ?? false }

  /// The attempts that may be made at once, of `most`: few until the channel is known to work.
  func attemptsAtOnce(of most: Int) -> Int {
    if rest != nil { return 1 }
    if hasWorked, failures == 0 { return most }
    return min(most, max(1, Self.failuresBeforeRest - failures))
  }

  /// Takes over what the database has, from this sender or another.
  mutating func take(_ known: ChannelRest?) {
    guard isRecorded else { return }
    if rest != nil, known == nil { failures = 0 }
    rest = known
  }

  /// Counts an answer; returns whether it is about the channel rather than about its row.
  mutating func take(_ answer: DeliveryAnswer, chance: Double, at now: Timestamp) -> Bool {
    guard let (code, asked) = answer.complaint else {
      (failures, hasWorked) = (0, true)
      if rest != nil { (rest, isRecorded) = (nil, false) }
      return false
    }
    failures += 1
    // Attempts that were under way when the rest began do not prolong it.
    if isResting(at: now) { return true }
    guard rest != nil || failures >= Self.failuresBeforeRest else { return false }
    let number = (rest?.rests ?? 0) + 1
    let pause = schedule.pause(afterAttempts: number, asked: asked, chance: chance)
    rest = ChannelRest(
      channel: channel, rests: number, failures: max(failures, (rest?.failures ?? 0) + 1),
      error: code, until: now.adding(pause: pause))
    isRecorded = false
    return true
  }

  /// The rest to record, or its end; `recorded` or `notRecorded` follows.
  mutating func beginRecording() -> RestChange? {
    guard !isRecorded else { return nil }
    isRecorded = true
    return RestChange(rest: rest)
  }

  mutating func notRecorded(_ change: RestChange?) {
    if change != nil { isRecorded = false }
  }
}

/// A change of the rest of a channel.
struct RestChange: Sendable {
  /// Nil where it works again.
  var rest: ChannelRest?
}

extension DeliveryAnswer {
  /// Why the attempt failed, with the seconds that the provider asks to wait; nil for an answer of a service that works.
  var complaint: (DeliveryErrorCode, after: Double?)? {
    // A service that knows which devices are gone works.
    guard !devices.contains(where: { $0.state == .gone }) else { return nil }
    switch result {
    case .delivered: return nil
    case .failed(let code, let asked): return (code, asked)
    case .notStarted(let code), .refused(let code): return (code, nil)
    }
  }

  /// The same, where a refusal is not about the row: another attempt may succeed.
  var aboutChannel: DeliveryAnswer {
    guard case .refused(let code) = result else { return self }
    var answer = self
    // Where a channel refuses everything, no device is at fault.
    answer.devices.removeAll { $0.state == .refused }
    answer.result = .failed(code, after: nil)
    return answer
  }
}
