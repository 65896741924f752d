public import VigilAlerts
import VigilModel

/// The decision of an operator about the notifications that a run holds.
public enum HeldDecision: String, Sendable {
  /// They are sent.
  case release = "released"
  /// They are never sent; their alerts count as notified at this level.
  case discard = "discarded"
}

extension HeldDecision {
  /// The moment whose rules count.
  public var moment: DeliveryMoment {
    switch self {
    case .release: .releasing
    case .discard: .discarding
    }
  }

  /// By the sum of a held notification's circumstances, its outcome as its row has it.
  public var heldOutcomes: [String] {
    switch self {
    case .release: Self.releasedOutcomes
    case .discard: Self.discardedOutcomes
    }
  }

  /// The outcomes by which members count as notified of a level.
  public var notifiedOutcomes: [String] {
    switch self {
    case .release: Self.releasedAsNotified
    case .discard: Self.discardedAsNotified
    }
  }

  /// The entries of the queue for released notifications by their outcome.
  ///
  /// They are those of one by itself, of one that is due later, and of the same two in a group. The queue gets none for an
  /// outcome that is not there.
  public static let queueEntries: [String: [QueueEntry]] =
    Set(DeliveryRules.heldOutcomes(at: .releasing)).reduce(into: [:]) { lists, outcome in
      let entries = [false, true].flatMap { isGrouped in
        [false, true].compactMap { outcome.entry(isGrouped: isGrouped, isLater: $0) }
      }
      if !entries.isEmpty { lists[outcome.heldOutcome] = entries }
    }

  private static let releasedOutcomes = outcomes(at: .releasing)
  private static let discardedOutcomes = outcomes(at: .discarding)
  private static let releasedAsNotified = notifiedOutcomes(at: .releasing)
  private static let discardedAsNotified = notifiedOutcomes(at: .discarding)

  private static func outcomes(at moment: DeliveryMoment) -> [String] {
    DeliveryRules.heldOutcomes(at: moment).map(\.heldOutcome)
  }

  private static func notifiedOutcomes(at moment: DeliveryMoment) -> [String] {
    Set(DeliveryRules.heldOutcomes(at: moment).filter(\.countsAsNotified).map(\.heldOutcome))
      .sorted()
  }
}

extension DeliveryOutcome {
  /// The outcome of a held notification as its row has it.
  public var heldOutcome: String {
    switch self {
    case .send: HeldDecision.release.rawValue
    case .discarded: HeldDecision.discard.rawValue
    case .repeated: "repeated"
    case .wait(_, let reason), .withhold(let reason): reason.rawValue
    }
  }
}
