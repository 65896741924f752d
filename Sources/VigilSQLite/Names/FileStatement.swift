import VigilSQL

/// The schema, the damage and the size of a file.
///
/// The SQL is in `Statements/files.sql`.
enum FileStatement: String, StatementName {
  case listViews
  case listTables
  case countFirstRows
  case listSchemaObjects
  case countSchemaObjects
  case countBrokenReferences
  case findUsedBytes
  case copyDatabase
  case rewriteFile

  static let files = StatementFiles([PackageResources.files_sql])
}
