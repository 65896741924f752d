public import VigilModel

/// Takes metric rows as a reader finds them.
public protocol MetricRowSink: AnyObject {
  /// A small number for a source name; asked for once per run of rows of the same source.
  func index(ofSource name: String) -> Int

  /// One row of `wearable_daily_metrics`.
  ///
  /// - Parameters:
  ///   - person: Index into the persons asked for.
  ///   - source: What `index(ofSource:)` gave for the row's source.
  ///   - values: As many as metrics were asked for, in that order; NaN where the column is NULL.
  ///   - isWorn: Whether any numeric column of the row, asked for or not, is above 0.
  ///   - updatedAt: The row's `updated_at`; nil where that is NULL, no instant, or no column at all,
  ///     as in views of other tables.
  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>, isWorn: Bool,
    updatedAt: Timestamp?)
}
