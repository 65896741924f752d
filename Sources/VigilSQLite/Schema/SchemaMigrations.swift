import VigilSQL
import VigilStorage

/// The schema of this version, step by step; the SQL lies in `Migrations/`.
enum SchemaMigrations {
  static let all = Migration.numbered([
    (PackageResources._0001_inputs_up_sql, PackageResources._0001_inputs_down_sql),
    (PackageResources._0002_roles_up_sql, PackageResources._0002_roles_down_sql),
    (PackageResources._0003_alerts_up_sql, PackageResources._0003_alerts_down_sql),
    (PackageResources._0004_runs_up_sql, PackageResources._0004_runs_down_sql),
    (PackageResources._0005_contacts_up_sql, PackageResources._0005_contacts_down_sql),
    (PackageResources._0006_queues_up_sql, PackageResources._0006_queues_down_sql),
    (PackageResources._0007_provisional_up_sql, PackageResources._0007_provisional_down_sql),
    (PackageResources._0008_medication_up_sql, PackageResources._0008_medication_down_sql),
    (PackageResources._0009_adherence_up_sql, PackageResources._0009_adherence_down_sql),
    (PackageResources._0010_vitality_up_sql, PackageResources._0010_vitality_down_sql),
    (PackageResources._0011_privacy_up_sql, PackageResources._0011_privacy_down_sql),
    (PackageResources._0012_actions_up_sql, PackageResources._0012_actions_down_sql),
    (PackageResources._0013_settings_up_sql, PackageResources._0013_settings_down_sql),
    (PackageResources._0014_text_messages_up_sql, PackageResources._0014_text_messages_down_sql),
    (PackageResources._0015_history_up_sql, PackageResources._0015_history_down_sql),
  ])

  /// Creates `schema_migrations` where there is none.
  static let ledger = PackageResources.schema_migrations_sql
}
