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
