/// What a person decides about the notifications that a run holds.
public enum HeldDecision: String, Sendable {
  /// They go out.
  case release = "released"
  /// They never go out; their alerts count as notified at this level.
  case discard = "discarded"
}
