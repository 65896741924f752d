/// A part of the evaluation of a run; `--only` chooses among them.
public enum RunPart: String, Sendable, Codable, CaseIterable, Comparable {
  /// Episodes and their notifications.
  case patterns
  /// Doses: measures, and streaks of missed ones.
  case adherence
  /// Scores, and trends of scores.
  case vitality

  public static func < (left: RunPart, right: RunPart) -> Bool { left.rawValue < right.rawValue }
}

extension Set<RunPart> {
  public static let all = Set(RunPart.allCases)

  /// Their words, ascending and with commas in between, as `batch_runs.parts` holds them.
  public var list: String { sorted().map(\.rawValue).joined(separator: ",") }

  /// Nil where `list` holds another word, or none.
  public init?(list: String) {
    var parts: Self = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let part = RunPart(rawValue: String(word)) else { return nil }
      parts.insert(part)
    }
    self = parts
  }
}
