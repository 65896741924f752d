public import VigilModel

/// Receives metric rows from a reader.
public protocol MetricRowSink: AnyObject {
  /// A small number for a source name; called once for each run of rows of the same source.
  func index(ofSource name: String) -> Int

  /// Whether it needs to know when rows were added.
  var wantsCreation: Bool { get }

  /// The `created_at` of the row that `append` sends next, where that is wanted; nil where it is NULL, no instant, or
  /// no column at all.
  func noteCreation(at instant: Timestamp?)

  /// One row of `wearable_daily_metrics`.
  ///
  /// - Parameters:
  ///   - person: Index into the persons asked for.
  ///   - day: The date of the row.
  ///   - source: The result of `index(ofSource:)` for the row's source.
  ///   - values: One for each requested metric, in that order; NaN where the column is NULL.
  ///   - isOtherPositive: Whether a measurement that was not requested is above 0 in the row.
  ///   - updatedAt: The row's `updated_at`; nil where that is NULL, no instant, or no column at all,
  ///     as in views of other tables.
  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?)
}

extension MetricRowSink {
  public var wantsCreation: Bool { false }

  public func noteCreation(at instant: Timestamp?) {}
}
