import Foundation
import VigilModel
import VigilWords

/// The names of persons and medications on a page, or pseudonyms that hold for this page.
struct PageNames {
  let isPseudonymous: Bool
  private let words: PageWords
  private let externalIDs: [UUID: String]
  private let persons: [UUID: Int]

  /// - Parameter order: The persons in the order of the page.
  init(
    isPseudonymous: Bool, externalIDs: [UUID: String], order: [UUID], in words: PageWords
  ) {
    self.words = words
    self.isPseudonymous = isPseudonymous
    self.externalIDs = externalIDs
    persons = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0 + 1) })
  }

  func person(_ id: UUID) -> String {
    guard isPseudonymous else { return externalIDs[id] ?? id.shortened }
    return words.text(.person, ["id": persons[id] ?? 0])
  }

  /// - Parameter number: The place of the medication among those of its person, from 1 on.
  func medication(_ id: UUID, number: Int) -> String {
    words.text(.medication, ["id": isPseudonymous ? "\(number)" : id.shortened])
  }
}
