import VigilSQL
import VigilStorage

/// The schema of this version, step by step; the SQL lies in `Migrations/`.
enum SchemaMigrations {
  static let all = Migration.numbered(PackageResources.files)

  /// Creates `schema_migrations` where there is none.
  static let ledger = PackageResources.schema_migrations_sql
}
