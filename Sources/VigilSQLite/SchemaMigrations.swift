import VigilStorage

/// The schema of this version, step by step; the SQL lies in `Migrations/`.
enum SchemaMigrations {
  static let all = [
    Migration(
      number: 1, name: "inputs",
      up: text(PackageResources._001_inputs_up_sql),
      down: text(PackageResources._001_inputs_down_sql)),
    Migration(
      number: 2, name: "roles",
      up: text(PackageResources._002_roles_up_sql),
      down: text(PackageResources._002_roles_down_sql)),
    Migration(
      number: 3, name: "alerts",
      up: text(PackageResources._003_alerts_up_sql),
      down: text(PackageResources._003_alerts_down_sql)),
    Migration(
      number: 4, name: "runs",
      up: text(PackageResources._004_runs_up_sql),
      down: text(PackageResources._004_runs_down_sql)),
    Migration(
      number: 5, name: "queues",
      up: text(PackageResources._005_queues_up_sql),
      down: text(PackageResources._005_queues_down_sql)),
    Migration(
      number: 6, name: "medication",
      up: text(PackageResources._006_medication_up_sql),
      down: text(PackageResources._006_medication_down_sql)),
    Migration(
      number: 7, name: "adherence",
      up: text(PackageResources._007_adherence_up_sql),
      down: text(PackageResources._007_adherence_down_sql)),
    Migration(
      number: 8, name: "vitality",
      up: text(PackageResources._008_vitality_up_sql),
      down: text(PackageResources._008_vitality_down_sql)),
  ]

  /// Creates `schema_migrations` where there is none.
  static let ledger = text(PackageResources.schema_migrations_sql)

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
