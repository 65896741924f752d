public import VigilModel

/// A row of `medications` before it is checked.
public struct UncheckedMedication: Equatable, Sendable {
  public var id: UUID
  public var user: UUID
  public var isActive: Bool?
  public var startDate: ColumnValue<Day>
  public var endDate: ColumnValue<Day>
  public var isDeleted: Bool?
  /// Column `refill_reminder_enabled`.
  public var followsRefills: Bool?
  /// Column `refill_remaining_quantity`.
  public var remainingUnits: Int?
  /// Column `refill_reminder_threshold`.
  public var reminderUnits: Int?
  /// Column `refill_counted_at`.
  public var countedAt: Timestamp?
  /// Column `refill_units_per_dose`.
  public var unitsPerDose: Double?
  /// Column `refill_reminder_days`.
  public var reminderDays: Int?
  /// Column `missed_after_minutes`.
  public var missedAfterMinutes: Int?
  /// Column `expires_on`; nil, too, where it cannot be read: the doses count all the same.
  public var expiresOn: Day?

  public init(
    id: UUID, user: UUID, isActive: Bool?, startDate: ColumnValue<Day>, endDate: ColumnValue<Day>,
    isDeleted: Bool?
  ) {
    self.id = id
    self.user = user
    self.isActive = isActive
    self.startDate = startDate
    self.endDate = endDate
    self.isDeleted = isDeleted
  }

  /// The table that its rows come from.
  public static let table = "medications"
}

extension UncheckedMedication {
  /// Returns the medication.
  ///
  /// - Throws: The reason why the row cannot be used.
  func checked() throws(UnusableRow.Reason) -> Medication {
    let (start, end) = try Day.planned(startDate, endDate)
    guard (0...Medication.mostMissedAfterMinutes).contains(missedAfterMinutes ?? 0) else {
      throw .impossibleValue
    }
    return Medication(
      id: id, user: user, isActive: isActive ?? true, isDeleted: isDeleted ?? false,
      startDate: start, endDate: end, supply: supply, expiresOn: expiresOn,
      missedAfterMinutes: missedAfterMinutes)
  }

  /// The counted units; nil where no one asked for reminders, or where nothing says what was left and when.
  private var supply: MedicationSupply? {
    guard followsRefills == true, let remainingUnits, let countedAt else { return nil }
    let unitsPerDose = unitsPerDose ?? 1
    guard unitsPerDose > 0, unitsPerDose.isFinite else { return nil }
    return MedicationSupply(
      units: remainingUnits, countedAt: countedAt, unitsPerDose: unitsPerDose,
      reminderUnits: reminderUnits, reminderDays: reminderDays)
  }
}

extension Day {
  /// Returns the days from which and up to which something is planned.
  static func planned(
    _ start: ColumnValue<Day>, _ end: ColumnValue<Day>
  ) throws(UnusableRow.Reason) -> (start: Day, end: Day?) {
    guard case .value(let first) = start else { throw .impossibleDate }
    switch end {
    case .null: return (first, nil)
    case .unreadable: throw .impossibleEndDate
    case .value(let last):
      guard last >= first else { throw .endBeforeStart }
      return (first, last)
    }
  }
}
