/// The location that `--database` names.
enum DatabaseLocation: Hashable, Sendable {
  case sqlite(path: String)
  /// A connection URL, which may hold a password and is never printed unchanged.
  case postgres(url: String)

  /// Nil for anything but `sqlite:PATH` and `postgres://...`.
  init?(_ text: String) {
    if text.hasPrefix("sqlite:") {
      let path = String(text.dropFirst("sqlite:".count))
      guard !path.isEmpty, !path.contains("\0") else { return nil }
      self = .sqlite(path: path)
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .postgres(url: text)
    } else {
      return nil
    }
  }
}
