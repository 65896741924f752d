import Foundation
import GoldenFiles
import Testing
import VigilAnalysis
import VigilModel

@testable import VigilReport

@Suite struct EvaluationReportTests {
  private func report(isComplete: Bool, alerts: Bool = true) throws -> EvaluationReport {
    let first = try Samples.day("2026-06-01")
    let steps = MetricType("steps")
    let evaluation = DetectionEvaluation(
      of: alerts
        ? [12, 16, 20, 25].map { day in
          RaisedAlert(
            person: Samples.person(1), metric: day == 20 ? MetricType("hrv_ms") : steps,
            openedOn: first + day, level: .day14)
        } : [],
      against: [
        LabelledChange(person: Samples.person(1), metric: steps, days: first + 10...first + 17),
        LabelledChange(person: Samples.person(2), metric: nil, days: first...first + 4),
      ])
    return EvaluationReport(
      evaluation, days: first...first + 29, persons: 2, personDays: 60,
      areLabelsComplete: isComplete,
      profile: alerts ? "v3" : nil)
  }

  @Test func completeLabelsSayWhatIsFalse() throws {
    try expectSnapshot(report(isComplete: true).text(style: .plain), "evaluation.txt")
    try expectSnapshot(report(isComplete: true).json(), "evaluation.json")
  }

  @Test func eventsAreCountedWhereTheyHaveSeveralAlerts() throws {
    let first = try Samples.day("2026-06-01")
    let evaluation = DetectionEvaluation(
      of: ["steps", "hrv_ms"].map {
        RaisedAlert(
          person: Samples.person(1), metric: MetricType($0), openedOn: first + 3, level: .day3,
          event: Samples.person(9))
      }, against: [])
    let report = EvaluationReport(
      evaluation, days: first...first + 29, persons: 2, personDays: 60, areLabelsComplete: true,
      profile: "v3")
    let text = report.text(style: .plain)
    #expect(text.contains("Alerts in a person-year: 12.2 "), "\(text)")
    #expect(text.contains("Events in a person-year: 6.1 "), "\(text)")
    #expect(text.contains("False events in a person-year: 6.1 "), "\(text)")
  }

  @Test func labelsThatCouldNotBeJudgedAreNoMisses() throws {
    let first = try Samples.day("2026-06-01")
    let labels = [3, 4, 5].map { person in
      LabelledChange(
        person: Samples.person(person), metric: MetricType("steps"), days: first...first + 9)
    }
    let alert = RaisedAlert(
      person: Samples.person(3), metric: MetricType("steps"), openedOn: first + 2, level: .day3)
    let report = EvaluationReport(
      DetectionEvaluation(of: [alert], against: labels, judged: [false, true, false]),
      days: first...first + 29, persons: 2, personDays: 60, areLabelsComplete: true, profile: "v3")
    let text = report.text(style: .plain)
    #expect(
      text.hasPrefix(
        "v3 found 1 of 2 changes that could be judged in 2 persons, half by day 3, with 0 false alerts.\n"
          + "One more has too few days with data to be judged.\n"), "\(text)")
  }

  @Test func withoutCompleteLabelsNothingIsCalledFalse() throws {
    let text = try report(isComplete: false).text(style: .plain)
    #expect(!text.lowercased().contains("false"), "\(text)")
    #expect(!text.contains("precision"), "\(text)")
    #expect(text.contains("No label"), "\(text)")
  }

  @Test func aDatabaseWithoutAlertsHasItsTable() throws {
    let text = try report(isComplete: true, alerts: false).text(style: .plain)
    #expect(text.hasPrefix("Found 0 of 2 changes in 2 persons, with 0 false alerts."), "\(text)")
    #expect(text.contains("–/–"), "\(text)")
  }
}
