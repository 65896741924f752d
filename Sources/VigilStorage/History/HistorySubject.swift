/// The rows that nights keep copies of.
public enum HistorySubject: String, CaseIterable, Sendable {
  /// Rows of `wearable_daily_metrics`, by person.
  case metrics
  /// Rows of `dose_history`, by medication.
  case doses

  /// The table of the rows.
  public var source: String {
    switch self {
    case .metrics: "wearable_daily_metrics"
    case .doses: InputTable.doseHistory.name
    }
  }

  /// The table of the copies.
  public var table: String {
    switch self {
    case .metrics: "metric_history"
    case .doses: "medication_history"
    }
  }

  /// The column of the copies that says whose they are.
  public var owner: String {
    switch self {
    case .metrics: "user_id"
    case .doses: "medication_id"
    }
  }
}
