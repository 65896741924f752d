import VigilModel

/// How a report may look in a terminal.
public struct TextStyle: Sendable, Hashable {
  /// Whether severities are coloured; nothing else ever is.
  public var usesColor: Bool

  public init(usesColor: Bool) {
    self.usesColor = usesColor
  }

  public static let plain = TextStyle(usesColor: false)

  /// Puts the colour of `emphasis` around `text`, where colours are wanted.
  func apply(_ emphasis: Emphasis?, to text: String) -> String {
    guard usesColor, let emphasis else { return text }
    return "\u{1B}[\(emphasis.code)m\(text)\u{1B}[0m"
  }
}

/// How much a word asks to be looked at.
enum Emphasis: Sendable, Hashable {
  case high
  case medium
  case low

  init(_ severity: Severity) {
    self =
      switch severity {
      case .critical: .high
      case .attention: .medium
      case .watch: .low
      }
  }

  /// Parameters of SGR, ECMA-48 section 8.3.117.
  fileprivate var code: String {
    switch self {
    case .high: "1;31"
    case .medium: "33"
    case .low: "36"
    }
  }
}
