public import Foundation
public import VigilModel

/// The input of runs, except for what readers read person by person.
public protocol InputStorage: Sendable {
  /// The ids, ascending, of persons with a metric row, a score from elsewhere, a dose, a check-in or an active
  /// schedule on one of `days`, with a plan of check-ins, or with an active episode.
  ///
  /// Results of removed data must be corrected too. So this includes persons who had scores when
  /// they were last evaluated, on the first of `days` or later, and persons without a medication
  /// who have rows of `dose_analytics` that end on one of `days`.
  func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID]

  /// Whether any person has a metric row on one of `days`.
  func hasMetrics(in days: ClosedRange<Day>) throws -> Bool

  /// Whether any person has a medication.
  func hasMedications() throws -> Bool

  /// Whether any person has a check-in, or a plan of check-ins.
  func hasCheckIns() throws -> Bool

  /// The columns of `wearable_daily_metrics`; none where there is no such table.
  func metricColumns() throws -> MetricColumns

  /// First and last `metric_date` of all metric rows; nil where there are none.
  func metricDays() throws -> ClosedRange<Day>?

  /// Rows of the metrics, of the exercise sessions and of the scores on `days` that no run can use,
  /// and rows without a day; medications without a person in `users`.
  ///
  /// Called once a run, and cheap: rows that the constraints of a table rule out are not looked
  /// for, and the others are found by steps along the key (person, day), never by a scan.
  func unusableRows(in days: ClosedRange<Day>) throws -> UnusableRows

  /// Rows of the metrics, of the exercise sessions and of the scores from elsewhere on `days`, or `limit`
  /// where there are as many.
  ///
  /// - Complexity: O(`limit`) where the rows of `days` are most of the table.
  func countRows(in days: ClosedRange<Day>, upTo limit: Int) throws -> Int

  /// Adds rows that were found in the database to `quarantined_rows`, in one transaction.
  ///
  /// A row that is there already, with the same table, key and reason, only gets the run of the new
  /// one.
  func quarantine(_ rows: [QuarantinedRow], at now: Timestamp) throws

  /// The newest rows that were quarantined, and the number of all.
  func quarantinedRows(limit: Int) throws -> (rows: [QuarantinedRow], total: Int)

  /// Readers with a connection each; each is used by one thread at a time.
  ///
  /// They see everything written before this call. Where the database supports it, all of them see
  /// the same instant, and nothing later, until the last of them is released.
  func makeReaders(count: Int) throws -> [any StorageReader]

  /// `users.external_id` of those of `persons` that have one.
  func externalIDs(of persons: Set<UUID>) throws -> [UUID: String]

  /// Returns the ids that are persons of this database.
  func persons(among ids: Set<UUID>) throws -> Set<UUID>

  /// `user_profiles.timezone` of those of `persons` that have one.
  func timeZones(of persons: Set<UUID>) throws -> [UUID: String]

  /// Returns the persons whose ids begin like this, ascending, and at most `limit`.
  func persons(beginningWith prefix: UUIDPrefix, limit: Int) throws -> [UUID]

  /// Returns the persons with these `users.external_id`; ids without a person are left out.
  func persons(withExternalIDs externalIDs: Set<String>) throws -> [String: UUID]

  /// By day with a metric row among `days`, the persons with one: of the first `limit` persons, by their ids, who have
  /// a row on any of the days.
  ///
  /// - Complexity: O(`limit` * days).
  func sendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int]

  /// By day of UTC among `days`, the persons with a dose row of any status: of the first `limit` persons, by their ids,
  /// who have an active schedule.
  ///
  /// A row is of the day of its `scheduled_time`, or else of its `actual_time`.
  /// - Complexity: O(`limit` * days).
  func doseSendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int]

  /// Persons with a metric row between `first` and `last`, and how many of them have none between `recent`
  /// and `last`.
  ///
  /// - Complexity: O(persons) steps along the key of the metrics.
  func senders(
    from first: Day, recent: Day, to last: Day
  ) throws -> (persons: Int, silent: Int)
}

extension InputStorage {
  /// A single reader, which sees everything written before this call.
  public func makeReader() throws -> any StorageReader { try makeReaders(count: 1)[0] }
}
