/// The place of a password or key; it is read once, when a sender begins.
public enum SecretSource: Hashable, Sendable {
  case file(String)
  /// A variable of the environment.
  case variable(String)
}

/// A text that stands in a file of settings, or is secret.
public enum SecretText: Hashable, Sendable {
  case text(String)
  case secret(SecretSource)
}
