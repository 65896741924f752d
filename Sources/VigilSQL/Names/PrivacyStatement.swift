/// Export and erasure of a person.
///
/// The SQL is in `Statements/privacy.sql`, `privacy.sqlite.sql` and `privacy.postgres.sql`.
public enum PrivacyStatement: String, StatementName {
  case listTables
  case listTableColumns
  case mayExportPersons
  case mayErasePersons
  case countByColumn
  case countByParent
  case countByText
  case countVersions
  case countCleared
  case listByColumn
  case listByParent
  case listByText
  case listVersions
  case removeByColumn
  case removeByParent
  case removeByText
  case removeVersions
  case clearColumn
  case countTraces
  case listAlertsOfPerson
  case listGroupsOfOthers
  case putGroup
  case releaseMembersOfGroups
  case putErasureRequest
  case removeErasureRequest
  case listErasureRequests
  case addErasedPerson
  case listErasedPersons
  case listPersonIDs

  public static let files = StatementFiles(
    [PackageResources.privacy_sql],
    sqlite: PackageResources.privacy_sqlite_sql, postgres: PackageResources.privacy_postgres_sql)
}
