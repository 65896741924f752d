import VigilModel

/// The appearance of a report in a terminal.
public struct TextStyle: Sendable, Hashable {
  /// Whether severities are coloured; no other text is.
  public var usesColor: Bool
  /// Columns of the terminal, which lists keep to; nil where there is none, or where all of a list is wanted.
  public var width: Int?

  public init(usesColor: Bool, width: Int? = nil) {
    self.usesColor = usesColor
    self.width = width
  }

  public static let plain = TextStyle(usesColor: false)

  /// Puts the colour of `emphasis` around `text`, where colours are wanted.
  func apply(_ emphasis: Emphasis?, to text: String) -> String {
    guard usesColor, let emphasis else { return text }
    return "\(emphasis.sequence)\(text)\(Emphasis.end)"
  }

  /// A whole text for a terminal: line breaks and the colours of this style stay, and no other
  /// character steers the terminal.
  public func terminalSafe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.steersTerminals && $0 != "\n" }) else {
      return text
    }
    let own = usesColor ? Emphasis.allCases.map(\.sequence) + [Emphasis.end] : []
    var safe = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if let sequence = own.first(where: { rest.starts(with: $0.unicodeScalars) }) {
        safe.append(contentsOf: sequence.unicodeScalars)
        rest = rest.dropFirst(sequence.unicodeScalars.count)
      } else {
        safe.append(scalar.steersTerminals && scalar != "\n" ? "\u{FFFD}" : scalar)
        rest = rest.dropFirst()
      }
    }
    return String(safe)
  }
}

/// The prominence of a word.
enum Emphasis: Sendable, Hashable, CaseIterable {
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

  /// SGR, ECMA-48 section 8.3.117.
  fileprivate var sequence: String {
    switch self {
    case .high: "\u{1B}[1;31m"
    case .medium: "\u{1B}[33m"
    case .low: "\u{1B}[36m"
    }
  }

  fileprivate static let end = "\u{1B}[0m"
}
