/// The columns of a row of `schedules` that adherence needs.
///
/// ```swift
/// import VigilZones
///
/// guard let start = Day("2026-01-01"), let morning = TimeOfDay("08:00") else { return }
/// let zones = ZoneCatalog(source: ZoneFolder.system())
/// guard let berlin = zones.id(of: "Europe/Berlin") else { return }
/// let schedule = Schedule(
///   id: UUID(name: "every morning"), medication: UUID(name: "tablets"),
///   timing: .timeBased(times: [morning], weekdays: .everyDay), referenceZone: berlin,
///   startDate: start)
/// print(schedule.flexibilityMinutes ?? Schedule.defaultFlexibilityMinutes)  // 60
/// ```
///
/// Two rows that differ only in `updated_at` are equal.
public struct Schedule: Hashable, Sendable {
  public var id: UUID
  public var medication: UUID
  public var timing: Timing
  public var referenceZone: ZoneID
  public var isActive: Bool
  public var startDate: Day
  /// Included.
  public var endDate: Day?
  /// Column `time_based_flexibility_minutes`; nil means the default.
  public var flexibilityMinutes: Int?

  public init(
    id: UUID, medication: UUID, timing: Timing, referenceZone: ZoneID, isActive: Bool = true,
    startDate: Day, endDate: Day? = nil, flexibilityMinutes: Int? = nil
  ) {
    self.id = id
    self.medication = medication
    self.timing = timing
    self.referenceZone = referenceZone
    self.isActive = isActive
    self.startDate = startDate
    self.endDate = endDate
    self.flexibilityMinutes = flexibilityMinutes
  }

  /// Minutes that a dose may differ from its time where the row does not say.
  public static let defaultFlexibilityMinutes = 60

  /// Whether it can expect doses at all; see `Medication.counts`.
  public var counts: Bool { isActive || endDate != nil }

  /// The three values of the column `type` with the columns that belong to them.
  public enum Timing: Hashable, Sendable {
    case timeBased(times: [TimeOfDay], weekdays: Weekdays)
    /// - Parameters:
    ///   - seconds: Elapsed time from dose to dose; nothing is expected unless it is positive.
    ///   - first: The first dose.
    case intervalBased(seconds: Int, first: Timestamp, maxDosesPerDay: Int?)
    case asNeeded(minIntervalSeconds: Int?, maxDosesPerDay: Int?)

    public var isAsNeeded: Bool {
      if case .asNeeded = self { true } else { false }
    }
  }

  /// Days of the week, 0 is Sunday.
  public struct Weekdays: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Numbers outside 0...6 are ignored; an empty list means every day.
    public init(days: [Int]) {
      let bits = days.reduce(into: UInt8(0)) { bits, day in
        if (0..<7).contains(day) { bits |= 1 << UInt8(day) }
      }
      rawValue = days.isEmpty ? Self.everyDay.rawValue : bits
    }

    public static let everyDay = Weekdays(rawValue: 0x7f)

    /// - Parameter weekday: From 0 to 6.
    public func contains(weekday: Int) -> Bool { rawValue >> UInt8(weekday) & 1 == 1 }
  }
}

/// One row of `schedule_versions`: a schedule as a run read it when it had changed.
public struct ScheduleVersion: Hashable, Sendable {
  /// The first day on which `row` holds; nil for a version without a beginning.
  public var validFrom: Day?
  public var row: Schedule

  public init(validFrom: Day?, row: Schedule) {
    self.validFrom = validFrom
    self.row = row
  }
}
