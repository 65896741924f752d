import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The fold of the metrics together, which leaves out what cannot matter, against a twin that computes every day in
/// full.
@Suite struct CombinedTwinTests {
  static let seeds = 0..<Repetitions.count(fast: 80, long: 1000)

  /// The part of an episode that is compared exactly; the figures of the twin are sums in another order.
  private struct Course: Equatable {
    var activeSince, openedOn: Int
    var resolvedOn: Int?
    var reason: String?
    var duration, level, window: Int
    var levelDays: [Int: Int]
    var contributing: [String]
    var unchanged: [String]

    init(_ episode: ReferenceCombined.Episode, of twin: ReferenceCombined) {
      func name(_ member: Int) -> String { twin.members[member].twin.metric.name }
      (activeSince, openedOn, resolvedOn) = (
        episode.activeSince, episode.openedOn, episode.resolvedOn
      )
      (reason, duration, level) = (episode.reason, episode.duration, episode.level)
      (window, levelDays) = (episode.window, episode.levelDays)
      contributing = episode.contributions.map { name($0.member) }
      unchanged = episode.unchanged.map(name)
    }

    init(_ result: FoldResult, at index: Int) {
      func number(_ day: Day) -> Int { Int(day.ordinal) }
      let episode = result.episodes[index].episode
      (activeSince, duration) = (number(episode.activeSince), episode.duration)
      openedOn = number(episode.openedOn)
      resolvedOn = episode.resolution.map { number($0.day) }
      reason = episode.resolution?.reason.rawValue
      (level, window) = (episode.level.rawValue, episode.combined?.windowDays ?? 0)
      levelDays = Dictionary(
        uniqueKeysWithValues: result.newLevels.filter { $0.episode == index }
          .map { ($0.level.rawValue, number($0.day)) })
      contributing = episode.combined?.contributions.map(\.metric.rawValue) ?? []
      unchanged = episode.combined?.unchanged.map(\.rawValue) ?? []
    }
  }

  private func thresholds(_ history: ReferenceCombinedCase) throws -> Thresholds {
    var thresholds = try Profiles.named("v3")
    thresholds.combined = CombinedSettings()
    thresholds.nonWear = nil
    // Then the first folded day is the first of the case.
    thresholds.warmupDays = 1
    thresholds.metrics = try history.members.map { member in
      var metric = try thresholds.metric(member.twin.metric.name)
      metric.plausible = nil
      return metric
    }
    return thresholds
  }

  private func fold(_ history: ReferenceCombinedCase) throws -> [Int: FoldResult] {
    let thresholds = try thresholds(history)
    let days =
      Day(ordinal: Int32(history.days.lowerBound))...Day(ordinal: Int32(history.days.upperBound))
    let window = FoldWindow(evaluating: days, thresholds: thresholds)
    let metrics = thresholds.metrics
    let block = ObservationBlock(
      personCount: 1, metricCount: metrics.count, days: window.loaded)
    let builder = ObservationBuilder(block: block, metrics: metrics, thresholds: thresholds)
    for (place, member) in history.members.enumerated() {
      for (day, value) in member.series {
        var row = [Double](repeating: .nan, count: metrics.count)
        row[place] = value
        let sources = member.sources[day] ?? ["watch"]
        for source in sources.sorted() {
          row.withUnsafeBufferPointer {
            builder.append(
              person: 0, day: Day(ordinal: Int32(day)), source: builder.index(ofSource: source),
              values: $0, isOtherPositive: false, updatedAt: nil)
          }
        }
      }
    }
    builder.finish()
    for day in history.workouts { block.addWorkout(person: 0, day: Day(ordinal: Int32(day))) }
    let fold = BlockFold(thresholds: thresholds, metrics: metrics)
    var result = FoldResult()
    fold.fold(block, over: window, into: &result)
    return [fold.seriesPerPerson: result]
  }

  @Test func theFoldFindsWhatTheTwinFinds() throws {
    var reasons: [String: Int] = [:]
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let history = ReferenceCombined.randomCase(using: &random)
      let twin = ReferenceCombined(members: history.members)
      let expected = twin.episodes(days: history.days, workouts: history.workouts)
      let (count, result) = try #require(fold(history).first)
      let label: Comment = "seed \(seed): \(history.events)"
      let own = result.episodes.indices.filter {
        result.episodes[$0].series == history.members.count
      }
      #expect(count == history.members.count + 1 || expected.isEmpty, label)
      #expect(
        own.map { Course(result, at: $0) } == expected.map { Course($0, of: twin) }, label)
      for (index, expected) in zip(own, expected) {
        let found = try #require(result.episodes[index].episode.combined)
        var pairs = [
          (found.evidence, expected.evidence), (found.threshold, expected.threshold),
        ]
        for (metric, expected) in zip(found.contributions, expected.contributions) {
          pairs += [
            (metric.z, expected.z), (metric.shift, expected.shift),
            (metric.recent.value, expected.recent),
            (metric.baseline.value, expected.baseline.value),
            (metric.anchor.mean, expected.baseline.mean),
            (metric.anchor.spread, expected.baseline.spread),
            (metric.anchor.autocorrelation, expected.baseline.autocorrelation),
            (metric.anchor.noise, expected.baseline.noise),
          ]
        }
        for (value, reference) in pairs {
          #expect(abs(value - reference) <= 1e-9 * max(1, abs(reference)), label)
        }
        reasons[expected.reason ?? "active", default: 0] += 1
      }
    }
    for reason in ["recovered", "no_data", "rebased", "recalibrated", "active"] {
      #expect(reasons[reason, default: 0] >= 1, "\(reason) of \(reasons)")
    }
  }
}
