public import VigilModel

/// The state of the feed that brings metric rows in, or of that of doses, as a run found it before its batches
/// (specification, silence.md section 6, evidence-doses.md section 8).
public struct FeedRecord: Sendable, Hashable, Codable {
  /// The persons with a row on the last evaluated day, of those who were looked at.
  public var sending: Int
  /// The persons with a row on a usual day before it.
  public var usual: Int
  /// The days on which the feed counts as broken: no silence opens an alert on them, or doses without a record are no
  /// misses.
  public var brokenDays: [Day]

  public init(sending: Int, usual: Int, brokenDays: [Day]) {
    self.sending = sending
    self.usual = usual
    self.brokenDays = brokenDays
  }

  private enum CodingKeys: String, CodingKey {
    case sending, usual
    case brokenDays = "broken_days"
  }

  /// Whether the feed counts as broken on `day`.
  public func isBroken(on day: Day) -> Bool { brokenDays.contains(day) }
}
