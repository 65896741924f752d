import Foundation
import TestDatabases
import Testing
import VigilModel

/// A page of 30 days of the sample under v3-strict, and texts as they stand on it.
enum SamplePage {
  static let first = "2026-05-13"
  static let last = "2026-06-11"
  /// The last day before the week that ends on `last`.
  static let beforeLastWeek = "2026-06-04"
  static let metrics = [
    "steps": ("steps", "steps"), "sleep_minutes": ("sleep", "min"),
    "hrv_ms": ("heart rate variability", "ms"), "resting_hr": ("resting heart rate", "bpm"),
    "sleep_efficiency_pct": ("sleep efficiency", "%"), "movement_minutes": ("movement", "min"),
    "deep_sleep_minutes": ("deep sleep", "min"),
  ]

  /// A database of v3-strict on the evening of `last`, after a backfill and a night.
  static func evaluated(_ kind: DatabaseKind) throws -> TemporaryFolder {
    try SampleDatabase.imported(
      kind,
      then: [
        ["backfill", "--from", "2026-03-03", "--to", "2026-06-10", "--thresholds", "v3-strict"],
        ["run", "--date", last, "--thresholds", "v3-strict"],
      ])
  }

  static func page(_ arguments: String..., in folder: TemporaryFolder) async throws -> PageTexts {
    let run = try await CommandRun.vigil(
      arguments: ["report", "--out", "page.html", "--force", "--from", first] + arguments,
      in: folder)
    try #require(run.status == 0, "\(run.errors)")
    return PageTexts(
      html: try String(contentsOf: folder.url.appending(path: "page.html"), encoding: .utf8))
  }

  static func cells(_ row: String) -> [String] {
    row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  }

  static func words(_ metric: String) -> String {
    metric == "combined"
      ? "several metrics together"
      : metric == "dose_adherence_pct" ? "doses taken" : metrics[metric]?.0 ?? metric
  }

  /// `1,234`, `56.7` or `8`.
  static func text(_ value: Double) -> String {
    if abs(value) < 99.95 {
      let text = String(format: "%.1f", value)
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let digits = String(Int(value.rounded()))
    let head = digits.count % 3
    var parts = head == 0 ? [] : [String(digits.prefix(head))]
    var rest = digits.dropFirst(head)
    while !rest.isEmpty {
      parts.append(String(rest.prefix(3)))
      rest = rest.dropFirst(3)
    }
    return parts.joined(separator: ",")
  }

  /// `56.7 bpm`, `4 h 57 min`.
  static func text(_ value: Double, _ unit: String) -> String {
    guard unit == "min" else { return "\(text(value)) \(unit)" }
    let minutes = Int(value.rounded())
    let parts = [(minutes / 60, "h"), (minutes % 60, "min")].filter { $0.0 > 0 }
    return parts.isEmpty ? "0 min" : parts.map { "\($0) \($1)" }.joined(separator: " ")
  }

  /// A value beside one with its unit.
  static func textBeside(_ value: Double, _ unit: String) -> String {
    unit == "min" || unit == "%" ? text(value, unit) : text(value)
  }

  /// `3 June`.
  static func longDate(_ day: Day) -> String {
    let months = ["January", "February", "March", "April", "May", "June", "July"]
    return "\(day.components.day) \(months[day.components.month - 1])"
  }

  /// `3 Jun 2026`.
  static func date(_ day: String) -> String {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul"]
    return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
  }
}
