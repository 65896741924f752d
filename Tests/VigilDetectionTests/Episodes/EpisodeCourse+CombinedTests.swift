import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The results of judging an episode of several metrics again, compared with those of following it day by day.
@Suite struct EpisodeCourseCombinedTests {
  private static let first = Day(ordinal: 20_000)

  /// A person whose metrics are worse for some weeks, with gaps and workouts.
  private struct History {
    var values: [[Double]]
    var workouts: Set<Int> = []
    let metrics: [MetricThresholds]
    let thresholds: Thresholds

    init(seed: Int) throws {
      var random = SeededGenerator(seed: seed)
      var thresholds = try Profiles.named("v3")
      thresholds.nonWear = nil
      let metrics = try ["steps", "sleep_minutes", "resting_hr"].map { try thresholds.metric($0) }
      thresholds.metrics = metrics
      let worse = 100..<Int.random(in: 108...135, using: &random)
      values = metrics.map { metric in
        let levels: [String: Double] = ["steps": 9_000, "sleep_minutes": 420]
        let usual = levels[metric.metric.rawValue] ?? 60
        let change = metric.pattern == .drop ? 0.6 : 1.25
        let takesPart = metric.pattern == .drop || Bool.random(using: &random)
        return (0..<150).map { day -> Double in
          if Int.random(in: 0..<12, using: &random) == 0 { return .nan }
          let noise = Double.random(in: 0.85...1.15, using: &random)
          return usual * noise * (takesPart && worse.contains(day) ? change : 1)
        }
      }
      workouts = Set((100..<150).filter { _ in Int.random(in: 0..<10, using: &random) == 0 })
      self.metrics = metrics
      self.thresholds = thresholds
    }

    func episodes(through last: Int) -> [Episode] {
      let days = EpisodeCourseCombinedTests.first...(EpisodeCourseCombinedTests.first + last)
      let block = ObservationBlock(personCount: 1, metricCount: metrics.count, days: days)
      for metric in metrics.indices {
        for index in 0...last {
          block.series(person: 0, metric: metric)[index] = values[metric][index]
        }
      }
      for day in workouts where day <= last {
        block.addWorkout(person: 0, day: EpisodeCourseCombinedTests.first + day)
      }
      var result = FoldResult()
      BlockFold(thresholds: thresholds, metrics: metrics)
        .fold(block, over: FoldWindow(wholeHistory: days), into: &result)
      return result.episodes.filter { $0.series == metrics.count }.map(\.episode)
    }

    func course(of episode: Episode, through last: Int) -> EpisodeCourse? {
      let flat = values.flatMap { $0[...last] }
      let marks = (0...last).map { workouts.contains($0) ? 1 as UInt8 : 0 }
      return flat.withUnsafeBufferPointer { all in
        marks.withUnsafeBufferPointer { marks in
          EpisodeCourse(
            ofTogether: episode,
            in: metrics.indices.map { metric in
              UnsafeBufferPointer(rebasing: all[metric * (last + 1)..<(metric + 1) * (last + 1)])
            },
            of: metrics, from: EpisodeCourseCombinedTests.first, workouts: marks,
            through: EpisodeCourseCombinedTests.first + last, by: thresholds)
        }
      }
    }

    /// The worst value by a second way: of the days that count, the furthest from the frozen baseline.
    func worst(of episode: Episode, _ contribution: CombinedEvidence.Contribution) -> Double {
      guard let metric = metrics.firstIndex(where: { $0.metric == contribution.metric }) else {
        return 0
      }
      let isSuppressed = (episode.combined?.contributions ?? []).contains { contribution in
        metrics.contains { $0.metric == contribution.metric && $0.isSuppressedOnWorkoutDays }
      }
      var worst = 0.0
      var day = episode.activeSince
      while day <= episode.lastDeviating {
        defer { day = day + 1 }
        let index = day - EpisodeCourseCombinedTests.first
        if isSuppressed, workouts.contains(index) { continue }
        let change = values[metric][index] / contribution.baseline.value - 1
        let isBad = metrics[metric].pattern == .drop ? change < 0 : change > 0
        if isBad, abs(change) > worst { worst = abs(change) }
      }
      return worst
    }
  }

  @Test(arguments: 0..<Repetitions.count(fast: 6, long: 200))
  func agreesWithTheFold(seed: Int) throws {
    let history = try History(seed: seed + 9)
    var yesterday = history.episodes(through: 104)
    var judged = 0
    for last in 105..<150 {
      let today = history.episodes(through: last)
      for episode in yesterday {
        let course = try #require(history.course(of: episode, through: last - 1))
        judged += 1
        let combined = try #require(episode.combined)
        for contribution in combined.contributions {
          let found = abs(course.worstByMetric[contribution.metric]?.deviation ?? 0)
          let naive = history.worst(of: episode, contribution)
          // A value that is low and yet not bad on its weekday does not count.
          #expect(found <= naive + 1e-9)
          #expect(naive < 0.3 || abs(found - naive) < 1e-9, "\(contribution.metric)")
        }
        #expect(
          course.worst.map { abs($0.deviation) }
            == course.worstByMetric.values.map { abs($0.deviation) }.max())
        if let worst = course.worst, let metric = worst.metric {
          #expect(course.worstByMetric[metric] == worst)
          #expect((episode.activeSince...episode.lastDeviating).contains(worst.day))
        }
        guard episode.isActive else {
          #expect(course.wait == nil)
          continue
        }
        let isToday = episode.lastDeviating == Self.first + (last - 1)
        #expect((course.wait == nil) == isToday, "\(last)")
        if case .clean(let days, let needed) = course.wait { #expect((1..<needed).contains(days)) }
        if case .noData(let since) = course.wait {
          #expect(since > episode.lastDeviating && since <= Self.first + (last - 1))
        }
        let next = today.first { $0.activeSince == episode.activeSince }
        if next?.resolution?.reason == .noData {
          #expect(course.wait.map { if case .noData = $0 { true } else { false } } == true)
        }
      }
      yesterday = today
    }
    #expect(judged > 0 || seed % 2 == 1)
  }
}
