import VigilSQL

/// Doses that were due or taken between two instants, and the persons who have something to evaluate.
///
/// The SQL is in `Statements/doses.sql`.
enum DoseStatement: String, StatementName {
  case copyDosesTogether
  case copyDosesApart
  case explainDosesTogether
  case explainDosesApart
  case listPersonsWithMeasurements
  case listPersonsWithDataTogether
  case listPersonsWithDataApart

  static let files = StatementFiles([PackageResources.doses_sql])
}
