import TestDatabases

extension TestDatabase {
  /// The results of a run, without the columns with the time and the run of their writing.
  ///
  /// It leaves out quiet hours too: of two runs one may be before ten in the evening.
  func outcome() throws -> [String] {
    let passing: Set = [
      "run_id", "computed_at", "created_at", "updated_at", "last_notified_at", "scheduled_for",
      "expires_at",
    ]
    return try ["pattern_alert_state", "notification_queue", "shadow_notification_queue"].flatMap {
      table in
      try dump(table, without: passing).map { row in
        "\(table) " + row.replacing("status_reason=quiet_hours", with: "status_reason=NULL")
      }
    }
  }

  /// Everything in the tables that an import fills.
  func input() throws -> [String] {
    try [
      "users", "user_profiles", "family_members", "alert_recipient_exclusions",
      "wearable_daily_metrics", "exercise_sessions", "medications", "schedules", "dose_history",
      "timezone_events", "schedule_adjustments", "check_ins", "check_in_plans",
      "sensitivity_overrides", "person_limits", "do_not_disturb", "caregiver_priority",
      "caregiver_availability",
      "emergency_contacts", "quarantined_rows",
    ].flatMap { table in try rows("SELECT * FROM \(table)").sorted().map { "\(table) \($0)" } }
  }

  /// Whether SQLite finds the file and all its references sound; PostgreSQL sees to that itself.
  func isSound() throws -> Bool {
    guard kind == .sqlite else { return true }
    return try rows("PRAGMA quick_check") == ["ok"] && rows("PRAGMA foreign_key_check").isEmpty
  }
}
