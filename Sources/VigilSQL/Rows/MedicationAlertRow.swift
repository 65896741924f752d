public import VigilModel
public import VigilStorage

/// The row of a `MedicationAlert`; `put` and `decode` go through the columns in their order.
public enum MedicationAlertRow {
  public static let table = "medication_alerts"

  /// The columns that are read.
  static let readColumns = [
    "user_id", "medication_id", "kind", "active_since", "last_found_on", "current_level",
    "last_notified_level", "last_notified_at", "shadow_notified_level", "snooze_until",
    "dismissed_at", "acknowledged_at", "acknowledged_by", "resolved_on", "resolution_reason",
  ]

  public static let columns =
    ["id", "episode_status", "severity"] + readColumns + ["run_id", "created_at", "updated_at"]

  /// Columns that every update sets to the new row's value.
  static let updates = [
    "episode_status", "severity", "last_found_on", "current_level", "resolved_on",
    "resolution_reason", "run_id", "updated_at",
  ]

  /// Columns that decide whether members are notified; a login that only backfills may not change them.
  public static let guardedColumns = [
    "last_notified_level", "last_notified_at", "snooze_until", "dismissed_at", "acknowledged_at",
    "acknowledged_by",
  ]

  /// The other columns that an update changes.
  public static let unguardedColumns = updates + ["shadow_notified_level"]

  public static func put(_ alert: MedicationAlert, of batch: BatchWrite, into row: some RowWriter) {
    row.put(alert.id)
    row.put(alert.isActive ? "active" : "resolved")
    row.put(alert.severity.rawValue)
    row.put(alert.user)
    row.put(alert.medication)
    row.put(alert.kind.rawValue)
    row.put(alert.activeSince)
    row.put(alert.lastFound)
    row.put(alert.level.rawValue)
    row.put(alert.lastNotifiedLevel?.rawValue)
    row.put(alert.lastNotifiedAt)
    row.put(alert.shadowNotifiedLevel?.rawValue)
    row.put(alert.snoozeUntil)
    row.put(alert.dismissedAt)
    row.put(alert.acknowledgedAt)
    row.put(alert.acknowledgedBy)
    row.put(alert.resolution?.day)
    row.put(alert.resolution?.reason.rawValue)
    row.put(batch.runID)
    row.put(batch.writtenAt)
    row.put(batch.writtenAt)
  }

  /// Reads the columns `readColumns`.
  public static func decode(_ row: inout some RowReader) throws -> MedicationAlert {
    var alert = try MedicationAlert(
      user: row.uuid(), medication: row.uuid(), kind: row.word(), activeSince: row.day(),
      lastFound: row.day())
    alert.level = try row.level()
    alert.lastNotifiedLevel = try row.levelIfPresent()
    alert.lastNotifiedAt = try row.timestampIfPresent()
    alert.shadowNotifiedLevel = try row.levelIfPresent()
    alert.snoozeUntil = try row.dayIfPresent()
    alert.dismissedAt = try row.timestampIfPresent()
    alert.acknowledgedAt = try row.timestampIfPresent()
    alert.acknowledgedBy = try row.uuidIfPresent()
    let day = try row.dayIfPresent()
    let reason: MedicationAlert.Resolution.Reason? = try row.wordIfPresent()
    if let day, let reason { alert.resolution = .init(day: day, reason: reason) }
    return alert
  }
}
