public import VigilModel

/// A schedule as a JSON document, in the names of the columns of `schedules`: what
/// `schedule_versions.row` holds.
///
/// Holds what adherence depends on and nothing else: no condition, no note, and not when the row was
/// written.
public struct ScheduleJSON: Encodable {
  private var id: UUID
  private var medicationID: UUID
  private var type: Kind
  private var referenceTimezone: String
  private var isActive: Bool?
  private var startDate: Day
  private var endDate: Day?
  private var times: [String]?
  private var daysOfWeek: [Int]?
  private var flexibilityMinutes: Int?
  private var intervalHours: Double?
  private var firstDoseTime: Timestamp?
  private var intervalMaxDoses: Int?
  private var minIntervalHours: Double?
  private var asNeededMaxDoses: Int?

  /// Values of the column `type`.
  enum Kind: String, Encodable {
    case timeBased
    case intervalBased
    case asNeeded
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case medicationID = "medication_id"
    case type
    case referenceTimezone = "reference_timezone"
    case isActive = "is_active"
    case startDate = "start_date"
    case endDate = "end_date"
    case times = "time_based_times"
    case daysOfWeek = "time_based_days_of_week"
    case flexibilityMinutes = "time_based_flexibility_minutes"
    case intervalHours = "interval_based_hours"
    case firstDoseTime = "interval_based_first_dose_time"
    case intervalMaxDoses = "interval_based_max_doses_per_day"
    case minIntervalHours = "as_needed_min_interval_hours"
    case asNeededMaxDoses = "as_needed_max_doses_per_day"
  }

  /// The document, keys ascending; equal schedules give the same in every database.
  public static func text(of schedule: Schedule, zones: ZoneCatalog) throws -> String {
    try CanonicalJSON.text(of: ScheduleJSON(schedule, zones: zones))
  }

  /// Reads a document; nil for one that is no schedule.
  public static func schedule(from text: String, zones: ZoneCatalog) -> Schedule? {
    guard case .object(let fields)? = try? JSONValue(parsing: text.utf8) else { return nil }
    return (try? ScheduleJSON(fields))?.schedule(zones)
  }

  /// A member of the document that is missing or of another kind.
  private struct Unreadable: Error {}

  private init(_ fields: [String: JSONValue]) throws {
    /// Nil for a member that is missing or null.
    func member<Value>(_ key: CodingKeys, _ read: (JSONValue) -> Value?) throws -> Value? {
      guard let value = fields[key.stringValue], value != .null else { return nil }
      guard let read = read(value) else { throw Unreadable() }
      return read
    }
    func required<Value>(_ key: CodingKeys, _ read: (JSONValue) -> Value?) throws -> Value {
      guard let value = try member(key, read) else { throw Unreadable() }
      return value
    }
    func list<Value>(_ read: @escaping (JSONValue) -> Value?) -> (JSONValue) -> [Value]? {
      { value in
        guard let elements = value.elements else { return nil }
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
      }
    }
    func parsed<Value>(_ read: @escaping (String) -> Value?) -> (JSONValue) -> Value? {
      { $0.text.flatMap(read) }
    }
    id = try required(.id, parsed(UUID.init(uuidString:)))
    medicationID = try required(.medicationID, parsed(UUID.init(uuidString:)))
    type = try required(.type, parsed(Kind.init(rawValue:)))
    referenceTimezone = try required(.referenceTimezone, \.text)
    isActive = try member(.isActive, \.flag)
    startDate = try required(.startDate, parsed { Day($0) })
    endDate = try member(.endDate, parsed { Day($0) })
    times = try member(.times, list(\.text))
    daysOfWeek = try member(.daysOfWeek, list(\.whole))
    flexibilityMinutes = try member(.flexibilityMinutes, \.whole)
    intervalHours = try member(.intervalHours, \.finite)
    firstDoseTime = try member(.firstDoseTime, parsed { Timestamp($0) })
    intervalMaxDoses = try member(.intervalMaxDoses, \.whole)
    minIntervalHours = try member(.minIntervalHours, \.finite)
    asNeededMaxDoses = try member(.asNeededMaxDoses, \.whole)
  }

  private init(_ schedule: Schedule, zones: ZoneCatalog) {
    id = schedule.id
    medicationID = schedule.medication
    referenceTimezone = zones.name(of: schedule.referenceZone)
    isActive = schedule.isActive
    startDate = schedule.startDate
    endDate = schedule.endDate
    flexibilityMinutes = schedule.flexibilityMinutes
    switch schedule.timing {
    case .timeBased(let times, let weekdays):
      type = .timeBased
      self.times = times.map(\.description)
      daysOfWeek = weekdays == .everyDay ? nil : (0..<7).filter(weekdays.contains(weekday:))
    case .intervalBased(let seconds, let first, let maxDoses):
      type = .intervalBased
      intervalHours = Double(seconds) / 3600
      firstDoseTime = first
      intervalMaxDoses = maxDoses
    case .asNeeded(let minInterval, let maxDoses):
      type = .asNeeded
      minIntervalHours = minInterval.map { Double($0) / 3600 }
      asNeededMaxDoses = maxDoses
    }
  }

  private func schedule(_ zones: ZoneCatalog) -> Schedule? {
    guard let zone = zones.id(of: referenceTimezone) else { return nil }
    // A run writes only what it could use.
    for hours in [intervalHours, minIntervalHours].compactMap(\.self) {
      guard (0...1_000_000).contains(hours) else { return nil }
    }
    func seconds(_ hours: Double?) -> Int? { hours.map { Int(($0 * 3600).rounded()) } }
    let timing: Schedule.Timing
    switch type {
    case .timeBased:
      let times = (times ?? []).compactMap { TimeOfDay($0) }
      timing = .timeBased(times: times, weekdays: Schedule.Weekdays(days: daysOfWeek ?? []))
    case .intervalBased:
      guard let seconds = seconds(intervalHours), let firstDoseTime else { return nil }
      timing = .intervalBased(
        seconds: seconds, first: firstDoseTime, maxDosesPerDay: intervalMaxDoses)
    case .asNeeded:
      timing = .asNeeded(
        minIntervalSeconds: seconds(minIntervalHours), maxDosesPerDay: asNeededMaxDoses)
    }
    return Schedule(
      id: id, medication: medicationID, timing: timing, referenceZone: zone,
      isActive: isActive ?? true, startDate: startDate, endDate: endDate,
      flexibilityMinutes: flexibilityMinutes)
  }
}
