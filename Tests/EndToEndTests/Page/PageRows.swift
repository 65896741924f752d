import Foundation
import ReferenceKernels
import TestDatabases
import VigilModel

/// The rows behind a page, read by plain SQL.
struct PageRows {
  let database: TestDatabase
  let first: String
  let last: String

  var days: [String] {
    guard let begin = Day(first), let end = Day(last) else { return [] }
    return (begin...end).map(\.description)
  }

  struct Alert {
    var event: String
    var metric: String
    var activeSince: String
    var openedOn: String
    var resolvedOn: String?
    var level: Int
    var days: Int
    var baseline: Double
    var contributing: [Contribution]
  }

  struct Contribution {
    var metric: String
    var baseline: Double
    var start: String
    var end: String
    var mean: Double
    var spread: Double
    var weekdays: [Double]

    init?(_ json: [String: Any]) {
      guard let anchor = json["anchor"] as? [String: Any],
        let baseline = json["baseline"] as? [String: Any],
        let recent = json["recent"] as? [String: Any]
      else { return nil }
      metric = json["metric"] as? String ?? ""
      self.baseline = baseline["value"] as? Double ?? .nan
      start = recent["start"] as? String ?? ""
      end = recent["end"] as? String ?? ""
      mean = anchor["mean"] as? Double ?? .nan
      spread = anchor["spread"] as? Double ?? .nan
      weekdays = anchor["weekdays"] as? [Double] ?? []
    }

    /// The shift of a day's value, word by word from evidence.md; positive is bad.
    func shift(_ value: Double, _ day: String) -> Double {
      let y =
        switch metric {
        case "steps", "movement_minutes": max(value, 0).squareRoot()
        case "hrv_ms": log(max(value, 1))
        default: max(value, 0)
        }
      let usual = mean + weekdays[ReferenceEvidence.weekday(Int(Day(day)?.ordinal ?? 0))]
      let u = min(3, max(-3, (y - usual) / spread))
      return metric == "resting_hr" ? u : -u
    }
  }

  func name(of user: String) throws -> String {
    try database.rows("SELECT external_id FROM users WHERE id = '\(user)'").first ?? ""
  }

  func alerts(of user: String) throws -> [Alert] {
    try database.rows(
      """
      SELECT event_id, metric_type, active_since, opened_on, resolved_on, current_level,
        consecutive_true_days, baseline_value, anchor
      FROM pattern_alert_state WHERE user_id = '\(user)'
      """
    ).map { row in
      let cells = row.split(separator: "|", maxSplits: 8, omittingEmptySubsequences: false)
        .map(String.init)
      let json = try? JSONSerialization.jsonObject(with: Data(cells[8].utf8)) as? [String: Any]
      let contributing = (json?["contributing"] as? [[String: Any]] ?? [])
        .compactMap(Contribution.init)
      let opened = cells[3].isEmpty ? "\((Day(cells[2]) ?? Day(ordinal: 0)) + 2)" : cells[3]
      return Alert(
        event: cells[0], metric: cells[1], activeSince: cells[2], openedOn: opened,
        resolvedOn: cells[4].isEmpty ? nil : cells[4], level: Int(cells[5]) ?? 0,
        days: Int(cells[6]) ?? 0, baseline: Double(cells[7]) ?? .nan, contributing: contributing)
    }
  }

  func hasHadAlert(of metric: String, _ user: String) throws -> Bool {
    try alerts(of: user).contains {
      $0.metric == metric || $0.contributing.contains { $0.metric == metric }
    }
  }

  func hasOneDevice(_ user: String) throws -> Bool {
    try database.rows(
      "SELECT count(DISTINCT source) FROM wearable_daily_metrics WHERE user_id = '\(user)'") == [
        "1"
      ]
  }

  /// By day, the value of a metric; of two sources the larger one; days on which no device was worn have none.
  func values(of metric: String, of user: String) throws -> [String: Double] {
    try pairs(
      """
      SELECT metric_date, max(\(metric)) FROM wearable_daily_metrics
      WHERE user_id = '\(user)' AND \(metric) IS NOT NULL
        AND (\(SamplePage.metrics.keys.map { "\($0) > 0" }.joined(separator: " OR ")))
      GROUP BY metric_date
      """)
  }

  func scores(_ column: String, of user: String) throws -> [String: Double] {
    try pairs(
      """
      SELECT score_date, \(column) FROM vitality_scores
      WHERE user_id = '\(user)' AND \(column) IS NOT NULL AND score_date <= '\(last)'
      """)
  }

  private func pairs(_ sql: String) throws -> [String: Double] {
    Dictionary(
      try database.rows(sql).compactMap { row in
        let cells = row.split(separator: "|")
        return cells.count == 2 ? Double(cells[1]).map { (String(cells[0]), $0) } : nil
      }, uniquingKeysWith: { $1 })
  }

  /// The newest mean of a day and the six before it, of at least four values, among the days of the page.
  func mean(
    of values: [String: Double], endingOn last: String, _ transform: (Double, String) -> Double
  ) -> Double? {
    guard let begin = Day(first), var day = Day(last) else { return nil }
    while day >= begin {
      let week = (0..<7).map { "\(day - $0)" }
        .compactMap { key in values[key].map { transform($0, key) } }
      if week.count >= 4 { return week.reduce(0, +) / Double(week.count) }
      day = day - 1
    }
    return nil
  }
}
