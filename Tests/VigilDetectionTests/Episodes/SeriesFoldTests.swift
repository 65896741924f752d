import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The parts that the fold adds to the state machine: notified levels, anchors and the reach of
/// runs.
@Suite struct SeriesFoldTests {
  private static let first = Day(ordinal: 20_000)

  /// Folds a whole history of steps.
  private func fold(_ history: SeriesNotation, under thresholds: Thresholds) throws -> FoldResult {
    let last = Self.first + (history.values.count - 1)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: Self.first...last)
    _ = block.series(person: 0, metric: 0).update(fromContentsOf: history.values)
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [try thresholds.metric("steps")]).fold(
      block, over: FoldWindow(wholeHistory: block.days), into: &result)
    return result
  }

  /// `activeSince resolved reason`, days counted from the first.
  private func summaries(_ result: FoldResult) -> [String] {
    result.episodes.map { folded in
      let episode = folded.episode
      let end = episode.resolution.map { "\($0.day - Self.first) \($0.reason.rawValue)" }
      return "\(episode.activeSince - Self.first) \(end ?? "active")"
    }
  }

  private func notifications(_ result: FoldResult) -> [String] {
    result.newLevels.map { "\($0.day - Self.first) \($0.level.rawValue)" }
  }

  @Test func aSupersedingEpisodeInheritsTheNotifiedLevel() throws {
    let history: SeriesNotation = "100x28 50x4 _ 50x7"
    let v1 = try fold(history, under: Profiles.named("v1"))
    #expect(summaries(v1) == ["27 35 superseded", "33 active"])
    // The second episode is silent until it passes the level that the first has notified.
    #expect(notifications(v1) == ["29 3", "39 7"])
    #expect(v1.newLevels.map(\.episode) == [0, 1])
    #expect(v1.episodes.map(\.reachedLevel) == [.day3, .day7])
    #expect(v1.episodes.map(\.continuesEarlier) == [false, true])
    let v2 = try fold(history, under: Profiles.named("v2"))
    #expect(summaries(v2) == ["27 active"])
    #expect(notifications(v2) == ["29 3", "35 7"])
  }

  @Test func aLastingDropFadesInV1AndEscalatesInV2() throws {
    let history: SeriesNotation = "100x28 60x40"
    let v1 = try fold(history, under: Profiles.named("v1"))
    #expect(!notifications(v1).contains { $0.hasSuffix(" 21") })
    let v2 = try fold(history, under: Profiles.named("v2"))
    #expect(summaries(v2) == ["27 active"])
    #expect(notifications(v2) == ["29 3", "33 7", "40 14", "47 21"])
    #expect(v2.episodes[0].episode.figures.baseline.value == 100)
  }

  @Test func aRunDoesNotReachBackPastAResolution() throws {
    // Days with a gap in their recent window are unknown, yet their values raise the rolling
    // baseline, so days 43 and 44 are clean against the anchor and deviate from the rolling one.
    let history: SeriesNotation = "100x28 50x3 _ 300 300 _ 300 300 _ 300 300 _ 100x6"
    let result = try fold(history, under: Profiles.named("v2"))
    #expect(summaries(result) == ["27 44 recovered", "43 active"])
    let second = try #require(result.episodes.last?.episode)
    #expect(second.activeSince == Self.first + 43)
    #expect(second.duration == 4)
  }

  /// The rows that a run over `days` leaves of a series that begins on the first day, after those that are stored.
  private func fold(
    _ values: [Double], workouts: Set<Int>, of metric: MetricThresholds,
    under thresholds: Thresholds, over days: ClosedRange<Day>, after stored: [Episode] = []
  ) -> [Episode] {
    let window = FoldWindow(evaluating: days, thresholds: thresholds)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: window.loaded)
    for (index, value) in values.enumerated() {
      guard window.loaded.contains(Self.first + index) else { continue }
      block.series(person: 0, metric: 0)[Self.first + index - window.loaded.lowerBound] = value
    }
    for day in workouts where window.loaded.contains(Self.first + day) {
      block.addWorkout(person: 0, day: Self.first + day)
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [metric]).fold(
      block, over: window, stored: stored.isEmpty ? [:] : [0: stored], into: &result)
    return result.episodes.map(\.episode)
  }

  /// The day that opens this episode deviates from its own baseline only.
  ///
  /// Workouts suppress the first days of the rise. Against the baseline of the first of them, with which the days after
  /// the opening are compared, that day is as usual.
  @Test func aNightResumesAnEpisodeThatOpenedOnItsEve() throws {
    let thresholds = try Profiles.named("v2")
    let metric = try thresholds.metric("resting_hr")
    let values: [Double] = [
      116, 142, 122, 96, 136, 100, 92, 110, 84, 118, 56, 56, 59, 64, 63, 73, 82, 76, 74, 63, 74,
      73, 60, 110, 81, 103, 97, 82, 79, 82, 100, 76, 109, 76, 100, 113, 71, 109, 64, 76, 84, 104,
    ]
    let workouts = Set(values.indices).subtracting([0, 2, 4, 6, 11, 13, 22, 28, 33, 35, 38])
    func night(_ day: Day, after stored: [Episode] = []) -> [Episode] {
      fold(
        values, workouts: workouts, of: metric, under: thresholds, over: day...day, after: stored)
    }
    let eve = Self.first + 27 + thresholds.warmupDays
    let stored = night(eve)
    #expect(stored.map { $0.activeSince - Self.first } == [23])
    #expect(stored.map(\.resolution) == [.init(day: Self.first + 39, reason: .recovered)])
    #expect(night(eve + 1, after: stored) == stored)
  }

  /// One fold a day, each of which resumes from the rows that the folds before it left, leaves the same as one fold.
  @Test(arguments: BlockFoldTests.profiles.map(\.name))
  func nightsLeaveTheSameAsOneFold(profile: String) throws {
    let thresholds = try #require(
      BlockFoldTests.profiles.first { $0.name == profile }?.thresholds)
    let nights = (Self.first + 110)...(Self.first + 169)
    let metrics = try ["resting_hr", "hrv_ms", "steps"].map { try thresholds.metric($0) }
    var resumed = 0
    for seed in 0..<Repetitions.count(fast: profile.contains(" ") ? 60 : 300, long: 3_000) {
      let metric = metrics[seed % metrics.count]
      let history = RandomSeries(seed: 500_000 + seed, days: 170)
      func fold(_ days: ClosedRange<Day>, after stored: [Episode] = []) -> [Episode] {
        self.fold(
          history.values, workouts: history.workouts, of: metric, under: thresholds, over: days,
          after: stored)
      }
      let whole = fold(nights)
      var rows: [Day: Episode] = [:]
      for night in nights {
        let stored = rows.values.sorted { $0.activeSince < $1.activeSince }
        let eve =
          FoldWindow(evaluating: night...night, thresholds: thresholds)
          .folded.lowerBound - 1
        if stored.contains(where: { ($0.activeSince..<$0.lastEvaluated).contains(eve) }) {
          resumed += 1
        }
        for episode in fold(night...night, after: stored) { rows[episode.activeSince] = episode }
      }
      #expect(
        rows.values.sorted { $0.activeSince < $1.activeSince } == whole,
        "seed \(seed), \(metric.metric): \(SeriesNotation(values: history.values))")
    }
    #expect(resumed > 100)
  }
}
