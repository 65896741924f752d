import TestSupport
import Testing
import VigilModel

@testable import VigilReport

@Suite struct AttentionSentenceTests {
  /// An alert of several metrics together, the first of which has most evidence.
  private func together(_ names: String..., days: Int) throws -> PatternAlertState {
    var alert = try Samples.alert(
      person: 1, metric: "combined", pattern: .worse, since: "2026-06-05", days: days,
      baseline: 0, recent: 1.5, isWithoutDeviation: true)
    let figures = alert.episode.figures
    alert.episode.combined = CombinedEvidence(
      openedOn: alert.episode.activeSince + 4, windowDays: 5, evidence: 5, threshold: 4.65,
      contributions: names.map {
        .init(
          metric: MetricType($0), z: 3, shift: 1.5, baseline: figures.baseline,
          recent: figures.recent,
          anchor: EvidenceAnchor(
            mean: 0, weekdays: .zero, spread: 1, autocorrelation: 0, noise: 1))
      }, unchanged: [])
    return alert
  }

  private func alert(_ metric: String, days: Int) throws -> PatternAlertState {
    try Samples.alert(
      person: 1, metric: metric, pattern: .drop, since: "2026-06-05", days: days, baseline: 8420,
      recent: 4210)
  }

  private func text(_ alerts: PatternAlertState...) -> String {
    AttentionSentence(AttentionSentence.ranked(alerts), limits: AlertLimits()).text
  }

  @Test func eachMetricIsNamedOnce() throws {
    let sleepAndSteps = try together("sleep_minutes", "steps", days: 20)
    #expect(
      try text(sleepAndSteps, alert("steps", days: 9), alert("hrv_ms", days: 4))
        == "Sleep and steps: together worse than usual for 20 days; also heart rate variability."
    )
    #expect(
      try text(sleepAndSteps, alert("steps", days: 9))
        == "Sleep and steps: together worse than usual for 20 days.")
  }

  @Test func silenceIsSaidInWordsOfItsOwn() throws {
    let silence = try Samples.alert(
      person: 1, metric: "inactivity", pattern: .silence, since: "2026-06-05", days: 5,
      baseline: 0, recent: 5, isWithoutDeviation: true)
    #expect(try text(silence, alert("steps", days: 4)) == "No data for 5 days; also steps.")
    let overdue = try Samples.alert(
      person: 1, metric: "check_in_overdue", pattern: .silence, since: "2026-06-05", days: 1,
      baseline: 0, recent: 1, isWithoutDeviation: true)
    #expect(text(overdue) == "Check-in overdue for 1 day.")
    #expect(text(overdue, silence) == "No data for 5 days; also overdue check-in.")
  }

  @Test func furtherMetricsOfSeveralTogetherAreNamed() throws {
    #expect(
      try text(together("sleep_minutes", "steps", days: 9), alert("steps", days: 20))
        == "Steps: lower than usual for 20 days (50 % below the usual level: 4,210 steps, usually 8,420);"
        + " also sleep.")
  }
}
