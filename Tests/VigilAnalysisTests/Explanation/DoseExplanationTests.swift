import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

/// Explanations of missed doses agree with the fold, and their opposites hold.
@Suite struct DoseExplanationTests {
  private static let first = Day(ordinal: 20_000)

  private let metric: MetricThresholds
  private let thresholds: Thresholds

  init() {
    var metric = MetricThresholds(
      metric: MetricType("dose_adherence_pct"), unit: "%", pattern: .drop, source: .adherence,
      rules: [])
    metric.doses = DoseEvidenceSettings()
    self.metric = metric
    thresholds = Thresholds(version: "test", digest: "", metrics: [metric])
  }

  /// 60 days with both doses taken, six with both missed, and some with both taken again.
  private func series(days: Int) -> ExplainedSeries {
    let missed = 60..<66
    var series = ExplainedSeries(
      firstDay: Self.first, values: (0..<days).map { missed.contains($0) ? 0 : 100 })
    series.doses = (0..<days).map {
      DoseCounts(expected: 2, missed: missed.contains($0) ? 2 : 0, inferred: 0)
    }
    return series
  }

  private func explanation(onDay day: Int) -> Explanation {
    DecisionExplainer(metric, of: thresholds).explain(
      series(days: day + 1), on: Self.first + day, from: Self.first)
  }

  @Test func eachDaySaysWhatTheFoldDid() throws {
    for day in 1..<75 {
      let found = explanation(onDay: day)
      switch found.judgement {
      case .doses(let judged):
        #expect((judged.state == .deviating) == (found.change == .opened), "\(day)")
      case .doseRecovery(let recovery):
        #expect(recovery.isOver == (found.change == .resolved(.recovered)), "\(day)")
      case .means, .evidence, .recovery: Issue.record("day \(day)")
      }
    }
    #expect(explanation(onDay: 61).change == .none)
    #expect(explanation(onDay: 62).change == .opened)
    #expect(explanation(onDay: 62).after?.activeSince == Self.first + 60)
    #expect(explanation(onDay: 65).change == .extended)
  }

  @Test func theOppositeIsDaysOfDosesTakenOrMissed() throws {
    #expect(explanation(onDay: 59).opposite == .daysMissed(3))
    guard case .daysTaken(let days)? = explanation(onDay: 62).opposite else {
      Issue.record("no opposite")
      return
    }
    #expect((2...7).contains(days))
  }

  @Test func silentDaysAreNoMisses() throws {
    var silent = series(days: 66)
    for day in 60..<66 {
      silent.doses[day].inferred = 2
      silent.unrecorded.insert(Self.first + day)
    }
    let found = DecisionExplainer(metric, of: thresholds).explain(
      silent, on: Self.first + 65, from: Self.first)
    #expect(found.change == .none && found.judgement.isUnknown)
    #expect(found.judgement.unknownReason == "no_value")
  }
}
