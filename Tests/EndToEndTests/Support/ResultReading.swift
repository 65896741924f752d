import Foundation
import TestSupport
import VigilAdherence
import VigilModel
import VigilReport
import VigilStorage

/// All that commands read of results, in this process: what traps ends the tests.
struct ResultReading {
  let storage: any Storage
  let persons: [UUID]

  /// The errors of all readings, each of which is also rendered.
  func failures() -> [any Error] {
    readings.compactMap { reading in
      do {
        try reading()
        return nil
      } catch {
        return error
      }
    }
  }

  private var readings: [() throws -> Void] {
    let everyDay = Day.calendar.lowerBound...Day.calendar.upperBound
    return [
      {
        let alerts = try storage.alertStates(matching: AlertFilter())
        try show(AlertsReport(alerts: alerts, today: today, emptyHint: ""))
        for alert in alerts.prefix(5) {
          let ofAlert = NotificationFilter(alert: alert.id)
          try show(
            AlertReport(
              alert: alert, actions: storage.actions(on: alert.id),
              notifications: storage.notifications(matching: ofAlert), shadowNotifications: []))
        }
      },
      {
        for period in AdherencePeriod.Kind.allCases {
          let rows = try storage.doseAnalytics(of: nil, period: period, endingOn: nil)
          try show(AdherenceReport(rows: rows, period: period, emptyText: ""))
        }
      },
      {
        let runs = try storage.runs(limit: 100)
        try show(RunsReport(runs: runs, atWork: storage.runsAtWork()))
        for run in runs { try show(RunReport(run: run, atWork: storage.runsAtWork())) }
      },
      {
        try storage.withRuns { transaction in
          for run in try storage.runs(limit: 100) {
            let checkpoints = try transaction.checkpoints(of: run.id)
            var counts = RunRecord.Counts()
            for shard in try transaction.shards(of: run.id) { counts += shard.carried }
            for checkpoint in checkpoints { counts += checkpoint.counts }
          }
        }
      },
      { try showQueue(.live) },
      { try showQueue(.shadow) },
      { try showQueue(.held) },
      {
        let insights = try storage.trendInsights(matching: InsightFilter(includesSuppressed: true))
        try show(
          InsightsReport(
            insights: insights, day: today, coverages: try storage.trendCoverages(of: nil),
            scores: try storage.vitalityScores(of: nil, in: everyDay), emptyHint: ""))
      },
      { try show(FindingsReport(findings: storage.diagnose())) },
      { _ = try storage.prunableRows(endedBefore: today.midnight, at: today.midnight) },
      {
        let reader = try storage.makeReader()
        for active in try storage.activeProfiles() {
          _ = try reader.alertStates(of: persons, in: active.profile, touchedSince: today - 30)
        }
        _ = try reader.trendCoverages(of: persons)
        let medications = MedicationRows(zones: .system)
        medications.begin(persons, evaluatedAt: today.midnight)
        try reader.readMedications(
          of: persons, doses: (today - 30).midnight...today.midnight, into: medications)
      },
    ]
  }

  private let today = Day(ordinal: 20_634)

  private func showQueue(_ queue: NotificationList) throws {
    let filter = NotificationFilter(queue: queue)
    try show(
      QueueReport(
        queue: queue, notifications: storage.notifications(matching: filter),
        counts: storage.notificationCounts(matching: filter), emptyHint: ""))
  }

  private func show(_ report: some Report) throws {
    _ = report.text(style: TextStyle(usesColor: false))
    _ = try report.json()
  }

  init(_ storage: any Storage) throws {
    self.storage = storage
    persons = try storage.persons(withDataIn: (today - 60)...today)
  }
}
