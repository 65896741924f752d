import VigilSQL

/// The questions of `vigil doctor`.
///
/// The SQL is in `Statements/diagnosis.sql`, `catalogue.sql`, `catalogue_faults.sql` and `relations.sql`.
enum DiagnosisStatement: String, StatementName {
  case findServerVersion
  case findEncoding
  case findStringSetting
  case findEncryption
  case findRole
  case findQuotedRole
  case findQuotedDatabase
  case findBypass
  case findIndexChecker
  case listIndexes
  case checkIndex
  case findSchemaUse
  case findPublicConnection
  case findTemporaryRight
  case listLackingRights
  case findImportRights
  case listCreators
  case explainMetricSearch
  case explainDaySearch
  case explainSearch
  case listUnfitScoreColumns
  case listNeverFilledScoreColumns
  case copyColumns
  case stateCondition
  case readCondition
  case listCatalogue
  case listCatalogueFaults

  static let files = StatementFiles(
    [
      PackageResources.relations_sql, PackageResources.diagnosis_sql,
      PackageResources.catalogue_sql, PackageResources.catalogue_faults_sql,
    ],
  )
}
