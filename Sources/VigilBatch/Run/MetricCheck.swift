import Logging
public import VigilDetection
public import VigilModel
public import VigilStorage
import VigilVitality

/// The metrics of a profile beside the columns that a database has for them: the one check of runs and
/// of `vigil doctor`.
///
/// A metric without a column is left out: few databases have values of every device. A column that holds
/// no numbers is a mistake, and so is a database that has none of the metrics.
public struct MetricCheck: Sendable {
  /// Metrics of the profile without a column, in its order; runs leave them out.
  public let leftOut: [MetricType]
  /// Metrics that scores are computed from and that have no column; scores go without them.
  private let missingFromScores: [MetricType]
  private let version: String
  private let watchedCount: Int
  /// Columns that a run would read, with a type that is no number's.
  private let unreadable: [(column: MetricType, type: String)]
  private let columns: MetricColumns

  /// - Parameters:
  ///   - thresholds: The profile of the run.
  ///   - parts: What is evaluated; without patterns no metric of the profile is read, without
  ///     vitality none that only scores are computed from.
  ///   - columns: The columns of the metric table.
  public init(of thresholds: Thresholds, parts: Set<RunPart> = .all, in columns: MetricColumns) {
    let watched = parts.contains(.patterns) ? thresholds.wearableMetrics.map(\.metric) : []
    let scored = parts.contains(.vitality) ? VitalityMetric.columns : []
    func isThere(_ metric: MetricType) -> Bool {
      columns.numeric.contains(metric) || columns.others[metric] != nil
    }
    self.columns = columns
    version = thresholds.version
    watchedCount = watched.count
    leftOut = watched.filter { !isThere($0) }
    missingFromScores = scored.filter { !isThere($0) }
    unreadable = (watched + scored.filter { !watched.contains($0) }).compactMap { metric in
      columns.others[metric].map { (metric, $0) }
    }
  }

  /// Refuses a database whose metrics a run cannot read.
  ///
  /// - Throws: `BatchError` with `.noMetric`.
  func requireMetrics(of database: String) throws {
    guard let fault else { return }
    throw BatchError(
      .noMetric,
      "\(fault.detail), in \(database); nothing was evaluated", remedy: .advice(fault.remedy))
  }

  /// Names the metrics that a run leaves out.
  func warn(_ logger: Logger) {
    guard !leftOut.isEmpty else { return }
    logger.warning(
      "Metrics without a column are left out",
      metadata: [
        "profile": "\(version)", "metrics": "\(leftOut.map(\.rawValue).joined(separator: ","))",
      ])
  }

  /// The finding of `vigil doctor`.
  public var finding: Finding {
    if let fault {
      return Finding(
        check: Self.name, status: .failure, detail: fault.detail, remedy: .advice(fault.remedy))
    }
    let scores =
      missingFromScores.isEmpty
      ? "" : "; scores go without \(Self.list(missingFromScores))"
    guard !leftOut.isEmpty else {
      return Finding(
        check: Self.name, status: .ok,
        detail: "\(InputTable.wearableDailyMetrics.name) has all \(watchedCount) of \(version)"
          + scores)
    }
    return Finding(
      check: Self.name, status: .warning,
      detail: "\(InputTable.wearableDailyMetrics.name) has no column \(Self.list(leftOut)):"
        + " runs with \(version) leave \(leftOut.count == 1 ? "it" : "them") out" + scores,
      remedy:
        "\(additionAdvice), or use a thresholds file without \(leftOut.count == 1 ? "it" : "them")")
  }

  /// The counts that a run records.
  var dataQuality: [DataQualityCount] {
    leftOut.map { DataQualityCount(metric: $0, reason: "no_column", count: 1) }
  }

  private static let name = "metric columns"

  private var fault: (detail: String, remedy: String)? {
    let table = InputTable.wearableDailyMetrics.name
    if let first = unreadable.first {
      let all = unreadable.map { "\($0.column) (\($0.type))" }.joined(separator: ", ")
      return (
        "\(table) has columns that are metrics and hold no numbers: \(all)",
        columns.isView
          ? "cast them in the view: \(first.column)::\(columns.numericType)"
          : "change their type to \(columns.numericType)"
      )
    }
    guard watchedCount > 0, leftOut.count == watchedCount else { return nil }
    let known = columns.numeric.sorted()
    let guess = leftOut.lazy.compactMap { metric in
      NearestName.of(metric.rawValue, among: known.map(\.rawValue))
    }.first
    return (
      "\(table) has a column for none of the metrics of \(version), which are \(Self.list(leftOut));"
        + " it has \(known.isEmpty ? "no numeric column" : Self.list(known))",
      guess.map { "use a thresholds file of these metrics (did you mean '\($0)'?)" }
        ?? "use a thresholds file of these metrics, or \(additionAdvice)"
    )
  }

  /// A view has no columns of its own to add.
  private var additionAdvice: String {
    columns.isView
      ? "add it to the view, as \(columns.numericType)"
      : "ALTER TABLE \(InputTable.wearableDailyMetrics.name) ADD COLUMN \(leftOut[0])"
        + " \(columns.numericType)"
  }

  private static func list(_ metrics: [MetricType]) -> String {
    metrics.map(\.rawValue).joined(separator: ", ")
  }
}
