import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The results of judging an episode again, compared with those of following it day by day.
@Suite struct EpisodeCourseTests {
  private static let first = Day(ordinal: 20_000)

  /// One series from its first value to one of its days.
  private struct History {
    var values: [Double]
    var workouts: Set<Int> = []
    let metric: MetricThresholds
    let thresholds: Thresholds

    func episodes(through last: Int) -> [Episode] {
      let days = EpisodeCourseTests.first...(EpisodeCourseTests.first + last)
      let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
      let target = block.series(person: 0, metric: 0)
      for index in 0...last { target[index] = values[index] }
      for day in workouts where day <= last {
        block.addWorkout(person: 0, day: EpisodeCourseTests.first + day)
      }
      var result = FoldResult()
      BlockFold(thresholds: thresholds, metrics: [metric])
        .fold(block, over: FoldWindow(wholeHistory: days), into: &result)
      return result.episodes.map(\.episode)
    }

    func course(of episode: Episode, through last: Int) -> EpisodeCourse? {
      let marks = (0..<values.count).map { workouts.contains($0) ? 1 as UInt8 : 0 }
      return values[...last].withContiguousStorageIfAvailable { series in
        marks.withUnsafeBufferPointer { marks in
          EpisodeCourse(
            of: episode, in: UnsafeBufferPointer(rebasing: series[...]),
            from: EpisodeCourseTests.first, workouts: workouts.isEmpty ? nil : marks,
            through: EpisodeCourseTests.first + last, by: metric, of: thresholds)
        }
      } ?? nil
    }
  }

  private func steps(_ profile: String, _ values: [Double]) throws -> History {
    let thresholds = try Profiles.named(profile)
    let metric = try #require(thresholds.metrics.first { $0.metric == MetricType("steps") })
    return History(values: values, metric: metric, thresholds: thresholds)
  }

  /// Six weeks as usual, five days at less than half, and what comes after.
  private func dropped(_ profile: String, then rest: [Double]) throws -> (EpisodeCourse?, Episode) {
    let values = Array(repeating: 8000.0, count: 42) + [3800, 3200, 3000, 3500, 3600] + rest
    let history = try steps(profile, values)
    let episode = try #require(history.episodes(through: values.count - 1).last)
    return (history.course(of: episode, through: values.count - 1), episode)
  }

  @Test(arguments: ["v1", "v2"])
  func deviatingDayWaitsForNothing(profile: String) throws {
    let (course, episode) = try dropped(profile, then: [])
    #expect(episode.isActive && episode.lastDeviating == Self.first + 46)
    #expect(course?.wait == nil)
    // The recent window of the last day but one holds the three lowest values.
    let deviation = try #require(course?.worst?.deviation)
    #expect(course?.worst?.day == Self.first + 45 && deviation < -0.55 && deviation > -0.62)
  }

  @Test func daysLikeBeforeAreCounted() throws {
    // The recent window of three days has to be back near the baseline.
    let (course, episode) = try dropped("v2", then: [8000, 8000, 8000])
    #expect(episode.isActive)
    #expect(course?.wait == .clean(days: 1, needed: 2))
    let (halfway, _) = try dropped("v2", then: [8000, 8000, 6000])
    #expect(halfway?.wait == .clean(days: 0, needed: 2))
  }

  @Test(arguments: ["v1", "v2"])
  func daysWithoutAValueAreNamed(profile: String) throws {
    let missing = Double.nan
    let (silent, _) = try dropped(profile, then: [missing, missing, missing])
    #expect(silent?.wait == .noData(since: Self.first + 47))
    let (patchy, _) = try dropped(profile, then: [missing, 8000, missing, 8000])
    #expect(patchy?.wait == .gaps(since: Self.first + 47))
  }

  @Test func workoutsAreNamed() throws {
    let thresholds = try Profiles.named("v2")
    let metric = try #require(thresholds.metrics.first { $0.isSuppressedOnWorkoutDays })
    let rises = metric.pattern == .rise
    let values =
      Array(repeating: 60.0, count: 42) + Array(repeating: rises ? 90.0 : 30, count: 8)
    let history = History(
      values: values, workouts: [48, 49], metric: metric, thresholds: thresholds)
    let episode = try #require(history.episodes(through: 49).last)
    #expect(episode.isActive && episode.lastDeviating == Self.first + 47)
    #expect(
      history.course(of: episode, through: 49)?.wait == .workouts(since: Self.first + 48))
  }

  @Test func nothingIsSaidOfASeriesWithoutValues() throws {
    let (_, episode) = try dropped("v2", then: [])
    let empty = try steps("v2", Array(repeating: .nan, count: 60))
    #expect(empty.course(of: episode, through: 59) == nil)
  }

  /// An episode that ends on a day was waiting for it the day before, and the last day of a row is no
  /// worse than the worst.
  @Test(arguments: ["v1", "v2"], 0..<Repetitions.count(fast: 60, long: 600))
  func agreesWithTheFold(profile: String, seed: Int) throws {
    let thresholds = try Profiles.named(profile)
    let metrics = thresholds.wearableMetrics
    let random = RandomSeries(seed: seed, days: 150)
    let history = History(
      values: random.values, workouts: random.workouts, metric: metrics[seed % metrics.count],
      thresholds: thresholds)
    var yesterday = history.episodes(through: 99)
    for last in 100..<150 {
      let today = history.episodes(through: last)
      for episode in yesterday where episode.isActive {
        let course = try #require(history.course(of: episode, through: last - 1))
        let worst = course.worst.map { abs($0.deviation) } ?? 0
        #expect(worst >= abs(episode.figures.deviation ?? 0) - 1e-12)
        if case .clean(let days, let needed) = course.wait { #expect(days < needed) }
        let next = today.first { $0.activeSince == episode.activeSince }
        switch next?.resolution?.reason {
        case .recovered?:
          let needed = thresholds.recovery.cleanDays(at: episode.level)
          #expect(course.wait == .clean(days: needed - 1, needed: needed))
        case .noData?:
          #expect([.data, .gaps].contains(Kind(course.wait)))
        default: break
        }
      }
      yesterday = today
    }
  }

  private enum Kind {
    case data, gaps, other

    init(_ wait: EpisodeCourse.Wait?) {
      switch wait {
      case .noData: self = .data
      case .gaps: self = .gaps
      default: self = .other
      }
    }
  }
}
