import VigilSQL

/// Rows of input, person by person, and the persons who have something to evaluate.
///
/// The SQL is in `Statements/reading.sql`.
enum ReadingStatement: String, StatementName {
  case listMetrics
  case listScoresOfPerson
  case fingerprintInput
  case listProfiles
  case listDoNotDisturb
  case listSenderDays
  case listDoseSenderTimes
  case countMetrics
  case listMedicationRows
  case listScheduleVersions
  case findLastEvaluatedDay
  case listDoses
  case listPersonsWithMeasurements
  case listPersonsWithData
  case listOwnerlessMedications
  case listStrangers
  case listRowsOfStranger

  static let files = StatementFiles([PackageResources.reading_sql])
}
