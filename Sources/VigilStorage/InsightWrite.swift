public import Foundation
public import VigilModel

/// What a batch found that stands out in the scores and doses of its persons.
///
/// Insights are never deleted: what the data no longer support is stored as `retracted`.
public struct InsightWrite: Sendable {
  /// Everybody of the batch.
  public var persons: [UUID]
  public var days: ClosedRange<Day>
  /// The rules that were evaluated for all `persons` on all `days`: their insights are these and no
  /// others.
  public var rules: Set<TrendRule>
  public var insights: [TrendInsight]
  /// Alert states that were retracted; insights about them are retracted too.
  public var retractedStates: [UUID]

  public init(
    persons: [UUID], days: ClosedRange<Day>, rules: Set<TrendRule> = [],
    insights: [TrendInsight] = [], retractedStates: [UUID] = []
  ) {
    self.persons = persons
    self.days = days
    self.rules = rules
    self.insights = insights
    self.retractedStates = retractedStates
  }

  /// Whether there is nothing to write.
  public var isEmpty: Bool { rules.isEmpty && insights.isEmpty && retractedStates.isEmpty }
}
