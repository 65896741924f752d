import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@testable import VigilLaboratory

@Suite struct DoseDetectorTests {
  /// Evidence leaves people alone whose misses are as always, and finds a stop within days.
  @Test func evidenceIsCalmAndFindsAStop() async throws {
    let means = try #require(DoseDetector("means", thresholds: DoseRules.means))
    let evidence = try #require(DoseDetector("evidence", thresholds: DoseRules.evidence))
    let habit = DoseHabit.Kind.forgetful.habit
    let quiet = await DoseCorpus(habit, seed: 11, people: 0..<300, dayCount: 430)
    let noisy = await QuietHabitStudy(quiet, detector: means)
    let calm = await QuietHabitStudy(quiet, detector: evidence)
    #expect(noisy.rate().lower > 5)
    #expect(calm.rate(confidence: 0.99).lower <= 0.3)
    let stopped = await DoseCorpus(
      DoseHabit.Kind.never.habit, seed: 11, people: 300..<400, dayCount: 280,
      change: { DoseChange(onset: 200 + $0 % 28, length: 28, missedShare: 1) })
    let found = await stopped.episodes(of: evidence)
    #expect(found.count == 100 && found.count { !$0.isEmpty } >= 99)
  }

  /// A forgetful person is left alone by the rows of days without a dose of one medication, and a stop is found.
  @Test func aMedicationThatIsNotTakenIsRarelyAFalseAlert() async throws {
    let evidence = try #require(DoseDetector("evidence", thresholds: DoseRules.evidence))
    let quiet = await DoseCorpus(
      DoseHabit.Kind.forgetful.habit, seed: 12, people: 0..<400, dayCount: 430)
    let all = await QuietHabitStudy(quiet, detector: evidence)
    let streaks = await QuietHabitStudy(quiet, detector: evidence, isOneMedication: true)
    #expect(streaks.rate(confidence: 0.99).lower <= 0.1)
    #expect(streaks.episodes <= all.episodes)
    let stopped = await DoseCorpus(
      DoseHabit.Kind.forgetful.habit, seed: 12, people: 400..<450, dayCount: 280,
      change: { DoseChange(onset: 200 + $0 % 28, length: 28, missedShare: 1) })
    let found = await stopped.episodes(of: evidence, isOneMedication: true)
    #expect(found.count { !$0.isEmpty } == 50)
    let means = try #require(DoseDetector("means", thresholds: DoseRules.means))
    #expect(await QuietHabitStudy(quiet, detector: means, isOneMedication: true).episodes == 0)
  }

  @Test func studiesAddUp() async throws {
    let means = try #require(DoseDetector("means", thresholds: DoseRules.means))
    var studies: [QuietHabitStudy] = []
    for kind in [DoseHabit.Kind.often, .weekly] {
      let corpus = await DoseCorpus(kind.habit, seed: 2, people: 0..<50, dayCount: 365)
      studies.append(await QuietHabitStudy(corpus, detector: means))
    }
    let all = QuietHabitStudy(joining: studies)
    #expect(all.years == 100)
    #expect(all.episodes == studies[0].episodes + studies[1].episodes)
    #expect(all.notifications == studies[0].notifications + studies[1].notifications)
    #expect(studies[0].episodes > 0)
  }

  @Test func aProfileWithoutDosesHasNoDetector() {
    let other = Thresholds(version: "other", digest: "", metrics: [])
    #expect(DoseDetector("other", thresholds: other) == nil)
  }
}

/// Rules for doses by means and by evidence.
enum DoseRules {
  static let means = Thresholds(version: "means", digest: "", metrics: [metric])

  static let evidence: Thresholds = {
    var weighed = metric
    weighed.rules = []
    weighed.doses = DoseEvidenceSettings()
    return Thresholds(version: "evidence", digest: "", metrics: [weighed])
  }()

  private static let metric = MetricThresholds(
    metric: MetricType("dose_adherence_pct"), unit: "%", pattern: .drop, source: .adherence,
    rules: [MetricRule(.percentDropAtLeast, 0.2), MetricRule(.absoluteDropBelow, 80)])
}
