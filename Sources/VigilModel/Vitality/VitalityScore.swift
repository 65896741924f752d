/// A part of a person's vitality that has a score of its own.
///
/// The order of the cases is the order in which insights are listed.
public enum Pillar: String, Sendable, Codable, CaseIterable {
  case sleep
  case movement
  case stress
  /// Comes from the dose history; the others are columns of `vitality_scores`.
  case adherence

  /// The pillars of a row of `vitality_scores`, in the order of its columns.
  public static let scored: [Pillar] = [.sleep, .movement, .stress]
}

/// One row of `vitality_scores` (specification, vitality.md section 1); scores run 0...100.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let row = VitalityScore(
///   user: UUID(name: "anna"), day: day, total: 70, sleep: 58, movement: nil, stress: 88,
///   schemaVersion: "v1", source: "app")
/// print(row.isForeign)  // true
/// ```
public struct VitalityScore: Hashable, Sendable {
  public var user: UUID
  public var day: Day
  public var total: Int?
  public var sleep: Int?
  public var movement: Int?
  public var stress: Int?
  /// The version of the settings that gave the scores.
  public var schemaVersion: String
  /// `computedSource` for rows that Vigil wrote; any other source is another program's.
  public var source: String

  /// The source of rows that Vigil computes.
  public static let computedSource = "vigil"

  public init(
    user: UUID, day: Day, total: Int?, sleep: Int?, movement: Int?, stress: Int?,
    schemaVersion: String, source: String
  ) {
    self.user = user
    self.day = day
    self.total = total
    self.sleep = sleep
    self.movement = movement
    self.stress = stress
    self.schemaVersion = schemaVersion
    self.source = source
  }

  /// Whether the row came from elsewhere, so that Vigil uses it as it is and never overwrites it.
  public var isForeign: Bool { source != Self.computedSource }
}
