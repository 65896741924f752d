import Foundation
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

/// Series of the people of a public data set in the layout of Vigil's CSV files.
struct RealHistories {
  /// By person and metric, those with at least 30 values.
  var series: [(name: String, metric: MetricThresholds, series: ExplainedSeries)] = []

  /// - Parameters:
  ///   - folder: With `wearable_daily_metrics.csv` of one source, and `exercise_sessions.csv`.
  ///   - metrics: Those that are read; ones without a column are left out.
  init(of folder: URL, metrics: [MetricThresholds]) throws {
    let (titles, rows) = try Self.table(folder.appending(path: "wearable_daily_metrics.csv"))
    let workouts = try Dictionary(
      grouping: Self.table(folder.appending(path: "exercise_sessions.csv")).rows, by: { $0[0] })
    let persons = Dictionary(grouping: rows, by: { $0[0] }).sorted { $0.key < $1.key }
    for (person, rows) in persons {
      let days = rows.compactMap { Day($0[1]) }
      guard let first = days.min(), let last = days.max() else { continue }
      for metric in metrics {
        guard let column = titles.firstIndex(of: metric.metric.rawValue) else { continue }
        var own = ExplainedSeries(
          firstDay: first, values: Array(repeating: .nan, count: last - first + 1),
          workouts: Set((workouts[person] ?? []).compactMap { Day($0[1]) }))
        for row in rows {
          guard let day = Day(row[1]), let value = Double(row[column]),
            metric.plausible?.contains(value) ?? true
          else { continue }
          own[day] = own[day].isNaN ? value : max(own[day], value)
        }
        guard own.values.count(where: { !$0.isNaN }) >= 30 else { continue }
        own.workouts = own.workouts.filter { ($0 >= first) && $0 <= last }
        series.append(("\(person) \(metric.metric)", metric, own))
      }
    }
  }

  private static func table(_ file: URL) throws -> (titles: [String], rows: [[String]]) {
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    return (try #require(lines.first), Array(lines.dropFirst()))
  }
}
