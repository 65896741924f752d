/// The units of a medication that were left when a person counted them; columns `refill_*` of `medications`
/// (specification, adherence.md section 4).
///
/// ```swift
/// guard let counted = Timestamp("2026-06-01T08:00:00Z") else { return }
/// let supply = MedicationSupply(units: 30, countedAt: counted)
/// print(supply.unitsPerDose, supply.reminderDays ?? 0)  // 1.0 7
/// ```
public struct MedicationSupply: Hashable, Sendable {
  /// Units that were left at `countedAt`.
  public var units: Int
  /// The instant of the count; doses taken later use the units up.
  public var countedAt: Timestamp
  /// Units of one dose; positive.
  public var unitsPerDose: Double
  /// A refill is due when at most so many units are left; nil for no such limit.
  public var reminderUnits: Int?
  /// A refill is due when the units last at most so many days; nil for no such limit.
  public var reminderDays: Int?

  /// - Parameters:
  ///   - units: Units that were left.
  ///   - countedAt: The instant of the count.
  ///   - unitsPerDose: Units of one dose.
  ///   - reminderUnits: A limit in units.
  ///   - reminderDays: A limit in days; without one and without a limit in units it is `defaultReminderDays`.
  public init(
    units: Int, countedAt: Timestamp, unitsPerDose: Double = 1, reminderUnits: Int? = nil,
    reminderDays: Int? = nil
  ) {
    self.units = units
    self.countedAt = countedAt
    self.unitsPerDose = unitsPerDose
    self.reminderUnits = reminderUnits
    self.reminderDays = reminderDays ?? (reminderUnits == nil ? Self.defaultReminderDays : nil)
  }

  /// Days before the last unit on which a refill is due where the row states no limit.
  public static let defaultReminderDays = 7

  /// A count is used for so many days; what happened since is then too uncertain.
  public static let longestDays = 400
}
