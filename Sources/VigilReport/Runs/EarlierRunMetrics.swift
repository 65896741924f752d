public import VigilModel
public import VigilStorage

/// What an earlier command has left in a metrics file.
///
/// Only lines as `RunMetrics` writes them are taken over; whatever else is there is dropped.
public struct EarlierRunMetrics: Sendable {
  public enum Condition: Sendable {
    /// There was nothing yet.
    case empty
    case intact
    /// Vigil's, but a part is missing or cannot be read.
    case damaged
    /// Text in which nothing is of Vigil.
    case foreign
  }

  public let condition: Condition
  private var lines: [Line] = []

  private struct Line: Sendable {
    var family: String
    var kind: RunRecord.Kind
    /// Of labels after `kind`.
    var hasFurtherLabels: Bool
    var value: Substring
    var text: Substring
  }

  /// Reads a whole file; an empty text is one that is not there.
  public init(text: String) {
    // After a power failure some file systems give zeros for what was never written.
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

  /// When a command of this kind last ended well; nil where that is not known.
  public func lastSuccess(of kind: RunRecord.Kind) -> Timestamp? {
    let line = lines.last {
      $0.family == RunMetrics.lastSuccessName && $0.kind == kind && !$0.hasFurtherLabels
    }
    guard let line, let time = Self.time(line.value), time.microseconds > 0 else { return nil }
    return time
  }

  /// The lines of a family that are of another kind than `kind`, as they were.
  func lines(of family: String, except kind: RunRecord.Kind) -> [String] {
    lines.filter { $0.family == family && $0.kind != kind }.map { String($0.text) }
  }

  /// Reads seconds with at most six decimals; nil for what no clock shows.
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
