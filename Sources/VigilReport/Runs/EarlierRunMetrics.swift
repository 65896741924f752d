public import VigilModel
public import VigilStorage

/// The contents of a metrics file that an earlier command has written.
///
/// Only lines in the form of `RunMetrics` are read; all other lines are dropped.
public struct EarlierRunMetrics: Sendable {
  public enum Condition: Sendable {
    /// The file is empty.
    case empty
    case intact
    /// The file is Vigil's, but a part is missing or cannot be read.
    case damaged
    /// The file has text, and none of it is Vigil's.
    case foreign
  }

  public let condition: Condition
  private var lines: [Line] = []

  private struct Line: Sendable {
    var family: String
    var kind: RunRecord.Kind
    /// Whether further labels follow `kind`.
    var hasFurtherLabels: Bool
    var value: Substring
    var text: Substring
  }

  /// Reads a whole file; an empty text stands for a missing file.
  public init(text: String) {
    // After a power failure some file systems return zeros for data that were never written.
    guard text.contains(where: { $0 != "\0" && !$0.isWhitespace }) else {
      condition = text.isEmpty ? .empty : .damaged
      return
    }
    var isDamaged = false
    var isOfVigil = false
    for text in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if text.hasPrefix("vigil_") || text.hasPrefix("# HELP vigil_") { isOfVigil = true }
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let line = Self.line(text) else {
        isDamaged = true
        continue
      }
      lines.append(line)
    }
    // Half a line may look like a whole one with a smaller number.
    if !text.hasSuffix("\n") {
      isDamaged = true
      isOfVigil = isOfVigil || text.hasPrefix("# HELP vigil_")
    }
    condition = !isOfVigil ? .foreign : isDamaged ? .damaged : .intact
  }

  private static func line(_ text: Substring) -> Line? {
    let pattern =
      /(vigil_[a-z_]+)\{kind="([a-z]+)"((?:,[a-z_]+="(?:[^"\\]|\\[\\"n])*")*)\} (-?[0-9]+(?:\.[0-9]+)?)/
    guard let match = text.wholeMatch(of: pattern),
      let kind = RunRecord.Kind(rawValue: String(match.2))
    else { return nil }
    return Line(
      family: String(match.1), kind: kind, hasFurtherLabels: !match.3.isEmpty, value: match.4,
      text: text)
  }

  /// The time at which a command of this kind last succeeded; nil where that is not known.
  public func lastSuccess(of kind: RunRecord.Kind) -> Timestamp? {
    let line = lines.last {
      $0.family == RunMetrics.lastSuccessName && $0.kind == kind && !$0.hasFurtherLabels
    }
    guard let line, let time = Self.time(line.value), time.microseconds > 0 else { return nil }
    return time
  }

  /// The lines of a family that are of another kind than `kind`, unchanged.
  func lines(of family: String, except kind: RunRecord.Kind) -> [String] {
    lines.filter { $0.family == family && $0.kind != kind }.map { String($0.text) }
  }

  /// Reads seconds with at most six decimals; nil for other text and impossible times.
  private static func time(_ text: Substring) -> Timestamp? {
    let parts = text.split(separator: ".")
    guard parts.count <= 2, parts[0].count <= 12, let seconds = Int64(parts[0]) else { return nil }
    guard parts.count == 2 else { return Timestamp(microseconds: seconds * 1_000_000) }
    let decimals = parts[1]
    guard decimals.count <= 6,
      let fraction = Int64(decimals + String(repeating: "0", count: 6 - decimals.count))
    else { return nil }
    return Timestamp(microseconds: seconds * 1_000_000 + fraction)
  }
}
