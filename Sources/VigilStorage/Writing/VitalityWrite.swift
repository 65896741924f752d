public import Foundation
public import VigilModel

/// The results of a batch about the vitality of its persons.
public struct VitalityWrite: Sendable {
  /// Computed rows that are new or differ from what is stored.
  public var scores: [VitalityScore]
  /// Computed rows that are stored, and that the data no longer support.
  public var outdatedScores: [PersonDay]
  /// The days with scores of each person of the batch.
  public var coverages: [TrendCoverage]

  public init(
    scores: [VitalityScore] = [], outdatedScores: [PersonDay] = [], coverages: [TrendCoverage] = []
  ) {
    self.scores = scores
    self.outdatedScores = outdatedScores
    self.coverages = coverages
  }

  /// The key of a row of `vitality_scores`.
  public struct PersonDay: Hashable, Sendable {
    public var user: UUID
    public var day: Day

    public init(user: UUID, day: Day) {
      self.user = user
      self.day = day
    }
  }
}
