import VigilModel
import VigilStorage

/// Columns of one of Vigil's own tables, for statements that name them by a mark such as
/// `{{alert_columns}}`.
enum ColumnList: String {
  // Columns that codecs read.
  case runs = "run_columns"
  case shards = "shard_columns"
  case checkpoints = "checkpoint_columns"
  case notifications = "notification_columns"
  case alerts = "alert_columns"
  case analytics = "analytics_columns"
  case insights = "insight_columns"
  case coverages = "coverage_columns"
  case metrics = "metric_columns"
  // Columns that codecs write, where they are more.
  case heldWritten = "held_written"
  case shadowWritten = "shadow_written"
  case versionsWritten = "version_written"
  case analyticsWritten = "analytics_written"
  case insightsWritten = "insight_written"
  case coveragesWritten = "coverage_written"
  case scoresWritten = "score_written"
  // Columns that a run updates in a stored row.
  case alertUpdates = "alert_updates"
  case heldUpdates = "held_updates"
  case shadowUpdates = "shadow_updates"
  case analyticsFigures = "analytics_figures"
  case insightFigures = "insight_figures"
  case coverageFigures = "coverage_figures"
  case scoreFigures = "score_figures"
  /// Columns of an alert that members set.
  case alertSettings = "alert_settings"

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
    case .metrics: InputTable.wearableMetrics.map(\.rawValue)
    case .heldWritten: HeldRow.columns
    case .shadowWritten: QueueRow.shadowColumns
    case .versionsWritten: ScheduleVersionRow.columns
    case .analyticsWritten: DoseAnalyticsRow.columns
    case .insightsWritten: TrendInsightRow.columns
    case .coveragesWritten: TrendCoverageRow.columns
    case .scoresWritten: VitalityScoreRow.columns
    case .alertUpdates: AlertStateRow.updates
    case .heldUpdates: HeldRow.columns.filter { !HeldRow.key.contains($0) }
    case .shadowUpdates: QueueRow.updates
    case .analyticsFigures: DoseAnalyticsRow.comparedColumns
    case .insightFigures: TrendInsightRow.figures
    case .coverageFigures: TrendCoverageRow.comparedColumns
    case .scoreFigures: VitalityScoreRow.figures
    case .alertSettings: AlertStateRow.setByPeople
    }
  }
}
