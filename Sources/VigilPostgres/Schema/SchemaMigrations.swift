import VigilSQL
import VigilStorage

/// The schema of this version, step by step; the SQL lies in `Migrations/`.
enum SchemaMigrations {
  static let all = Migration.numbered([
    (PackageResources._001_inputs_up_sql, PackageResources._001_inputs_down_sql),
    (PackageResources._002_roles_up_sql, PackageResources._002_roles_down_sql),
    (PackageResources._003_alerts_up_sql, PackageResources._003_alerts_down_sql),
    (PackageResources._004_runs_up_sql, PackageResources._004_runs_down_sql),
    (PackageResources._005_queues_up_sql, PackageResources._005_queues_down_sql),
    (PackageResources._006_medication_up_sql, PackageResources._006_medication_down_sql),
    (PackageResources._007_adherence_up_sql, PackageResources._007_adherence_down_sql),
    (PackageResources._008_vitality_up_sql, PackageResources._008_vitality_down_sql),
  ])

  /// Creates `schema_migrations` where there is none.
  static let ledger = String(decoding: PackageResources.schema_migrations_sql, as: UTF8.self)
}
