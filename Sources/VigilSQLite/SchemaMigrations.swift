import VigilStorage

/// The schema of this version, step by step; the SQL lies in `Migrations/`.
enum SchemaMigrations {
  static let all = [
    Migration(
      number: 1, name: "inputs",
      up: text(PackageResources._001_inputs_up_sql),
      down: text(PackageResources._001_inputs_down_sql)),
    Migration(
      number: 2, name: "alerts",
      up: text(PackageResources._002_alerts_up_sql),
      down: text(PackageResources._002_alerts_down_sql)),
    Migration(
      number: 3, name: "runs",
      up: text(PackageResources._003_runs_up_sql),
      down: text(PackageResources._003_runs_down_sql)),
    Migration(
      number: 4, name: "checkpoints",
      up: text(PackageResources._004_checkpoints_up_sql),
      down: text(PackageResources._004_checkpoints_down_sql)),
    Migration(
      number: 5, name: "run_guards",
      up: text(PackageResources._005_run_guards_up_sql),
      down: text(PackageResources._005_run_guards_down_sql)),
    Migration(
      number: 6, name: "quarantined_keys",
      up: text(PackageResources._006_quarantined_keys_up_sql),
      down: text(PackageResources._006_quarantined_keys_down_sql)),
    Migration(
      number: 7, name: "recipient_exclusions",
      up: text(PackageResources._007_recipient_exclusions_up_sql),
      down: text(PackageResources._007_recipient_exclusions_down_sql)),
    Migration(
      number: 8, name: "notification_outcomes",
      up: text(PackageResources._008_notification_outcomes_up_sql),
      down: text(PackageResources._008_notification_outcomes_down_sql)),
    Migration(
      number: 9, name: "adherence",
      up: text(PackageResources._009_adherence_up_sql),
      down: text(PackageResources._009_adherence_down_sql)),
    Migration(
      number: 10, name: "vitality",
      up: text(PackageResources._010_vitality_up_sql),
      down: text(PackageResources._010_vitality_down_sql)),
    Migration(
      number: 11, name: "dose_reading",
      up: text(PackageResources._011_dose_reading_up_sql),
      down: text(PackageResources._011_dose_reading_down_sql)),
    Migration(
      number: 12, name: "profiles",
      up: text(PackageResources._012_profiles_up_sql),
      down: text(PackageResources._012_profiles_down_sql)),
    Migration(
      number: 13, name: "own_rights",
      up: text(PackageResources._013_own_rights_up_sql),
      down: text(PackageResources._013_own_rights_down_sql)),
    Migration(
      number: 14, name: "values_in_range",
      up: text(PackageResources._014_values_in_range_up_sql),
      down: text(PackageResources._014_values_in_range_down_sql)),
  ]

  /// Creates `schema_migrations` where there is none.
  static let ledger = text(PackageResources.schema_migrations_sql)

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
