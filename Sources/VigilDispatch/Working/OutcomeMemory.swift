import VigilStorage

/// The outcomes that the database does not have yet.
///
/// Each stays here until the database has it. While recording fails or takes long, nothing new is to begin: what
/// cannot be recorded either would be sent again.
struct OutcomeMemory {
  /// Outcomes that are not being recorded.
  private var waiting: [DispatchOutcome] = []
  /// Outcomes that are being recorded.
  private var underWay: [DispatchOutcome] = []
  /// Since when outcomes are being recorded; nil where none are.
  private var recordingSince: ContinuousClock.Instant?
  /// The last failure, while no later attempt has succeeded.
  private(set) var failure: (any Error)?
  private var failingSince: ContinuousClock.Instant?
  private var nextTry = ContinuousClock.now
  private var pause = shortestPause

  private static let shortestPause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(15)
  /// Recording that takes longer may be about to fail.
  private static let longestRecording = Duration.seconds(1)

  var isEmpty: Bool { waiting.isEmpty && underWay.isEmpty }

  var isRecording: Bool { recordingSince != nil }

  var count: Int { waiting.count + underWay.count }

  /// The leases of those that wait to be recorded.
  var leases: [DispatchLease] { waiting.map(\.lease) }

  mutating func add(_ outcome: DispatchOutcome) { waiting.append(outcome) }

  mutating func add(_ outcomes: [DispatchOutcome]) { waiting += outcomes }

  /// Returns the outcomes to record at this moment, which `recorded` or `failed` follows; nil for none.
  mutating func begin(at now: ContinuousClock.Instant) -> [DispatchOutcome]? {
    guard recordingSince == nil, !waiting.isEmpty, failure == nil || now >= nextTry else {
      return nil
    }
    recordingSince = now
    (underWay, waiting) = (waiting, [])
    return underWay
  }

  mutating func recorded() {
    (underWay, recordingSince, failure, failingSince) = ([], nil, nil, nil)
    pause = Self.shortestPause
  }

  /// Keeps the outcomes for another try, before later ones.
  mutating func failed(_ error: any Error, at now: ContinuousClock.Instant) {
    failingSince = failingSince ?? recordingSince ?? now
    (waiting, underWay, recordingSince) = (underWay + waiting, [], nil)
    failure = error
    nextTry = now + pause
    pause = min(pause * 2, Self.longestPause)
  }

  /// Whether nothing new is to begin.
  func isStalled(at now: ContinuousClock.Instant) -> Bool {
    failure != nil || recordingSince.map { now > $0 + Self.longestRecording } ?? false
  }

  /// Whether recording has failed for as long as `patience`, and is not being tried.
  func hasFailed(for patience: Duration, at now: ContinuousClock.Instant) -> Bool {
    guard recordingSince == nil, let failingSince else { return false }
    return now >= failingSince + patience
  }

  /// Forgets all outcomes; returns them.
  mutating func giveUp() -> [DispatchOutcome] {
    defer { (waiting, underWay) = ([], []) }
    return underWay + waiting
  }
}

/// Outcomes that a sender could not record before it ended.
public struct UnrecordedOutcomes: Error, Sendable {
  /// Their number.
  public var count: Int
  /// Of these, notifications that a provider has accepted.
  public var sent: Int
  /// Why the database did not take them.
  public var reason: any Error
}
