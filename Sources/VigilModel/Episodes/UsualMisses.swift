/// The usual share of missed doses in small numbers, as people say it: 1 of 10, 1 of 33, none of 10.
///
/// ```swift
/// print(UsualMisses(share: 0.09).words, UsualMisses(share: 0.03).words)  // 1 of 11 1 of 33
/// print(UsualMisses(share: 0).words, UsualMisses(share: 0.31).words)  // none 3 of 10
/// ```
public struct UsualMisses: Hashable, Sendable, Codable {
  public let missed: Int
  public let expected: Int

  public init(share: Double) {
    if share <= 0 {
      (missed, expected) = (0, 10)
    } else if share < 0.15 {
      (missed, expected) = (1, Int(clamping: (1 / share).rounded()))
    } else {
      (missed, expected) = (Int(clamping: (share * 10).rounded()), 10)
    }
  }

  public init(_ anchor: DoseAnchor) { self.init(share: anchor.missedShare) }

  public var words: String { missed == 0 ? "none" : "\(missed) of \(expected)" }
}
