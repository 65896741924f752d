/// The first digits of a UUID, as people type them from a list.
///
/// ```swift
/// guard let prefix = UUIDPrefix("2ed6657d") else { return }
/// print(prefix.lowest.lowercased)  // 2ed6657d-0000-0000-0000-000000000000
/// ```
public struct UUIDPrefix: Hashable, Sendable {
  /// The ids that begin with it.
  public let lowest: UUID
  public let highest: UUID

  /// Nil for a text that no UUID begins with.
  ///
  /// Accepts 4 to 32 hexadecimal digits in either case, with hyphens or without.
  public init?(_ text: String) {
    let digits = text.filter { $0 != "-" }.lowercased()
    guard (4...32).contains(digits.count), digits.utf8.allSatisfy(Self.isHexadecimal),
      let lowest = Self.id(digits, filledWith: "0"),
      let highest = Self.id(digits, filledWith: "f")
    else { return nil }
    self.lowest = lowest
    self.highest = highest
  }

  /// The whole of an id.
  public init(_ id: UUID) {
    lowest = id
    highest = id
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func id(_ digits: String, filledWith filler: Character) -> UUID? {
    let all = Array(digits + String(repeating: filler, count: 32 - digits.count))
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return UUID(uuidString: groups.map { String(all[$0]) }.joined(separator: "-"))
  }
}
