import Testing
import VigilAnalysis
import VigilDetection
import VigilLaboratory
import VigilModel

@testable import vigil_quality

@Suite struct DoseChangeStudyTests {
  @Test func evidenceFindsAStopOnTheThirdDay() async throws {
    var metric = MetricThresholds(
      metric: MetricType("dose_adherence_pct"), unit: "%", pattern: .drop, source: .adherence,
      rules: [])
    metric.doses = DoseEvidenceSettings()
    let detector = try #require(
      DoseDetector(
        "evidence", thresholds: Thresholds(version: "evidence", digest: "", metrics: [metric])))
    let stopped = await DoseCorpus(
      DoseHabit.Kind.never.habit, seed: 11, people: 300..<400, dayCount: 280,
      change: { DoseChange(onset: 200 + $0 % 28, length: 28, missedShare: 1) })
    let found = await DoseChangeStudy(stopped, detector: detector).delays
    #expect(found.count == 100)
    #expect(found.found >= 99)
    // A planned pause may put it off.
    #expect(found.median.estimate == 3)
  }
}
