import VigilAdherence
import VigilModel

/// The tables of medications, schedules and doses.
extension InputTable {
  public static let medications = InputTable(
    name: UncheckedMedication.table,
    columns: [
      Column("id", .id, isRequired: true),
      Column("user_id", .person, isRequired: true),
      Column("name", .text, isRequired: true),
      Column("generic_name", .text),
      Column("dosage", .text, isRequired: true),
      Column(
        "form",
        .word([
          "pill", "capsule", "liquid", "injection", "topical", "inhaler", "drops", "patch", "other",
        ]), isRequired: true),
      Column("instructions", .text),
      Column("prescribed_by", .text),
      Column("purpose", .text),
      Column("side_effects", .list(.text)),
      Column("color", .text),
      Column("icon", .text),
      Column("is_active", .boolean, fallback: .boolean(true)),
      Column("start_date", .plannedDay, isRequired: true),
      Column("end_date", .plannedDay),
      Column("refill_reminder_enabled", .boolean, fallback: .boolean(false)),
      Column("refill_total_quantity", .integer),
      Column("refill_remaining_quantity", .integer),
      Column("refill_reminder_threshold", .integer),
      Column("refill_counted_at", .timestamp),
      Column("refill_units_per_dose", .real),
      Column("refill_reminder_days", .integer),
      Column("missed_after_minutes", .minutes(0...Medication.mostMissedAfterMinutes)),
      Column("expires_on", .plannedDay),
      Column("created_at", .timestamp),
      Column("updated_at", .timestamp),
      Column("is_deleted", .boolean, fallback: .boolean(false)),
    ],
    key: ["id"])

  public static let schedules = InputTable(
    name: UncheckedSchedule.table,
    columns: [
      Column("id", .id, isRequired: true),
      Column("medication_id", .id, isRequired: true, refersTo: "medications"),
      Column("type", .word(["timeBased", "intervalBased", "asNeeded"]), isRequired: true),
      Column("reference_timezone", .timezone, isRequired: true),
      Column("is_active", .boolean, fallback: .boolean(true)),
      Column("start_date", .plannedDay, isRequired: true),
      Column("end_date", .plannedDay),
      Column("time_based_times", .list(.timeOfDay)),
      Column("time_based_days_of_week", .list(.weekday)),
      Column("time_based_flexibility_minutes", .integer),
      Column("interval_based_hours", .real),
      Column("interval_based_first_dose_time", .timestamp),
      Column("interval_based_max_doses_per_day", .integer),
      Column("as_needed_min_interval_hours", .real),
      Column("as_needed_max_doses_per_day", .integer),
      Column("as_needed_conditions", .list(.text)),
      Column("created_at", .timestamp),
      Column("updated_at", .timestamp),
    ],
    key: ["id"])

  public static let doseHistory = InputTable(
    name: UncheckedDose.table,
    columns: [
      Column("id", .id, isRequired: true),
      Column("medication_id", .id, isRequired: true, refersTo: "medications"),
      Column("schedule_id", .id, refersTo: "schedules"),
      Column("status", .word(DoseRecord.Status.allCases.map(\.rawValue)), isRequired: true),
      Column("scheduled_time", .timestamp),
      Column("actual_time", .timestamp),
      Column("recorded_timezone", .timezone, isRequired: true),
      Column("dosage_amount", .text),
      Column("notes", .text),
      Column("side_effects_reported", .list(.text)),
      Column("location_latitude", .real),
      Column("location_longitude", .real),
      Column("location_city", .text),
      Column("location_country", .text),
      Column("created_at", .timestamp),
      Column("updated_at", .timestamp),
    ],
    key: ["id"])

  public static let timezoneEvents = InputTable(
    name: UncheckedTimezoneEvent.table,
    columns: [
      Column("id", .id, isRequired: true),
      Column("user_id", .person, isRequired: true),
      Column("previous_timezone", .timezone, isRequired: true),
      Column("new_timezone", .timezone, isRequired: true),
      Column("transition_time", .timestamp, isRequired: true),
      Column("detection_method", .word(["automatic", "manual", "gps"]), isRequired: true),
      Column("user_confirmed", .boolean, fallback: .boolean(false)),
      Column("created_at", .timestamp),
    ],
    key: ["id"])

  public static let scheduleAdjustments = InputTable(
    name: UncheckedAdjustment.table,
    columns: [
      Column("id", .id, isRequired: true),
      Column("timezone_event_id", .id, isRequired: true, refersTo: "timezone_events"),
      Column("schedule_id", .id, isRequired: true, refersTo: "schedules"),
      Column(
        "strategy", .word(ScheduleAdjustment.Strategy.allCases.map(\.rawValue)), isRequired: true),
      Column("old_times", .list(.timeOfDay)),
      Column("new_times", .list(.timeOfDay)),
      Column("created_at", .timestamp),
    ],
    key: ["id"], alsoUnique: ["timezone_event_id", "schedule_id"])

  /// The five tables above.
  public static let ofMedications = [
    medications, schedules, doseHistory, timezoneEvents, scheduleAdjustments,
  ]

  /// The columns of one of them that runs read; the names of medications are not among them.
  public var columnsOfRuns: [Column] {
    let ignored: Set<String> = [
      "name", "generic_name", "dosage", "form", "instructions", "prescribed_by", "purpose",
      "side_effects", "color", "icon", "refill_total_quantity", "as_needed_conditions",
      "dosage_amount", "notes", "side_effects_reported", "location_latitude",
      "location_longitude", "location_city", "location_country", "detection_method", "old_times",
      "updated_at",
    ]
    return columns.filter { column in
      !ignored.contains(column.name) && (column.name != "created_at" || self == .doseHistory)
        && (column.name != "id" || self != .scheduleAdjustments)
    }
  }

  /// The day that a row of a table must have.
  static func dayColumn(of table: String) -> String {
    switch table {
    case medications.name, schedules.name: "start_date"
    case vitalityScores.name: "score_date"
    default: "metric_date"
    }
  }

  /// By table: the column with the name of a time zone.
  static let zonedBy = [
    schedules.name: "reference_timezone", doseHistory.name: "recorded_timezone",
    timezoneEvents.name: "new_timezone",
  ]
}
