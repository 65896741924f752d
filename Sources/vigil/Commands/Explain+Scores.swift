import Foundation
import VigilAdherence
import VigilBatch
import VigilCharts
import VigilModel
import VigilReport
import VigilStorage
import VigilVitality

/// Explanations of scores and of doses.
extension Explain {
  // MARK: Scores

  func report(
    on pillar: Pillar?, of person: UUID, _ reading: ExplanationReading, _ storage: any Storage
  ) throws -> ScoreExplanationReport {
    let evaluated = try storage.trendCoverages(of: [person]).map(\.day).max()
    guard let day = try date ?? evaluated ?? storage.metricDays()?.upperBound else {
      throw noData(in: storage)
    }
    var report = ScoreExplanationReport(
      try reading.scores(of: person, on: day), of: pillar, person: person)
    let history = try storage.vitalityScores(of: [person], in: (day - 65)...day)
    report.stored = history.first { $0.day == day }
    report.insights = try storage.trendInsights(
      matching: InsightFilter(users: [person], days: day...day, includesSuppressed: true)
    ).filter { pillar == nil || $0.pillar == pillar }
    report.externalIDs = try storage.externalIDs(of: [person])
    let strip = ScoreExplanationReport.strip(of: history, pillar: pillar, through: day)
    report.chart = strip.values.isEmpty ? nil : strip.terminalText(width: 79, rows: 8)
    return report
  }

  // MARK: Doses

  func report(
    on medication: UUIDPrefix, of person: UUID, _ reading: ExplanationReading,
    _ storage: any Storage
  ) throws -> DoseExplanationReport {
    guard let day = try date ?? reading.lastDay(of: .adherence) else {
      throw noData(in: storage)
    }
    guard let found = try reading.doses(of: medication, of: person, on: day) else {
      throw CommandFailure(
        .badData,
        "--medication \(self.medication ?? ""): not exactly one medication of this person that counts"
          + " begins so; vigil adherence --user lists them")
    }
    var report = DoseExplanationReport(found, of: person)
    let about = report.medication
    report.alerts = try storage.alertStates(matching: AlertFilter(users: [person])).filter {
      $0.series.medication == about
    }.compactMap { $0.standing(on: day) }.filter(\.episode.isActive)
    report.externalIDs = try storage.externalIDs(of: [person])
    return report
  }
}
