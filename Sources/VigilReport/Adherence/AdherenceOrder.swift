import Foundation
import VigilAdherence
import VigilModel
import VigilStorage

/// The order of the persons in a list of adherence; the rows of a person stay together.
public enum AdherenceOrder: String, CaseIterable, Sendable {
  /// Persons who took the smallest share of all their doses first, and persons without expected doses last.
  case attention
  /// By the person's original id, or else by id.
  case person
  /// By id.
  case id

  /// - Parameter rows: Those of a person one after the other, persons by id.
  func sorted(
    _ rows: [StoredDoseAnalytics], externalIDs: [UUID: String]
  ) -> [StoredDoseAnalytics] {
    guard self != .id else { return rows }
    var rates: [UUID: Double] = [:]
    for row in rows where row.analytics.medication == nil {
      rates[row.analytics.user] = row.analytics.measures.takingAdherence
    }
    return rows.enumerated().sorted { left, right in
      let users = (left.element.analytics.user, right.element.analytics.user)
      if users.0 == users.1 { return left.offset < right.offset }
      if self == .person {
        let names = (name(users.0, externalIDs), name(users.1, externalIDs))
        return names.0 == names.1 ? left.offset < right.offset : names.0 < names.1
      }
      let keys = (rates[users.0] ?? 2, rates[users.1] ?? 2)
      // Of equal rates, persons stay apart: their rows must not mix.
      return keys.0 == keys.1 ? users.0 < users.1 : keys.0 < keys.1
    }.map(\.element)
  }

  private func name(_ user: UUID, _ externalIDs: [UUID: String]) -> String {
    externalIDs[user] ?? user.lowercased
  }
}
