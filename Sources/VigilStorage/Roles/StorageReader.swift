public import Foundation
public import VigilAdherence
public import VigilModel

/// Reads blocks of persons for detection over one connection.
public protocol StorageReader: AnyObject {
  /// Sends every metric row of `persons` on `days` to `sink`: the rows of a person together, days
  /// ascending, sources in the database's order.
  ///
  /// When it throws, the sink may have received some of the rows. Returns the unusable rows that it
  /// has ignored and that `unusableRows` would not find.
  ///
  /// - Parameters:
  ///   - persons: The persons, in the order in which the sink counts them.
  ///   - days: The days of the rows.
  ///   - metrics: Columns of `wearable_daily_metrics`; throws `.unknownColumn` for another.
  ///   - reportsWear: Whether to find out `isOtherPositive`; otherwise it is always false.
  ///   - sink: Takes each row.
  /// - Complexity: O(rows).
  @discardableResult
  func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink
  ) throws -> UnusableRows

  /// Sends the rows of each person from a day of their own on, otherwise as `readMetrics(of:days:...)` does.
  ///
  /// - Parameters:
  ///   - persons: The persons, in the order in which the sink counts them.
  ///   - firstDays: By person, the first day of the rows.
  ///   - last: The last day of all.
  ///   - metrics: Columns of `wearable_daily_metrics`.
  ///   - reportsWear: Whether to find out `isOtherPositive`.
  ///   - sink: Takes each row.
  @discardableResult
  func readMetrics(
    of persons: [UUID], from firstDays: [Day], through last: Day, metrics: [MetricType],
    reportsWear: Bool, into sink: some MetricRowSink
  ) throws -> UnusableRows

  /// Calls `body`, whose readings all see the database as it is at one moment.
  func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result

  /// The numeric columns of `wearable_daily_metrics`.
  func metricLayout() throws -> MetricLayout

  /// The state of copies, as this reader sees it.
  func historyState(of subject: HistorySubject) throws -> HistoryState

  /// The blocks of `owners` in a layout whose rows have not changed since; those of each in the order of their days.
  ///
  /// - Parameters:
  ///   - owners: Persons or medications.
  ///   - subject: What the blocks are copies of.
  ///   - layout: The digest of what the blocks have to have.
  ///   - first: Blocks that end before are left out.
  /// - Complexity: O(rows).
  func historyBlocks(
    of owners: [UUID], _ subject: HistorySubject, layout: Int, since first: Day
  ) throws -> [UUID: [HistoryBlock]]

  /// Calls `body` with the index into `persons` and the day of every exercise session on `days`,
  /// and returns ignored rows as `readMetrics` does.
  @discardableResult
  func readWorkoutDays(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ day: Day) -> Void
  ) throws -> UnusableRows

  /// Alert states about `persons` themselves that were found with `profile` and are active, or were evaluated or
  /// resolved on `day` or later.
  func alertStates(
    of persons: [UUID], in profile: Profile, touchedSince day: Day
  ) throws -> [PatternAlertState]

  /// The alert states with these ids, in no order; ids without a row are left out.
  func alertStates(withIDs ids: [UUID]) throws -> [PatternAlertState]

  /// Which of the alerts with these ids a member has read.
  func readAlerts(among ids: [UUID]) throws -> Set<UUID>

  /// The alerts of `persons` that no night has confirmed yet, by their ids.
  func provisionalAlerts(of persons: [UUID]) throws -> [ProvisionalAlert]

  /// Sends `sink` all rows of `persons` that adherence needs, but the doses: medications, schedules with what earlier
  /// runs saw of them, and changes of zone; returns the medications.
  ///
  /// When it throws, the sink may have been given some of the rows.
  ///
  /// - Complexity: O(rows).
  func readMedications(of persons: [UUID], into sink: some MedicationRowSink) throws -> [UUID]

  /// Sends `sink` the doses of medications that were due or taken from an instant on.
  ///
  /// - Parameters:
  ///   - medications: The medications.
  ///   - firsts: By medication, the first instant.
  ///   - last: The last instant of all.
  ///   - sink: Takes each row; those of one medication come together.
  /// - Complexity: O(rows).
  func readDoses(
    of medications: [UUID], from firsts: [Timestamp], through last: Timestamp,
    into sink: inout some DoseRowSink
  ) throws

  /// Alert states about medications of `persons`, of any profile, that are active, or were evaluated or resolved on
  /// `day` or later, by person, metric, medication and first day.
  ///
  /// - Complexity: O(rows).
  func alertStatesOfMedications(
    of persons: [UUID], touchedSince day: Day
  ) throws -> [PatternAlertState]

  /// The check-ins of each of `persons` at `times`, with the newest one before them, and the plans of check-ins; and
  /// the plans that cannot be used and are left out.
  ///
  /// - Complexity: O(rows).
  func checkIns(
    of persons: [UUID], at times: ClosedRange<Timestamp>
  ) throws -> (checkIns: [CheckIns], unusable: UnusableRows)

  /// The sensitivity of each of `persons` that has one of their own, and the rows that cannot be used and are left
  /// out.
  ///
  /// - Complexity: O(rows).
  func sensitivities(
    of persons: [UUID]
  ) throws -> (personal: [UUID: PersonalSensitivity], unusable: UnusableRows)

  /// The limits that are set for each of `persons` that has one, and the rows that cannot be used and are left out.
  ///
  /// - Complexity: O(rows).
  func limits(
    of persons: [UUID]
  ) throws -> (personal: [UUID: [PersonLimit]], unusable: UnusableRows)

  /// The rows of `dose_analytics` of the persons themselves, without those of single medications, of one kind
  /// of period that ends on one of `days`; in no order.
  ///
  /// - Complexity: O(rows).
  func doseTotals(
    of persons: [UUID], period: AdherencePeriod.Kind, endingOn days: ClosedRange<Day>
  ) throws -> [DoseAnalytics]

  /// Calls `body` with the index into `persons` and every row of `vitality_scores` on `days`,
  /// computed or not, and returns the unusable rows. An unusable row from elsewhere has no scores;
  /// `body` is called with it all the same where it is the only row of its day. An unusable
  /// computed row is ignored.
  ///
  /// - Complexity: O(rows).
  func readScores(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ row: VitalityScore) -> Void
  ) throws -> UnusableRows

  /// `users.birth_date` of each of `persons`; nil where it is missing or no date.
  func birthDates(of persons: [UUID]) throws -> [Day?]

  /// The rows of `trend_coverage` of those of `persons` that have one.
  func trendCoverages(of persons: [UUID]) throws -> [UUID: TrendCoverage]

  /// The fingerprint of the input of `persons` on `days`, without reading it row by row.
  func inputFingerprint(of persons: [UUID], days: ClosedRange<Day>) throws -> InputFingerprint

  /// For each of `persons` the members of every family in which that person has accepted.
  func familyMembers(of persons: [UUID]) throws -> [[FamilyMember]]

  /// The recipients that each of `persons` has excluded; persons without an exclusion are left out.
  func exclusions(of persons: [UUID]) throws -> [UUID: Set<UUID>]

  /// The profiles of those of `users` that have one, or rows of `do_not_disturb`.
  func profiles(of users: [UUID]) throws -> [UUID: UserProfile]
}

extension StorageReader {
  /// Sends `sink` all rows of `persons` that adherence needs, with the doses that were due or taken within `times`.
  ///
  /// When it throws, the sink may have been given some of the rows.
  ///
  /// - Complexity: O(rows).
  public func readMedications(
    of persons: [UUID], doses times: ClosedRange<Timestamp>, into sink: some MedicationRowSink
  ) throws {
    let medications = try readMedications(of: persons, into: sink)
    let firsts = medications.map { sink.doseTimes(times, of: [$0]).lowerBound }
    try sink.addDoses {
      try readDoses(of: medications, from: firsts, through: times.upperBound, into: &$0)
    }
  }
}
