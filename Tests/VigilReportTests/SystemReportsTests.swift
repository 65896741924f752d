import Foundation
import GoldenFiles
import Testing
import VigilAnalysis
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct SystemReportsTests {
  @Test func findingsShowTheirRemedies() throws {
    let report = FindingsReport(findings: [
      Finding(check: "database", status: .ok, detail: "sqlite:vigil.sqlite"),
      Finding(
        check: "schema", status: .failure, detail: "2 migrations pending", remedy: "vigil migrate"),
      Finding(check: "free space", status: .warning, detail: "120 MiB left"),
    ])
    #expect(report.hasFailure)
    try expectSnapshot(report.text(style: .plain), "findings.txt")
    try expectSnapshot(try report.json(), "findings.json")
  }

  @Test func healthySystemSaysSo() {
    let report = FindingsReport(findings: [Finding(check: "clock", status: .ok, detail: "2026")])
    #expect(!report.hasFailure)
    #expect(report.text(style: .plain) == "ok  clock  2026\n\nAll is well.\n")
  }

  @Test func configShowsWhereValuesComeFrom() throws {
    let report = ConfigReport(entries: [
      .init(
        name: "database", value: "sqlite:a.sqlite", source: "--database",
        explanation: "where the tables are"),
      .init(name: "format", value: "text", source: "default", explanation: "how"),
    ])
    try expectSnapshot(report.text(style: .plain), "config.txt")
    try expectSnapshot(try report.json(), "config.json")
  }

  @Test func migrationsShowTheirStates() throws {
    let migrations = [
      MigrationStatus(
        number: 1, name: "inputs", checksum: "aa", state: .applied(at: Samples.time)),
      MigrationStatus(number: 2, name: "alerts", checksum: "bb", state: .pending),
    ]
    let report = MigrationsReport(
      database: "sqlite:vigil.sqlite", action: .status, migrations: migrations)
    try expectSnapshot(report.text(style: .plain), "migrations.txt")
    try expectSnapshot(try report.json(), "migrations.json")
  }

  @Test func migrationNamesItsBackup() throws {
    let outcome = MigrationOutcome(numbers: [2, 3], backupPath: "vigil.sqlite.backup-1")
    let report = MigrationsReport(
      database: "sqlite:vigil.sqlite", action: .applied(outcome), migrations: [])
    #expect(
      report.text(style: .plain) == """
        sqlite:vigil.sqlite: applied migrations 2, 3.
        The file as it was: vigil.sqlite.backup-1
        Next: vigil import csv DIR brings data in.

        """)
  }

  @Test func databaseOfANewerVersionIsNotCalledUpToDate() {
    let report = MigrationsReport(
      database: "sqlite:vigil.sqlite", action: .status,
      migrations: [
        MigrationStatus(number: 9, name: "later", checksum: "cc", state: .unknown(at: Samples.time))
      ])
    #expect(report.text(style: .plain).contains("does not fit this version"))
  }

  @Test func importNamesQuarantinedRowsAndIgnoredFiles() throws {
    let report = ImportReport(
      database: "sqlite:vigil.sqlite",
      tables: [
        .init(
          name: "users", file: "users.csv", rowsRead: 12, rowsWritten: 12, quarantined: 0,
          duplicatesMerged: 0),
        .init(
          name: "wearable_daily_metrics", file: "dailyActivity_merged.csv", rowsRead: 14_220,
          rowsWritten: 14_200, quarantined: 12, duplicatesMerged: 8),
      ], personsCreated: 1, ignoredFiles: ["labels.csv"],
      metricDays: try Samples.day("2026-03-03")...Samples.day("2026-06-30"))
    try expectSnapshot(report.text(style: .plain), "import.txt")
    try expectSnapshot(try report.json(), "import.json")
  }

  @Test func thresholdsAreListedByMetric() throws {
    let report = ThresholdsReport(
      file: "v1", version: "v1", digest: "00ff",
      metrics: [
        .init(
          metricType: MetricType("resting_hr"), patternType: .rise, unit: "bpm",
          rules: ["percent_rise_at_least 0.1", "absolute_rise_at_least 5"])
      ])
    try expectSnapshot(report.text(style: .plain), "thresholds.txt")
  }

  @Test func thresholdsUnderEvidenceShowTheirSettingsAndWhatToExpect() throws {
    var report = ThresholdsReport(
      file: "mine.json", version: "v3-mine", digest: "00ff",
      metrics: [
        .init(
          metricType: MetricType("steps"), patternType: .drop, unit: "count",
          rules: ["percent_drop_at_least 0.2"], detector: "evidence",
          evidence: .init(
            transform: "sqrt", priorSpread: 23.4, priorAutocorrelation: 0.13,
            thresholds: [10: 4.58, 60: 4.37, 120: 4.2])),
        .init(
          metricType: MetricType("hrv_ms"), patternType: .drop, unit: "ms",
          rules: ["percent_drop_at_least 0.15"], detector: "evidence",
          evidence: .init(
            transform: "log", priorSpread: 0.2, priorAutocorrelation: 0.34,
            thresholds: [10: 4.51, 90: 4.26])),
        .init(
          metricType: MetricType("dose_adherence_pct"), patternType: .drop, unit: "%",
          rules: ["absolute_drop_below 80"]),
      ])
    report.calibration = .init(
      budget: 1, openingsPerSeriesYear: 0.13, simulatedSeries: 8000, seed: 3,
      source: "8000 series of 430 days a metric, simulated after 200 people of a database,"
        + " 2025-01-01 to 2026-06-30", digest: "aa")
    report.expectation = .init(
      total: .init(estimate: 0.23, lower: 0.19, upper: 0.28),
      metrics: [
        .init(
          metricType: MetricType("steps"), rate: .init(estimate: 0.12, lower: 0.09, upper: 0.15)),
        .init(
          metricType: MetricType("hrv_ms"), rate: .init(estimate: 0.11, lower: 0.08, upper: 0.14)),
      ], notSimulated: [MetricType("dose_adherence_pct")], people: 500, days: 430, seed: 17,
      dataset: "LifeSnaps")
    try expectSnapshot(report.text(style: .plain), "thresholds-evidence.txt")
    try expectSnapshot(try report.json(), "thresholds-evidence.json")
  }

  @Test func thresholdsOfSeveralMetricsShowWhatTheyNeedTogether() throws {
    var report = ThresholdsReport(
      file: "mine.json", version: "v3-mine", digest: "00ff",
      metrics: [
        .init(
          metricType: MetricType("steps"), patternType: .drop, unit: "count",
          rules: ["percent_drop_at_least 0.2"], detector: "evidence",
          evidence: .init(
            transform: "sqrt", priorSpread: 23.4, priorAutocorrelation: 0.13,
            thresholds: [10: 4.58, 120: 4.2]))
      ])
    report.combined = .init(
      metricEvidence: 1.5, thresholds: [2: 3.25, 3: 3.7],
      correlations: [
        .init(
          metrics: [MetricType("hrv_ms"), MetricType("resting_hr")], correlation: 0.55)
      ])
    report.calibration = .init(
      budget: 1, openingsPerSeriesYear: 0.13, combinedOpeningsPerPersonYear: 0.44,
      simulatedSeries: 8000, seed: 3, source: nil, digest: nil)
    report.expectation = .init(
      total: .init(estimate: 0.93, lower: 0.89, upper: 0.98),
      metrics: [
        .init(
          metricType: MetricType("steps"), rate: .init(estimate: 0.12, lower: 0.09, upper: 0.15))
      ], combined: .init(estimate: 0.44, lower: 0.4, upper: 0.48),
      doses: .init(estimate: 0.06, lower: 0.05, upper: 0.07),
      silence: .init(estimate: 0.21, lower: 0.19, upper: 0.23), notSimulated: [], people: 500,
      days: 430, seed: 17, dataset: "LifeSnaps")
    try expectSnapshot(report.text(style: .plain), "thresholds-together.txt")
    try expectSnapshot(try report.json(), "thresholds-together.json")
  }

  @Test func calibrationsShowWhatChangedAndWhatWasKept() throws {
    let report = try Samples.calibration()
    #expect(report.keepsBudget)
    try expectSnapshot(report.text(style: .plain), "calibration.txt")
    try expectSnapshot(try report.json(), "calibration.json")
    var together = report
    together.together = Samples.together()
    (together.pauses, together.doses) = Samples.habits()
    try expectSnapshot(together.text(style: .plain), "calibration-together.txt")
    try expectSnapshot(try together.json(), "calibration-together.json")
    var wasteful = report
    wasteful.budget = 0.5
    #expect(wasteful.text(style: .plain).contains("NOT within the budget"))
  }

  @Test func generatedDataNameTheNextStep() throws {
    let report = GeneratedDataReport(
      folder: "demo-data", people: 12, families: 1,
      days: try Samples.day("2026-03-03")...Samples.day("2026-06-30"), metricRows: 1422,
      exerciseSessions: 178, episodes: 14, medications: 13, schedules: 14, doseRows: 2_105,
      travellers: 1, doseBehaviours: 5, devicePeriods: 9, files: ["users.csv", "labels.csv"])
    try expectSnapshot(report.text(style: .plain), "generated.txt")
  }
}
