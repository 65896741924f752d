public import VigilModel

/// The evaluated days on which a new package of a medication is due, because the one in use expires (specification,
/// adherence.md section 4).
public struct MedicationExpiry: Hashable, Sendable {
  public var user: UUID
  public var medication: UUID
  public var days: ClosedRange<Day>

  public init(user: UUID, medication: UUID, days: ClosedRange<Day>) {
    self.user = user
    self.medication = medication
    self.days = days
  }

  /// Returns what it says of `first` and later days; nil for nothing.
  public func since(_ first: Day) -> MedicationExpiry? {
    guard days.upperBound >= first else { return nil }
    var rest = self
    rest.days = max(first, days.lowerBound)...days.upperBound
    return rest
  }
}
