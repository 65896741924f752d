import Foundation
import TestSupport
import Testing
import VigilAdherence
import VigilModel

/// One case of `adherence.json`: rows of the tables, and what they come to over a period.
struct AdherenceFixture: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let evaluatedAt: Timestamp
  let periodStart: Day
  let periodEnd: Day
  let tables: [String: [JSON]]
  let expected: JSON

  var testDescription: String { name }

  static let all: [AdherenceFixture] = SpecificationFixtures.cases("adherence.json")

  private enum CodingKeys: String, CodingKey {
    case name
    case evaluatedAt = "evaluated_at"
    case periodStart = "period_start"
    case periodEnd = "period_end"
    case tables
    case expected
  }

  var period: AdherencePeriod { AdherencePeriod(.sevenDays, days: periodStart...periodEnd) }

  var window: AdherenceWindow {
    AdherenceWindow(day: periodEnd, evaluatedAt: evaluatedAt, periods: [period])
  }

  /// The rows in a block.
  func block(_ zones: ZoneCatalog) throws -> MedicationBlock {
    let block = MedicationBlock()
    let rows = FixtureRows(zones: zones)
    let medications = try (tables["medications"] ?? []).map(rows.medication)
    for medication in medications { block.add(person: medication.user) }
    for medication in medications { block.add(medication) }
    for row in tables["schedules"] ?? [] { block.add(try rows.schedule(row)) }
    for row in tables["schedule_versions"] ?? [] {
      let version = try ScheduleVersion(
        validFrom: rows.optional(row, "valid_from", Day.init),
        row: rows.schedule(rows.member(row, "row")))
      block.add(version)
    }
    for row in tables["timezone_events"] ?? [] { block.add(try rows.event(row)) }
    for row in tables["schedule_adjustments"] ?? [] { block.add(try rows.adjustment(row)) }
    for row in tables["dose_history"] ?? [] { block.add(try rows.record(row)) }
    return block
  }
}

/// Reads rows as a fixture has them.
struct FixtureRows {
  let zones: ZoneCatalog

  struct Unreadable: Error {
    var column: String
  }

  func member(_ row: JSON, _ column: String) throws -> JSON {
    guard let value = row[column] else { throw Unreadable(column: column) }
    return value
  }

  func optional<Value>(_ row: JSON, _ column: String, _ read: (String) -> Value?) throws -> Value? {
    guard let text = row[column]?.string else { return nil }
    guard let value = read(text) else { throw Unreadable(column: column) }
    return value
  }

  func required<Value>(_ row: JSON, _ column: String, _ read: (String) -> Value?) throws -> Value {
    guard let value = try optional(row, column, read) else { throw Unreadable(column: column) }
    return value
  }

  private func id(_ row: JSON, _ column: String) throws -> UUID {
    try required(row, column) { UUID(uuidString: $0) }
  }

  private func zone(_ row: JSON, _ column: String) throws -> ZoneID {
    try required(row, column) { zones.id(of: $0) }
  }

  private func flag(_ row: JSON, _ column: String) throws -> Bool {
    guard case .boolean(let value) = row[column] else { throw Unreadable(column: column) }
    return value
  }

  private func integer(_ row: JSON, _ column: String) -> Int? {
    row[column]?.number.map { Int($0) }
  }

  private func times(_ row: JSON, _ column: String) -> [TimeOfDay] {
    (row[column]?.elements ?? []).compactMap { $0.string.flatMap { TimeOfDay($0) } }
  }

  func medication(_ row: JSON) throws -> Medication {
    try Medication(
      id: id(row, "id"), user: id(row, "user_id"), isActive: flag(row, "is_active"),
      isDeleted: flag(row, "is_deleted"), startDate: required(row, "start_date", Day.init),
      endDate: optional(row, "end_date", Day.init))
  }

  func schedule(_ row: JSON) throws -> Schedule {
    func seconds(_ column: String) -> Int? {
      row[column]?.number.map { Int(($0 * 3600).rounded()) }
    }
    let timing: Schedule.Timing
    switch row["type"]?.string {
    case "timeBased":
      timing = .timeBased(
        times: times(row, "time_based_times"),
        weekdays: Schedule.Weekdays(
          days: (row["time_based_days_of_week"]?.elements ?? []).compactMap {
            $0.number.map { Int($0) }
          }))
    case "intervalBased":
      timing = .intervalBased(
        seconds: seconds("interval_based_hours") ?? 0,
        first: try required(row, "interval_based_first_dose_time", Timestamp.init),
        maxDosesPerDay: integer(row, "interval_based_max_doses_per_day"))
    case "asNeeded":
      timing = .asNeeded(
        minIntervalSeconds: seconds("as_needed_min_interval_hours"),
        maxDosesPerDay: integer(row, "as_needed_max_doses_per_day"))
    default: throw Unreadable(column: "type")
    }
    return try Schedule(
      id: id(row, "id"), medication: id(row, "medication_id"), timing: timing,
      referenceZone: zone(row, "reference_timezone"), isActive: flag(row, "is_active"),
      startDate: required(row, "start_date", Day.init),
      endDate: optional(row, "end_date", Day.init),
      flexibilityMinutes: integer(row, "time_based_flexibility_minutes"))
  }

  func event(_ row: JSON) throws -> TimezoneEvent {
    try TimezoneEvent(
      id: id(row, "id"), user: id(row, "user_id"), previousZone: zone(row, "previous_timezone"),
      newZone: zone(row, "new_timezone"),
      transitionTime: required(row, "transition_time", Timestamp.init),
      isConfirmed: flag(row, "user_confirmed"))
  }

  func adjustment(_ row: JSON) throws -> ScheduleAdjustment {
    try ScheduleAdjustment(
      event: id(row, "timezone_event_id"), schedule: id(row, "schedule_id"),
      strategy: required(row, "strategy", ScheduleAdjustment.Strategy.init),
      newTimes: times(row, "new_times"))
  }

  func record(_ row: JSON) throws -> DoseRecord {
    try DoseRecord(
      id: id(row, "id"), medication: id(row, "medication_id"),
      schedule: optional(row, "schedule_id") { UUID(uuidString: $0) },
      status: required(row, "status", DoseRecord.Status.init),
      scheduledTime: optional(row, "scheduled_time", Timestamp.init),
      actualTime: optional(row, "actual_time", Timestamp.init),
      recordedZone: zone(row, "recorded_timezone"),
      createdAt: required(row, "created_at", Timestamp.init))
  }
}
