import VigilSQL

/// Rows of input of the persons of a batch, and rows that cannot be used.
///
/// The SQL is in `Statements/reading.sql` and `relations.sql`.
enum ReadingStatement: String, StatementName {
  case copyMetrics
  case copyNewestMetrics
  case copyScores
  case fingerprintInput
  case listProfiles
  case listDoNotDisturb
  case countSendersByDay
  case countDoseSendersByDay
  case listMedicationRows
  case listScheduleVersions
  case listLastEvaluatedDays
  case findMedicationOwnerRule
  case listOwnerlessMedications
  case findInputRules
  case listSuspects
  case listRowsWithoutPerson
  case listRowsOfStrangers
  case listRowsWithoutDate
  case listRowsOfImpossibleDates

  static let files = StatementFiles([PackageResources.relations_sql, PackageResources.reading_sql])
}
