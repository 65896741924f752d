import Foundation
import VigilModel

/// The names of persons and medications on a page, or pseudonyms that hold for this page.
struct PageNames {
  let isPseudonymous: Bool
  private let externalIDs: [UUID: String]
  private let persons: [UUID: Int]

  /// - Parameter order: The persons in the order of the page.
  init(isPseudonymous: Bool, externalIDs: [UUID: String], order: [UUID]) {
    self.isPseudonymous = isPseudonymous
    self.externalIDs = externalIDs
    persons = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0 + 1) })
  }

  func person(_ id: UUID) -> String {
    guard isPseudonymous else { return externalIDs[id] ?? id.shortened }
    return "Person \(persons[id] ?? 0)"
  }

  /// - Parameter number: The place of the medication among those of its person, from 1 on.
  func medication(_ id: UUID, number: Int) -> String {
    isPseudonymous ? "Medication \(number)" : "Medication \(id.shortened)"
  }
}
