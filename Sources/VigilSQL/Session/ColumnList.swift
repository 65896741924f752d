/// The columns that a codec reads, in its order, for statements that select all of them by a mark such as
/// `{{alert_columns}}`.
enum ColumnList: String {
  case runs = "run_columns"
  case shards = "shard_columns"
  case checkpoints = "checkpoint_columns"
  case notifications = "notification_columns"
  case alerts = "alert_columns"
  case analytics = "analytics_columns"
  case insights = "insight_columns"
  case coverages = "coverage_columns"

  /// The columns, in the codec's order.
  var names: [String] {
    switch self {
    case .runs: RunRow.columns
    case .shards: ShardRow.columns
    case .checkpoints: CheckpointRow.columns
    case .notifications: NotificationRow.columns
    case .alerts: AlertStateRow.columns
    case .analytics: DoseAnalyticsRow.readColumns
    case .insights: TrendInsightRow.readColumns
    case .coverages: TrendCoverageRow.readColumns
    }
  }
}
