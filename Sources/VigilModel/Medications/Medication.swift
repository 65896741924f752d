public import Foundation

/// What adherence needs of one row of `medications`; never its name or dosage.
public struct Medication: Hashable, Sendable {
  public var id: UUID
  public var user: UUID
  public var isActive: Bool
  public var isDeleted: Bool
  public var startDate: Day
  /// Included.
  public var endDate: Day?

  public init(
    id: UUID, user: UUID, isActive: Bool = true, isDeleted: Bool = false, startDate: Day,
    endDate: Day? = nil
  ) {
    self.id = id
    self.user = user
    self.isActive = isActive
    self.isDeleted = isDeleted
    self.startDate = startDate
    self.endDate = endDate
  }

  /// Whether it can expect doses at all: inactive ones count up to their end date, without one not
  /// at all, deleted ones never (specification, adherence.md section 1).
  public var counts: Bool { !isDeleted && (isActive || endDate != nil) }
}
