/// The columns of a row of `medications` that adherence needs; never its name or dosage.
///
/// ```swift
/// guard let start = Day("2026-01-01") else { return }
/// let user = UUID(name: "anna")
/// var tablets = Medication(id: UUID(name: "tablets"), user: user, startDate: start)
/// print(tablets.counts)  // true
/// tablets.isDeleted = true
/// print(tablets.counts)  // false
/// ```
public struct Medication: Hashable, Sendable {
  public var id: UUID
  public var user: UUID
  public var isActive: Bool
  public var isDeleted: Bool
  public var startDate: Day
  /// Included.
  public var endDate: Day?
  /// The counted units that are left; nil where refills of it are not followed.
  public var supply: MedicationSupply?
  /// The last day on which the package in use may be used; nil where it is not known.
  public var expiresOn: Day?
  /// A dose without a record is missed so many minutes after its flexibility.
  public var missedAfterMinutes: Int

  public init(
    id: UUID, user: UUID, isActive: Bool = true, isDeleted: Bool = false, startDate: Day,
    endDate: Day? = nil, supply: MedicationSupply? = nil, expiresOn: Day? = nil,
    missedAfterMinutes: Int? = nil
  ) {
    self.id = id
    self.user = user
    self.isActive = isActive
    self.isDeleted = isDeleted
    self.startDate = startDate
    self.endDate = endDate
    self.supply = supply
    self.expiresOn = expiresOn
    self.missedAfterMinutes = missedAfterMinutes ?? Self.defaultMissedAfterMinutes
  }

  /// Four hours.
  public static let defaultMissedAfterMinutes = 240

  /// The longest `missedAfterMinutes`: a week.
  public static let mostMissedAfterMinutes = 10_080

  /// Whether it can expect doses at all: an inactive one does up to its end date, and never without
  /// an end date; a deleted one never does (specification, adherence.md section 1).
  public var counts: Bool { !isDeleted && (isActive || endDate != nil) }
}
