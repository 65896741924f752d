public import VigilModel

/// A row of `schedules` before it is checked.
public struct UncheckedSchedule: Equatable, Sendable {
  public var id: UUID
  public var medication: UUID
  /// The column `type`.
  public var type: String
  public var referenceZone: String
  public var isActive: Bool?
  public var startDate: ColumnValue<Day>
  public var endDate: ColumnValue<Day>
  /// A JSON array of times, such as `["08:00","20:00"]`.
  public var times: String?
  /// A JSON array of numbers, 0 for Sunday.
  public var weekdays: String?
  public var flexibilityMinutes: Int?
  public var intervalHours: Double?
  public var firstDoseTime: Timestamp?
  public var intervalMaxDoses: Int?
  public var minIntervalHours: Double?
  public var asNeededMaxDoses: Int?

  /// A row that says nothing of its times.
  public init(
    id: UUID, medication: UUID, type: String, referenceZone: String, isActive: Bool?,
    startDate: ColumnValue<Day>, endDate: ColumnValue<Day>
  ) {
    self.id = id
    self.medication = medication
    self.type = type
    self.referenceZone = referenceZone
    self.isActive = isActive
    self.startDate = startDate
    self.endDate = endDate
  }

  /// The table that its rows come from.
  public static let table = "schedules"
}

extension UncheckedSchedule {
  /// Returns the schedule.
  ///
  /// - Throws: The reason why the row cannot be used.
  func checked(
    zones: ZoneCatalog, lists: inout ListMemory
  ) throws(UnusableRow.Reason) -> Schedule {
    guard let zone = zones.id(of: referenceZone) else { throw .unknownTimezone }
    let (start, end) = try Day.planned(startDate, endDate)
    guard flexibilityMinutes ?? 0 >= 0 else { throw .impossibleValue }
    return Schedule(
      id: id, medication: medication, timing: try timing(&lists), referenceZone: zone,
      isActive: isActive ?? true, startDate: start, endDate: end,
      flexibilityMinutes: flexibilityMinutes)
  }

  private func timing(_ lists: inout ListMemory) throws(UnusableRow.Reason) -> Schedule.Timing {
    switch type {
    case "timeBased":
      guard let times, let list = lists.times(times), !list.isEmpty,
        let days = lists.weekdays(weekdays ?? "[]")
      else { throw .impossibleTimes }
      return .timeBased(times: list, weekdays: days)
    case "intervalBased":
      guard let seconds = try Self.seconds(intervalHours), seconds > 0 else {
        throw .impossibleInterval
      }
      guard let firstDoseTime else { throw .impossibleValue }
      return .intervalBased(
        seconds: seconds, first: firstDoseTime, maxDosesPerDay: intervalMaxDoses)
    case "asNeeded":
      return .asNeeded(
        minIntervalSeconds: try Self.seconds(minIntervalHours), maxDosesPerDay: asNeededMaxDoses)
    default:
      throw .impossibleValue
    }
  }

  private static func seconds(_ hours: Double?) throws(UnusableRow.Reason) -> Int? {
    guard let hours else { return nil }
    guard (0...1_000_000).contains(hours) else { throw .impossibleInterval }
    return Int((hours * 3600).rounded())
  }
}
