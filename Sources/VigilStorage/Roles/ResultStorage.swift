public import Foundation
public import VigilAdherence
public import VigilModel

/// Reads the results of runs.
public protocol ResultStorage: Sendable {
  /// Rows of `pattern_alert_state`, ordered by person, metric, pattern, `active_since`, profile and medication.
  func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState]

  /// The ids of alerts that the evaluation of one person has found or changed, and that no night has confirmed yet.
  func provisionalAlertIDs() throws -> Set<UUID>

  /// Rows of `dose_analytics` of one kind of period, ordered by person, the person's own row before
  /// those of their medications.
  ///
  /// - Parameters:
  ///   - users: The persons to read; nil for all.
  ///   - period: The kind of period.
  ///   - day: The last day of the period; nil for each person's newest.
  func doseAnalytics(
    of users: [UUID]?, period: AdherencePeriod.Kind, endingOn day: Day?
  ) throws -> [StoredDoseAnalytics]

  /// The alerts of a family that `viewer` may read on `day`: the active ones of its other accepted members
  /// that are not dismissed and not snoozed past that day, the highest level first, then by
  /// `active_since` and id.
  ///
  /// Throws `StorageError.viewerIsNoMember` where the viewer has not accepted to be a member, and
  /// where there is no such family, so that the answer does not reveal which families exist.
  func familyAlerts(of family: UUID, for viewer: UUID, on day: Day) throws -> [PatternAlertState]

  /// The trends of a family's other accepted members that `viewer` sees (specification, vitality.md
  /// section 2, `family_insights`): at most two attention insights of different members, or else
  /// one celebrate, members by id and pillars in the order of `Pillar`; nothing while
  /// `familyAlerts` has an alert about a person on `today`.
  ///
  /// Throws as `familyAlerts` does.
  ///
  /// - Parameters:
  ///   - family: The family.
  ///   - viewer: The member who asks.
  ///   - day: The evaluated day; nil for the last evaluated day of each member, unless it is more
  ///     than three days before that of another.
  ///   - today: The day on which the member asks.
  func familyInsights(
    of family: UUID, for viewer: UUID, on day: Day?, today: Day
  ) throws -> [TrendInsight]

  /// Rows of `trend_insights`, ordered by person, day, pillar, medication (without one first) and id.
  func trendInsights(matching filter: InsightFilter) throws -> [TrendInsight]

  /// Rows of `trend_coverage`, ordered by person.
  ///
  /// - Parameter users: The persons to read; nil for all.
  func trendCoverages(of users: [UUID]?) throws -> [TrendCoverage]

  /// Rows of `vitality_scores`, computed or not, ordered by person, day and source; unusable rows
  /// are left out.
  ///
  /// - Parameters:
  ///   - users: The persons to read; nil for all.
  ///   - days: The days of the scores.
  func vitalityScores(of users: [UUID]?, in days: ClosedRange<Day>) throws -> [VitalityScore]

  /// The settings files that the database's rows are made with; none in a database without runs.
  func databaseProfiles() throws -> [DatabaseProfile]

  /// The profiles that active alerts were found with, by id; more than one says that two were mixed.
  func activeProfiles() throws -> [ActiveProfile]

  /// A reader over a connection of its own, which sees everything written before this call.
  func makeResultReader() throws -> any ResultReader
}
