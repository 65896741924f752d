import Testing
import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

@testable import VigilBatch

@Suite struct RunPlanTests {
  private func scope(
    _ from: String, _ kind: RunRecord.Kind = .backfill, parts: Set<RunPart> = .all
  ) throws -> RunScope {
    let first = try #require(Day(from))
    let last = try #require(Day("2026-06-30"))
    return RunScope(
      kind: kind, days: first...last, mode: .shadow, parts: parts,
      thresholds: try BatchDatabase.thresholds("v2"), vitality: try BatchDatabase.vitality("v1"))
  }

  @Test(
    "a block stays within its memory, for any number of days",
    arguments: [("2026-06-30", 1024), ("2000-01-01", 32), ("0001-01-01", 1)])
  func blockSize(from: String, most: Int) throws {
    let scope = try scope(from)
    let columns = Set(scope.thresholds.wearableMetrics.map(\.metric))
    let plan = RunPlan(scope, availableMetrics: columns, followsAdherence: false)
    let window = scope.window.loaded
    let perPerson = (window.upperBound - window.lowerBound + 1) * plan.wearableMetrics.count
    #expect((1...most).contains(plan.personsPerBatch))
    #expect(plan.personsPerBatch == 1 || plan.personsPerBatch * perPerson <= 512 * 1024)
    #expect(
      RunPlan(scope, availableMetrics: columns, followsAdherence: true).personsPerBatch
        <= plan.personsPerBatch)
    #expect(
      RunPlan(scope, availableMetrics: columns, followsAdherence: false, batchSize: 7)
        .personsPerBatch == 7)
  }

  @Test("only metrics with a column are evaluated, and adherence is the last")
  func metrics() throws {
    let scope = try scope("2026-06-30")
    let adherence = try #require(scope.thresholds.adherenceMetric)
    let plan = RunPlan(
      scope, availableMetrics: [MetricType("steps")], followsAdherence: true)
    #expect(plan.own.metrics.map(\.metric) == [MetricType("steps"), adherence.metric])
    #expect(plan.isJudgedByMetricRows(MetricType("steps")))
    #expect(!plan.isJudgedByMetricRows(MetricType("resting_hr")))
    #expect(!plan.isJudgedByMetricRows(adherence.metric))
    let without = RunPlan(
      scope, availableMetrics: [MetricType("steps")], followsAdherence: false)
    #expect(without.own.metrics.map(\.metric) == [MetricType("steps")])
    #expect(without.adherenceMetric == nil)
  }

  @Test("a night compares the nights before, a backfill and a run without doses do not")
  func dayBefore() throws {
    func dayBefore(_ kind: RunRecord.Kind, _ parts: Set<RunPart>) throws -> Day? {
      try RunPlan(
        scope("2026-06-30", kind, parts: parts), availableMetrics: [], followsAdherence: true
      ).dayBefore?.days.upperBound
    }
    #expect(try dayBefore(.run, .all) == Day("2026-06-29"))
    #expect(try dayBefore(.run, [.patterns]) == nil)
    #expect(try dayBefore(.backfill, .all) == nil)
  }
}
