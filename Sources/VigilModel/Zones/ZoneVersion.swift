/// The release of the time zone rules that a system has, such as `2025b`.
///
/// Where the files do not say it, it is `unknown-` and eight hexadecimal digits of their contents.
public struct ZoneVersion: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// Takes the text of a version file, such as `2025b` and a line break; nil where that is no version.
  public init?(_ text: some StringProtocol) {
    let words: [Substring] = String(text).split { $0.isWhitespace }
    let version = words.first.map(String.init) ?? ""
    let year = version.utf8.prefix { (48...57).contains($0) }
    guard year.count == 4, version.utf8.count <= 32,
      version.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else { return nil }
    description = version
  }

  /// Takes the first line of `tzdata.zi`, such as `# version 2025b`; nil where that is something else.
  public init?(firstLineOfData line: some StringProtocol) {
    let words: [Substring] = String(line).split { $0.isWhitespace }
    guard words.count >= 3, words[0] == "#", words[1] == "version" else { return nil }
    self.init(words[2])
  }

  /// Stands for files that do not say of which release they are.
  ///
  /// - Parameter digest: That of their names and contents.
  public init(unknown digest: StableHash) {
    let digits = String(digest.short, radix: 16)
    description = "unknown-" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The year of the release; nil where it is unknown.
  public var year: Int? { Int(description.prefix(4)) }

  /// Whether more than two years have certainly gone by since the release.
  ///
  /// A release has no date of its own: those of 2023 are outdated from 2026 on.
  public func isOutdated(on day: Day) -> Bool {
    year.map { day.components.year > $0 + 2 } ?? false
  }
}
