public import Foundation
public import VigilAdherence
public import VigilModel
public import VigilStorage

/// The row of a `StoredScheduleVersion` in `schedule_versions`.
public enum ScheduleVersionRow {
  public static let table = "schedule_versions"
  public static let key = ["schedule_id", "valid_from"]
  public static let columns = key + ["row", "run_id", "created_at", "updated_at"]

  /// Sends a row to a sink.
  ///
  /// - Throws: `StorageError` with `.corrupt` for a document that the sink refuses.
  public static func send(
    _ row: inout some RowReader, to sink: some MedicationRowSink
  ) throws {
    let (schedule, validFrom) = try (row.uuid(), row.day())
    let version = StoredScheduleVersion(
      schedule: schedule, validFrom: validFrom, row: try row.json())
    guard sink.add(version) else { throw row.refusal(expected: "a schedule") }
  }

  public static func put(
    _ version: StoredScheduleVersion, of batch: BatchWrite, into row: some RowWriter
  ) {
    row.put(version.schedule)
    row.put(version.validFrom)
    row.put(json: version.row)
    row.put(batch.runID)
    row.put(batch.writtenAt)
    row.put(batch.writtenAt)
  }
}

/// The row of a `DoseAnalytics` in `dose_analytics`.
public enum DoseAnalyticsRow {
  public static let table = "dose_analytics"

  /// Integers of 32 bits.
  public static let counts = [
    "total_doses", "taken_doses", "skipped_doses", "missed_doses", "planned_skips",
    "pending_doses", "on_time_doses", "late_doses", "early_doses", "extra_doses",
    "as_needed_doses", "as_needed_overuse", "days_expected", "days_exact", "days_covered",
    "longest_gap_days", "current_gap_days", "drug_holidays", "missed_streak",
  ]
  private static let figures =
    counts + ["adherence_rate", "dosing_adherence", "timing_adherence", "pdc", "adherent"]

  /// The columns that are read.
  public static let readColumns =
    ["user_id", "medication_id", "period_kind", "period_start", "period_end"] + counts
    + ["day_digest", "evaluated_at"]

  public static let columns =
    ["id", "user_id", "medication_id", "period_kind", "period_start", "period_end"] + figures
    + ["day_digest", "evaluated_at", "run_id", "created_at", "updated_at"]

  /// Columns that decide whether a stored row has changed.
  static let comparedColumns = figures + ["day_digest"]

  /// - Parameters:
  ///   - analytics: The values of the row.
  ///   - id: That of `analytics`, which takes longer to find than the rest of the row.
  ///   - batch: The batch that writes it.
  ///   - evaluatedAt: When the run began.
  ///   - row: Takes the values.
  public static func put(
    _ analytics: DoseAnalytics, id: UUID, of batch: BatchWrite, evaluatedAt: Timestamp,
    into row: some RowWriter
  ) {
    row.put(id)
    row.put(analytics.user)
    row.put(analytics.medication)
    row.put(analytics.period.kind.rawValue)
    row.put(analytics.period.days.lowerBound)
    row.put(analytics.period.days.upperBound)
    let measures = analytics.measures
    let counts = [
      measures.expectedDoses, measures.takenDoses, measures.skippedDoses, measures.missedDoses,
      measures.plannedSkips, measures.pendingDoses, measures.onTimeDoses, measures.lateDoses,
      measures.earlyDoses, measures.extraDoses, measures.asNeededDoses, measures.asNeededOveruse,
      measures.daysExpected, measures.daysExact, measures.daysCovered, measures.longestGapDays,
      measures.currentGapDays, measures.drugHolidays, measures.missedStreak,
    ]
    for count in counts { row.put(narrow: Int32(count)) }
    row.put(measures.takingAdherence)
    row.put(measures.dosingAdherence)
    row.put(measures.timingAdherence)
    row.put(measures.pdc)
    row.put(measures.isAdherent)
    row.put(analytics.dayDigest)
    row.put(evaluatedAt)
    row.put(batch.runID)
    row.put(batch.writtenAt)
    row.put(batch.writtenAt)
  }

  /// Reads the columns `readColumns`.
  public static func decode(_ row: inout some RowReader) throws -> StoredDoseAnalytics {
    let (user, medication) = try (row.uuid(), row.uuidIfPresent())
    let kind: AdherencePeriod.Kind = try row.word()
    let (first, last) = try (row.day(), row.day())
    guard first <= last else { throw row.refusal(expected: "a day from period_start on") }
    var measures = AdherenceMeasures()
    // The sum of three others.
    row.skip()
    measures.takenDoses = try row.count()
    measures.skippedDoses = try row.count()
    measures.missedDoses = try row.count()
    measures.plannedSkips = try row.count()
    measures.pendingDoses = try row.count()
    measures.onTimeDoses = try row.count()
    measures.lateDoses = try row.count()
    measures.earlyDoses = try row.count()
    measures.extraDoses = try row.count()
    measures.asNeededDoses = try row.count()
    measures.asNeededOveruse = try row.count()
    measures.daysExpected = try row.dayCount()
    measures.daysExact = try row.dayCount()
    measures.daysCovered = try row.dayCount()
    measures.longestGapDays = try row.dayCount()
    measures.currentGapDays = try row.dayCount()
    measures.drugHolidays = try row.count()
    measures.missedStreak = try row.count()
    return StoredDoseAnalytics(
      analytics: DoseAnalytics(
        user: user, medication: medication, period: AdherencePeriod(kind, days: first...last),
        measures: measures, dayDigest: try row.int()),
      evaluatedAt: try row.timestamp())
  }
}
