/// The columns that a codec reads, in its order, for statements that select all of them.
enum ColumnList: CaseIterable {
  case runs
  case shards
  case checkpoints
  case notifications
  case alerts
  case analytics
  case insights
  case coverages

  /// The mark of the list in statements.
  var mark: StaticString {
    switch self {
    case .runs: "{{run_columns}}"
    case .shards: "{{shard_columns}}"
    case .checkpoints: "{{checkpoint_columns}}"
    case .notifications: "{{notification_columns}}"
    case .alerts: "{{alert_columns}}"
    case .analytics: "{{analytics_columns}}"
    case .insights: "{{insight_columns}}"
    case .coverages: "{{coverage_columns}}"
    }
  }

  /// The names, quoted, with commas between them.
  var names: String {
    let columns =
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
    return columns.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
