import Foundation
import ReferenceKernels
import ShippedThresholds
import TestSupport
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

/// Explanations of days of several metrics together, over random histories; a failure names its seed.
@Suite struct CombinedExplainerTests {
  private let thresholds: Thresholds

  init() throws {
    thresholds = try Thresholds(
      json: Data(#require(ShippedThresholds.named("v3-strict"))), file: "v3-strict.json",
      digest: "")
  }

  /// A random history with its metrics, in the order of its members.
  private struct History {
    var metrics: [MetricThresholds]
    var series: [ExplainedSeries]
    var days: ClosedRange<Day>
  }

  private func history(_ seed: Int) throws -> History {
    var random = SeededGenerator(seed: seed)
    let history = ReferenceCombined.randomCase(using: &random)
    func day(_ number: Int) -> Day { Day(ordinal: Int32(number)) }
    let days = day(history.days.lowerBound)...day(history.days.upperBound)
    let metrics = try history.members.map { member in
      try #require(
        thresholds.metrics.first { $0.metric.rawValue == member.twin.metric.name })
    }
    return History(
      metrics: metrics,
      series: history.members.map { member in
        var series = ExplainedSeries(
          firstDay: days.lowerBound, values: [], workouts: Set(history.workouts.map(day)))
        for (number, value) in member.series where number >= history.days.lowerBound {
          series[day(number)] = value
        }
        return series
      }, days: days)
  }

  private func isActive(_ episodes: [Episode], on day: Day) -> Bool {
    episodes.contains { episode in
      episode.openedOn <= day && (episode.resolution.map { $0.day > day } ?? true)
    }
  }

  /// The change of state that the figures lead to, by the rules of the specification.
  private func agrees(_ found: CombinedExplanation) -> Bool {
    if case .resolved(let reason) = found.change, reason != .recovered { return true }
    switch found.figures {
    case .evidence(let windows):
      let opens = windows.contains(where: \.decides)
      return found.before == nil && (found.change == .opened) == (opens && !isSuppressed(found))
    case .recovery(let day):
      let settings = CombinedSettings().recovery
      let isOver =
        day.hasValue && day.isEasing
        && (day.evidence >= settings.evidence || day.calmDays >= settings.calmDays)
      return (found.change == .resolved(.recovered)) == isOver
    case nil: return found.before == nil && found.change == .none
    }
  }

  private func isSuppressed(_ found: CombinedExplanation) -> Bool {
    guard found.isWorkoutDay, case .evidence(let windows)? = found.figures,
      let window = windows.first(where: \.decides)
    else { return false }
    return thresholds.metrics.contains {
      $0.isSuppressedOnWorkoutDays && window.contributing.contains($0.metric)
    }
  }

  @Test func theExplainedFiguresLeadToTheStateOfTheFold() throws {
    var changes: [String: Int] = [:]
    for seed in 0..<Repetitions.count(fast: 12, long: 300) {
      let history = try history(seed)
      guard let explainer = CombinedExplainer(history.metrics, of: thresholds) else { continue }
      let first = history.days.lowerBound
      // Every seventh day besides those around each opening and end.
      let whole = explainer.explain(
        history.series, stored: [], on: history.days.upperBound, from: first,
        looksForOpposite: false)
      var days = Set(stride(from: 30, to: history.days.count, by: 7).map { first + $0 })
      for episode in whole.episodes {
        for end in [episode.openedOn, episode.resolution?.day].compactMap(\.self) {
          days.formUnion([end - 1, end, end + 1].filter { history.days.contains($0) })
        }
      }
      for day in days.sorted() {
        let found = explainer.explain(
          history.series, stored: [], on: day, from: first, looksForOpposite: false)
        #expect(found.isActive == isActive(whole.episodes, on: day), "seed \(seed), \(day)")
        #expect(agrees(found), "seed \(seed), \(day): \(found.change)")
        changes["\(found.change)".prefix { $0 != "(" }.description, default: 0] += 1
      }
    }
    for change in ["none", "opened", "extended", "continued", "resolved"] {
      #expect(changes[change, default: 0] > 0, "\(change)")
    }
  }

  @Test func theOppositeIsTheLeastThatTurnsTheAnswer() throws {
    var found: [String: Int] = [:]
    for seed in 0..<Repetitions.count(fast: 12, long: 100) {
      let history = try history(seed)
      guard let explainer = CombinedExplainer(history.metrics, of: thresholds) else { continue }
      let first = history.days.lowerBound
      let whole = explainer.explain(
        history.series, stored: [], on: history.days.upperBound, from: first,
        looksForOpposite: false)
      for opened in whole.episodes.map(\.openedOn) {
        for day in [opened - 1, opened] {
          let explanation = explainer.explain(history.series, stored: [], on: day, from: first)
          switch explanation.opposite {
          case .valueAtMost(let metric, let limit)?:
            found[day == opened ? "calms" : "opens", default: 0] += 1
            try expectLimit(
              limit, beyond: 1, of: metric, turns: explanation, history, explainer, "seed \(seed)")
          case .valueAtLeast(let metric, let limit)?:
            found[day == opened ? "calms" : "opens", default: 0] += 1
            try expectLimit(
              limit, beyond: -1, of: metric, turns: explanation, history, explainer,
              "seed \(seed)")
          case .usualDays?: found["usual", default: 0] += 1
          case .daysLikeRecent?, .noWorkout?, nil: break
          }
          guard case .daysLikeRecent(let count)? = explanation.opposite else { continue }
          found["recent", default: 0] += 1
          var series = history.series
          let kept = day - first + 1
          for index in series.indices {
            series[index].values = Array(series[index].values.prefix(kept))
            let newest = series[index].values.filter { !$0.isNaN }.suffix(3)
            guard newest.count == 3 else { continue }
            for offset in 1...count {
              series[index][day + offset] = newest.reversed().reduce(0, +) / 3
            }
          }
          for offset in 1...count {
            let then = explainer.explain(
              series, stored: [], on: day + offset, from: first, looksForOpposite: false)
            #expect(then.isActive == (offset == count), "seed \(seed), \(day) + \(offset)")
          }
        }
      }
    }
    #expect(found["opens", default: 0] > 0 && found["calms", default: 0] > 0, "\(found)")
  }

  /// Decides again with the value that is said to turn the answer, and with a little less.
  private func expectLimit(
    _ limit: Double, beyond side: Double, of metric: MetricType,
    turns explanation: CombinedExplanation, _ history: History, _ explainer: CombinedExplainer,
    _ name: Comment
  ) throws {
    let index = try #require(history.metrics.firstIndex { $0.metric == metric })
    for (value, turns) in [(limit, true), (limit + side * 1e-6 * max(1, abs(limit)), false)] {
      var series = history.series
      series[index][explanation.day] = value
      let then = explainer.explain(
        series, stored: [], on: explanation.day, from: history.days.lowerBound,
        looksForOpposite: false)
      #expect((then.isActive != explanation.isActive) == turns, name)
    }
  }

  @Test func aProfileThatFollowsMetricsOneByOneHasNone() throws {
    let v2 = try Thresholds(
      json: Data(#require(ShippedThresholds.named("v2"))), file: "v2.json", digest: "")
    #expect(CombinedExplainer(v2.wearableMetrics, of: v2) == nil)
    #expect(CombinedExplainer([thresholds.metrics[0]], of: thresholds) == nil)
  }
}
