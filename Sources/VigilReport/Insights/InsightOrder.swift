import Foundation
import VigilModel

/// The order of a list of insights; of equal ones, the given one.
public enum InsightOrder: String, CaseIterable, Sendable {
  /// Insights that ask for attention first, suppressed ones last, then the largest drop.
  case attention
  /// The largest change first, whatever its direction.
  case change
  /// By the person's original id, or else by id.
  case person
  case pillar

  func sorted(_ insights: [TrendInsight], externalIDs: [UUID: String]) -> [TrendInsight] {
    insights.enumerated().sorted { left, right in
      let numbers = (key(left.element), key(right.element))
      if numbers.0 != numbers.1 { return numbers.0.lexicographicallyPrecedes(numbers.1) }
      guard self == .person else { return left.offset < right.offset }
      let names = [left, right].map { externalIDs[$0.element.user] ?? $0.element.user.lowercased }
      return names[0] == names[1] ? left.offset < right.offset : names[0] < names[1]
    }.map(\.element)
  }

  private func key(_ insight: TrendInsight) -> [Double] {
    switch self {
    case .attention:
      [
        insight.suppressedReason == nil ? 0 : 1, insight.severity == .attention ? 0 : 1,
        insight.severity == .attention ? insight.change ?? 0 : -(insight.change ?? 0),
      ]
    case .change: [-abs(insight.change ?? 0)]
    case .person: []
    case .pillar: [Double(Pillar.allCases.firstIndex(of: insight.pillar) ?? 0)]
    }
  }
}
