public import VigilStorage

extension MetricHistory {
  /// The columns of `metric_history`, in the order of `put`.
  public static let columns = ["user_id", "first_day", "last_day", "layout", "rows"]

  public func put(into row: some RowWriter) {
    row.put(user)
    row.put(days.lowerBound)
    row.put(days.upperBound)
    row.put(layout)
    row.put(rows)
  }
}
