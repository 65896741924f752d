public import Foundation
public import VigilModel

/// The insights of a batch into the scores and doses of its persons.
///
/// Insights are never deleted: those that the data no longer support are stored as `retracted`.
public struct InsightWrite: Sendable {
  /// All persons of the batch.
  public var persons: [UUID]
  public var insights: [TrendInsight]
  /// The evaluated rules: a person without an insight of these among `insights` has none.
  public private(set) var evaluations: [Evaluation] = []
  /// Alert states that were retracted; insights about them are retracted too.
  public var retractedStates: [UUID]
  /// By person: alert states that were all compared with each other.
  ///
  /// An insight about two of them that is not among `insights` is retracted; one about another stays.
  public var comparedStates: [UUID: [UUID]] = [:]

  /// Some rules, evaluated for some persons on some days.
  public struct Evaluation: Hashable, Sendable {
    public var persons: [UUID]
    public var days: ClosedRange<Day>
    public var rules: Set<TrendRule>
  }

  public init(
    persons: [UUID], insights: [TrendInsight] = [], retractedStates: [UUID] = []
  ) {
    self.persons = persons
    self.insights = insights
    self.retractedStates = retractedStates
  }

  /// Records that `rules` were evaluated.
  ///
  /// - Parameters:
  ///   - rules: The evaluated rules.
  ///   - days: The evaluated days.
  ///   - some: The evaluated persons; nil for all of the batch.
  public mutating func evaluated(
    _ rules: Set<TrendRule>, on days: ClosedRange<Day>, of some: [UUID]? = nil
  ) {
    let persons = some ?? persons
    guard !rules.isEmpty, !persons.isEmpty else { return }
    evaluations.append(Evaluation(persons: persons, days: days, rules: rules))
  }

  /// Adds another part of the same batch; both may not have compared alert states.
  public mutating func add(_ other: InsightWrite) {
    insights += other.insights
    evaluations += other.evaluations
    retractedStates += other.retractedStates
    comparedStates.merge(other.comparedStates) { $0 + $1 }
  }

  /// Whether there is nothing to write.
  public var isEmpty: Bool {
    evaluations.isEmpty && insights.isEmpty && retractedStates.isEmpty && comparedStates.isEmpty
  }
}
