public import Foundation
public import VigilModel
import VigilStorage

extension SQLSession {
  /// The alerts of a family that `viewer` is shown on `day`.
  public func familyAlerts(
    of family: UUID, for viewer: UUID, on day: Day
  ) throws -> [PatternAlertState] {
    try rows(FamilyStatement.listFamilyAlerts, family, viewer, day) {
      try AlertStateRow.decode(&$0)
    }
  }
}
