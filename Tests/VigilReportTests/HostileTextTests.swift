import Foundation
import TestSupport
import Testing
import VigilAnalysis
import VigilModel
import VigilStorage

@testable import VigilReport

/// Names and ids that try to steer the terminal on which a report is read.
@Suite struct HostileTextTests {
  /// One of every kind of character that terminals obey, and a line break that forges a line.
  static let hostile =
    "evil\u{1B}[2J\u{7}\u{8}\u{7F}\u{9B}31m\u{85}\u{202E}\u{2066}\u{200F}\u{2028}\u{FEFF}\nforged"

  /// Reports with one text in every place that takes one from elsewhere.
  private static func reports(_ text: String) throws -> [(name: String, report: any Report)] {
    let alert = try Samples.alert(
      person: 1, since: "2026-06-20", days: 8, baseline: 60, recent: 75)
    let ids = [Samples.person(1): text, Samples.person(2): text]
    var run = try Samples.run(1, status: .failed)
    run.error = text
    run.thresholds.version = text
    run.host = text
    let action = AlertAction(.dismiss, alert: alert.id, by: Samples.person(2), at: Samples.time)
    let days = run.days
    return [
      (
        "summary",
        RunSummary(
          run: run, shard: try Samples.shard(.failed, error: text), database: text, metricDays: nil)
      ),
      ("run", RunReport(run: run, atWork: [])), ("runs", RunsReport(runs: [run], atWork: [])),
      (
        "alerts",
        AlertsReport(alerts: [alert], externalIDs: ids, today: days.lowerBound, emptyHint: "")
      ),
      (
        "alert",
        AlertReport(
          alert: alert, actions: [action], notifications: [], shadowNotifications: [],
          externalIDs: ids)
      ),
      (
        "action",
        AlertActionReport(
          outcome: AlertActionOutcome(
            action: action, alert: alert, notifications: 0, escalations: 0), externalIDs: ids)
      ),
      (
        "queue",
        QueueReport(
          queue: .live, notifications: [try Samples.notification(1, about: alert)], counts: [:],
          externalIDs: ids, emptyHint: "")
      ),
      (
        "config",
        ConfigReport(entries: [.init(name: "a", value: text, source: text, explanation: "")])
      ),
      (
        "findings",
        FindingsReport(findings: [
          Finding(check: "a", status: .failure, detail: text, remedy: .advice(text))
        ])
      ),
      (
        "import",
        ImportReport(
          database: text,
          tables: [
            .init(
              name: "users", file: text, rowsRead: 1, rowsWritten: 1, quarantined: 0,
              duplicatesMerged: 0)
          ], personsCreated: 0, ignoredFiles: [text])
      ),
      (
        "migrations",
        MigrationsReport(
          database: text, action: .applied(MigrationOutcome(numbers: [1], backupPath: text)),
          migrations: [])
      ),
      ("golive", GoLiveReport(database: text, episodesMarked: 1)),
      (
        "prune",
        PruneReport(rows: PrunedRows(), cutoff: Samples.time, database: text, isDryRun: false)
      ),
      ("thresholds", try Self.thresholds(text)), ("calibration", try Self.calibration(text)),
      (
        "vitality",
        VitalityReport(
          file: text, version: text, digest: "d", ageGroups: [text], subMetrics: [], hasSlope: true)
      ),
      (
        "generated",
        GeneratedDataReport(
          folder: text, people: 1, families: 1, days: days, metricRows: 1, exerciseSessions: 1,
          episodes: 1, medications: 1, schedules: 1, doseRows: 1, travellers: 1, doseBehaviours: 1,
          devicePeriods: 1,
          files: [text])
      ),
    ]
  }

  private static func thresholds(_ text: String) throws -> ThresholdsReport {
    var report = ThresholdsReport(file: text, version: text, digest: "d", metrics: [])
    report.calibration = .init(
      budget: 1, openingsPerSeriesYear: 0.1, simulatedSeries: 1, seed: 1, source: text, digest: text
    )
    report.expectation = .init(
      total: .init(estimate: 1, lower: 0, upper: 2), metrics: [], notSimulated: [], people: 1,
      days: 1, seed: 1, dataset: text)
    return report
  }

  private static func calibration(_ text: String) throws -> CalibrationReport {
    var report = try Samples.calibration()
    // Lines of words are broken where they fit, so theirs would be as many as the text is long.
    report.metrics.removeAll { $0.source != .database }
    report.file = text
    report.version = text
    report.base = text
    report.database = text
    return report
  }

  @Test(arguments: [true, false])
  func neitherSteersATerminalNorForgesALine(usesColor: Bool) throws {
    let style = TextStyle(usesColor: usesColor)
    for (hostile, harmless) in zip(try Self.reports(Self.hostile), try Self.reports("fine")) {
      let text = hostile.report.text(style: style)
      let lines = harmless.report.text(style: style).split(separator: "\n").count
      #expect(text.split(separator: "\n").count == lines, "\(hostile.name): \(text)")
      #expect(style.terminalSafe(text) == text, "\(hostile.name) cleans too late")
      // A list of runs shows nothing that comes from elsewhere but as JSON.
      #expect(
        text.contains("evil\u{FFFD}[2J\u{FFFD}") || hostile.name == "runs",
        "\(hostile.name): \(text)")
    }
  }

  @Test func jsonKeepsValuesExactWithoutOneThatSteersATerminal() throws {
    for (name, report) in try Self.reports(Self.hostile) {
      let json = try report.json()
      #expect(
        !json.unicodeScalars.contains { $0.steersTerminals && $0 != "\n" }, "\(name): \(json)")
      let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: [])
      #expect(Self.texts(of: value).contains(Self.hostile) || name == "queue", "\(name): \(json)")
    }
  }

  private static func texts(of value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(texts)
    case let object as [String: Any]: object.values.flatMap(texts)
    default: []
    }
  }

  @Test func onlyTheColoursOfTheStyleItselfPass() {
    let text = "\u{1B}[1;31mfailure\u{1B}[0m \u{1B}[2J\u{1B}[1;32m\u{1B}\n\u{202E}"
    #expect(
      TextStyle(usesColor: true).terminalSafe(text)
        == "\u{1B}[1;31mfailure\u{1B}[0m \u{FFFD}[2J\u{FFFD}[1;32m\u{FFFD}\n\u{FFFD}")
    #expect(
      TextStyle.plain.terminalSafe(text)
        == "\u{FFFD}[1;31mfailure\u{FFFD}[0m \u{FFFD}[2J\u{FFFD}[1;32m\u{FFFD}\n\u{FFFD}")
  }
}
