/// The decision of an operator about the notifications that a run holds.
public enum HeldDecision: String, Sendable {
  /// They are sent.
  case release = "released"
  /// They are never sent; their alerts count as notified at this level.
  case discard = "discarded"
}
