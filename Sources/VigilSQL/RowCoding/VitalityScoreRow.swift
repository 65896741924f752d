public import Foundation
public import VigilModel
public import VigilStorage

/// The row of a `VitalityScore` in `vitality_scores`, which may be a table of an app.
public enum VitalityScoreRow {
  public static let table = "vitality_scores"
  public static let key = ["user_id", "score_date"]
  public static let scores = ["total_score", "sleep_score", "movement_score", "stress_score"]
  /// The columns that a computed row can change.
  public static let figures = scores + ["schema_version"]
  public static let columns = key + figures + ["source"]

  public static func put(_ score: VitalityScore, into row: some RowWriter) {
    row.put(score.user)
    row.put(score.day)
    row.put(score.total)
    row.put(score.sleep)
    row.put(score.movement)
    row.put(score.stress)
    row.put(score.schemaVersion)
    row.put(score.source)
  }

  /// Reads the columns `columns`, the scores as doubles.
  ///
  /// - Returns: Nil for a row that cannot be used.
  public static func decode(_ row: inout some RowReader) throws -> VitalityScore? {
    let (user, day) = try (row.uuid(), row.day())
    func value() throws -> Double {
      guard let value = try row.doubleIfPresent() else { return .nan }
      return value.isNaN ? .infinity : value
    }
    let (total, sleep, movement, stress) = try (value(), value(), value(), value())
    let (version, source) = try (row.textIfPresent(), row.textIfPresent())
    return source.flatMap {
      make(
        user, day, total: total, sleep: sleep, movement: movement, stress: stress,
        schemaVersion: version ?? "", source: $0)
    }
  }

  /// A row of stored scores, NaN for NULL; nil where one of them is outside 0...100.
  ///
  /// An app may keep scores with a fraction: each becomes the nearest whole number, of two that are as
  /// near the higher.
  public static func make(
    _ user: UUID, _ day: Day, total: Double, sleep: Double, movement: Double, stress: Double,
    schemaVersion: String, source: String
  ) -> VitalityScore? {
    guard isScore(total), isScore(sleep), isScore(movement), isScore(stress) else { return nil }
    return VitalityScore(
      user: user, day: day, total: rounded(total), sleep: rounded(sleep),
      movement: rounded(movement), stress: rounded(stress), schemaVersion: schemaVersion,
      source: source)
  }

  private static func isScore(_ value: Double) -> Bool { value.isNaN || 0...100 ~= value }

  private static func rounded(_ value: Double) -> Int? {
    value.isNaN ? nil : Int((value + 0.5).rounded(.down))
  }
}

/// The row of a `TrendCoverage` in `trend_coverage`.
public enum TrendCoverageRow {
  public static let table = "trend_coverage"

  /// Columns that decide whether a stored row has changed.
  static let comparedColumns = [
    "evaluated_on", "coverage_days", "days_needed", "last_score_date", "first_evaluated_on",
    "input_digest",
  ]

  /// The columns that are read.
  public static let readColumns = ["user_id"] + comparedColumns
  public static let columns = readColumns + ["run_id", "created_at", "updated_at"]

  public static func put(
    _ coverage: TrendCoverage, of batch: BatchWrite, into row: some RowWriter
  ) {
    row.put(coverage.user)
    row.put(coverage.day)
    row.put(coverage.coverage)
    row.put(coverage.daysNeeded)
    row.put(coverage.lastScoreDay)
    row.put(coverage.firstDay)
    row.put(coverage.digest)
    row.put(batch.runID)
    row.put(batch.writtenAt)
    row.put(batch.writtenAt)
  }

  /// Reads the columns `readColumns`.
  public static func decode(_ row: inout some RowReader) throws -> TrendCoverage {
    return try TrendCoverage(
      user: row.uuid(), day: row.day(), coverage: row.dayCount(), daysNeeded: row.dayCount(),
      lastScoreDay: row.dayIfPresent(), firstDay: row.day(), digest: row.int())
  }
}
