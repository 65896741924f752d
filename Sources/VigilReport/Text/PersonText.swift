import Foundation
import VigilModel

/// Names of persons: the id in Vigil, and the id in the system their data come from.
enum PersonText {
  /// `1f2e3d4c (participant-1)`.
  static func short(_ person: UUID, _ externalIDs: [UUID: String]) -> String {
    text(person.shortened, externalIDs[person])
  }

  /// `1f2e3d4c (participant-1)`; where there is little room, one of the two.
  static func cell(_ person: UUID, _ externalIDs: [UUID: String]) -> TextTable.Cell {
    .init(short(person, externalIDs), short: externalIDs[person] ?? person.shortened)
  }

  /// The same as `short` with the whole id.
  static func full(_ person: UUID, _ externalIDs: [UUID: String]) -> String {
    text(person.lowercased, externalIDs[person])
  }

  private static func text(_ id: String, _ externalID: String?) -> String {
    externalID.map { "\(id) (\($0.terminalSafe))" } ?? id
  }
}
