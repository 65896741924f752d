import Foundation
import ReferenceKernels
import ShippedThresholds
import TestSupport
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

/// Explanations of every day of random histories; a failure names the seed from which it replays.
@Suite struct DecisionExplainerTests {
  private static let first = Day(ordinal: 20_000)
  private static let days = 150

  private func thresholds(_ name: String) throws -> Thresholds {
    try Thresholds(
      json: Data(#require(ShippedThresholds.named(name))), file: "\(name).json", digest: name)
  }

  /// Histories of one metric: nasty ones, and ones that are like real ones.
  private func series(_ seed: Int, _ metric: MetricThresholds) -> ExplainedSeries {
    var random = SeededGenerator(seed: seed)
    let nasty = RandomSeries(seed: seed, days: Self.days)
    var series = ExplainedSeries(
      firstDay: Self.first, values: nasty.values,
      workouts: Set(nasty.workouts.map { Self.first + $0 }))
    let twin = ReferenceEvidence.Metric.v3.first { $0.name == metric.metric.rawValue }
    if let twin, seed.isMultiple(of: 2) {
      let history = twin.randomCase(using: &random)
      let start = history.series.first?.day ?? 0
      series.values = Array(repeating: .nan, count: Self.days)
      for (day, value) in history.series where day - start < Self.days {
        series.values[day - start] = value
      }
    }
    return series
  }

  private func fold(
    _ series: ExplainedSeries, _ metric: MetricThresholds, under thresholds: Thresholds
  ) -> [Episode] {
    let days = series.firstDay...series.firstDay + (series.values.count - 1)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    _ = block.series(person: 0, metric: 0).update(fromContentsOf: series.values)
    for day in series.workouts { block.addWorkout(person: 0, day: day) }
    for change in series.deviceChanges { block.add(change, person: 0, metric: 0) }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [metric])
      .fold(block, over: FoldWindow(wholeHistory: days), into: &result)
    return result.episodes.map(\.episode)
  }

  @Test("says whose variation a change is within")
  func whoseVariation() throws {
    let thresholds = try thresholds("v3")
    let metric = try #require(thresholds.metrics.first { $0.metric.rawValue == "steps" })
    let same = Array(repeating: 8000.0, count: 81)
    let varied = (0..<81).map { day in 4000 + 800 * Double(day * 7 % 11) }
    for (values, isGeneral) in [(same, true), (varied, false)] {
      let fallen = Array(repeating: 5600.0, count: 5)
      let found = DecisionExplainer(metric, of: thresholds).explain(
        ExplainedSeries(firstDay: Self.first, values: values + fallen), on: Self.first + 82)
      #expect(found.usualRangeIsGeneral == isGeneral)
    }
  }

  /// The metrics that are judged by values; doses have a test of their own.
  private static func metrics(of thresholds: Thresholds) -> [MetricThresholds] {
    thresholds.metrics.filter { $0.doses == nil }
  }

  /// The change of state that the explained comparison leads to, by the rules of the specification.
  private func agrees(_ found: Explanation) -> Bool {
    let counts = [.extended, .superseded].contains(found.change) || found.change.isEscalation
    if found.change == .resolved(.rebased) || found.change == .resolved(.recalibrated) {
      return true
    }
    switch found.judgement {
    case .means(let means):
      let isActionable = means.evaluation.state == .deviating && !found.isSuppressed
      if found.before == nil { return (found.change == .opened) == isActionable }
      return counts == isActionable
    case .evidence(let day):
      let isActionable = day.state == .deviating && !found.isSuppressed
      return found.before == nil && (found.change == .opened) == isActionable
    case .recovery(let day):
      let hasValue = day.shift != nil
      return (found.change == .resolved(.recovered)) == (hasValue && day.isOver)
        && counts == (hasValue && !day.isEasing && !found.isSuppressed)
    // Doses have a test of their own.
    case .doses, .doseRecovery: return false
    }
  }

  /// Explains each day, and compares the states with those of a fold over the whole history.
  private func expectAgreement(
    _ series: ExplainedSeries, _ metric: MetricThresholds, under thresholds: Thresholds,
    _ name: String, _ changes: inout [Explanation.Change: Int]
  ) {
    let explainer = DecisionExplainer(metric, of: thresholds)
    let first = series.firstDay
    var before: Episode?
    var ended: [Episode] = []
    for index in 1..<series.values.count {
      let day = first + index
      let found = explainer.explain(series, on: day, from: first + 1, looksForOpposite: false)
      #expect(agrees(found), "\(name), \(day): \(found)")
      #expect(found.before == before, "\(name), \(day)")
      changes[found.change, default: 0] += 1
      if let after = found.after, !after.isActive { ended.append(after) }
      before = found.isActive ? found.after : nil
    }
    let expected = fold(series, metric, under: thresholds)
    #expect(before == expected.last(where: \.isActive), "\(name)")
    #expect(
      ended == expected.filter { $0.resolution.map { $0.reason != .superseded } ?? false },
      "\(name)")
  }

  /// The days of real people: some of their series, or all of them under `make test-nightly`.
  @Test(
    .enabled(
      if: SharedFolder.url("datasets/lifesnaps") != nil,
      "skipped: no folder ../shared/datasets/lifesnaps"),
    arguments: ["v1", "v2", "v3", "v3-strict"])
  func explanationsOfRealPeopleLeadToTheStateOfTheFold(profile: String) throws {
    let thresholds = try thresholds(profile)
    let people = try RealHistories(
      of: #require(SharedFolder.url("datasets/lifesnaps")), metrics: Self.metrics(of: thresholds))
    let step = Repetitions.count(fast: people.series.count / 12, long: 1)
    var changes: [Explanation.Change: Int] = [:]
    for index in stride(from: 3, to: people.series.count, by: step) {
      let (name, metric, series) = people.series[index]
      expectAgreement(series, metric, under: thresholds, name, &changes)
    }
    #expect(changes.values.reduce(0, +) > 500, "\(changes)")
    if profile == "v1" { #expect(changes[.opened, default: 0] > 0, "\(changes)") }
  }

  @Test(arguments: ["v1", "v2", "v3"])
  func theExplainedComparisonLeadsToTheStateOfTheFold(profile: String) throws {
    let thresholds = try thresholds(profile)
    var changes: [Explanation.Change: Int] = [:]
    for seed in 0..<Repetitions.count(fast: 40, long: 1000) {
      let metrics = Self.metrics(of: thresholds)
      let metric = metrics[seed / 2 % metrics.count]
      expectAgreement(
        series(seed, metric), metric, under: thresholds, "\(metric.metric) seed \(seed)", &changes)
    }
    #expect(
      changes[.opened, default: 0] > 10 && changes[.resolved(.recovered), default: 0] > 5,
      "\(changes)")
    #expect(changes[.continued, default: 0] > 20 && changes[.extended, default: 0] > 50)
  }

  /// Decides again with the input changed as the explanation says, and with a little less.
  @Test(arguments: ["v1", "v2", "v3"])
  func theOppositeIsTheLeastChangeThatTurnsTheAnswer(profile: String) throws {
    let thresholds = try thresholds(profile)
    var kinds: [String: Int] = [:]
    for seed in 0..<Repetitions.count(fast: 60, long: 1000) {
      let metrics = Self.metrics(of: thresholds)
      let metric = metrics[seed / 2 % metrics.count]
      var random = SeededGenerator(seed: 7000 + seed)
      var series = series(seed, metric)
      series.values.removeLast(Int.random(in: 0..<Self.days - 5, using: &random))
      let day = Self.first + (series.values.count - 1)
      let found = DecisionExplainer(metric, of: thresholds)
        .explain(series, on: day, from: Self.first + 1)
      func isActive(_ series: ExplainedSeries) -> Bool {
        fold(series, metric, under: thresholds).contains(where: \.isActive)
      }
      func longer(by days: Int, _ value: (Day) -> Double) -> ExplainedSeries {
        var longer = series
        for count in 0..<days { longer[day + count + 1] = value(day + count + 1) }
        return longer
      }
      #expect(isActive(series) == found.isActive, "seed \(seed)")
      let comment: Comment = "\(metric.metric) seed \(seed): \(found)"
      switch found.opposite {
      case .valueAtMost(let value):
        kinds["value", default: 0] += 1
        var changed = series
        changed[day] = value
        #expect(isActive(changed) != found.isActive, comment)
        changed[day] = value + 1e-6 * max(1, abs(value))
        #expect(isActive(changed) == found.isActive, comment)
      case .valueAtLeast(let value):
        kinds["value", default: 0] += 1
        var changed = series
        changed[day] = value
        #expect(isActive(changed) != found.isActive, comment)
        changed[day] = value - 1e-6 * max(1, abs(value))
        #expect(isActive(changed) == found.isActive, comment)
      case .noWorkout:
        kinds["workout", default: 0] += 1
        var changed = series
        changed.workouts.remove(day)
        #expect(isActive(changed) && found.isSuppressed, comment)
      case .daysLikeRecent(let days, let value):
        kinds["days", default: 0] += 1
        #expect(isActive(longer(by: days) { _ in value }), comment)
        #expect(!isActive(longer(by: days - 1) { _ in value }), comment)
      case .usualDays(let days):
        kinds["usual", default: 0] += 1
        let episode = try #require(found.after)
        let usual: (Day) -> Double = { day in
          guard let anchor = episode.evidence?.anchor, let prior = metric.evidence else {
            return episode.figures.baseline.value
          }
          return prior.usualValue(of: day, in: anchor)
        }
        #expect(!isActive(longer(by: days, usual)), comment)
        #expect(isActive(longer(by: days - 1, usual)), comment)
      case .daysWithValue(let days):
        kinds["judged", default: 0] += 1
        #expect(found.judgement.isUnknown && days > 0, comment)
      case .daysTaken, .daysMissed: Issue.record("an opposite of doses")
      case nil:
        kinds["none", default: 0] += 1
      }
    }
    let found = ["value", "usual", "days"].reduce(0) { $0 + kinds[$1, default: 0] }
    #expect(found > 5 && kinds["judged", default: 0] > 5, "\(kinds)")
  }

  @Test func aRuleSaysByHowMuchItMatchedOrMissed() {
    let drop = RuleMargin(
      MetricRule(.percentDropAtLeast, 0.25), base: 8000, recent: 7000, isMatched: false)
    #expect(drop.actual == 0.125 && drop.margin == -0.125)
    let below = RuleMargin(
      MetricRule(.absoluteDropBelow, 85), base: 90, recent: 80, isMatched: true)
    #expect(below.actual == 80 && below.margin == 5)
    let rise = RuleMargin(
      MetricRule(.absoluteRiseAtLeast, 5), base: 60, recent: 68, isMatched: true)
    #expect(rise.actual == 8 && rise.margin == 3)
    let noBase = RuleMargin(
      MetricRule(.percentRiseAtLeast, 0.1), base: 0, recent: 68, isMatched: false)
    #expect(noBase.actual == nil && noBase.margin == nil)
  }

  /// Twelve days of a history lie before the days that are followed; the stored row stands for them.
  @Test func storedEpisodesSayWhatWasActiveBefore() throws {
    let thresholds = try thresholds("v3")
    let metric = try #require(thresholds.metrics.first { $0.metric.rawValue == "steps" })
    let values = (0..<200).map { (day: Int) -> Double in
      let level = day < 140 ? 8000 : 3500
      return Double(level + day * 37 % 11 * 40)
    }
    var series = ExplainedSeries(firstDay: Self.first, values: values)
    let day = Self.first + 199
    let whole = DecisionExplainer(metric, of: thresholds)
      .explain(series, on: day, from: Self.first + 1)
    let episode = try #require(whole.after)
    #expect(episode.level == .day21)
    series.stored = [episode]
    let resumed = DecisionExplainer(metric, of: thresholds).explain(series, on: day)
    #expect(resumed == whole)
  }
}

extension Explanation.Change {
  fileprivate var isEscalation: Bool {
    if case .escalated = self { return true }
    return false
  }
}
