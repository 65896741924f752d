import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

@Suite struct BlockFoldTests {
  /// The shipped profiles and variations of every setting that has no fixture.
  static let profiles: [(name: String, thresholds: Thresholds)] = {
    var list: [(String, Thresholds)] = []
    for name in ["v1", "v2"] {
      guard let base = try? Profiles.named(name) else { continue }
      list.append((name, base))
      var median = base
      median.baseline.statistic = .median
      list.append(("\(name) with median", median))
      var short = base
      short.recentDays = 2
      short.baseline.maxDays = 10
      short.baseline.minDays = 2
      short.baseline.minTotalDays = 15
      short.horizonDays = 30
      short.recovery.within = 0.1
      short.recovery.cleanDays = [.day3: 1, .day7: 2, .day14: 4, .day21: 5]
      list.append(("\(name) with short windows", short))
      var mixed = base
      mixed.baseline.mode = base.baseline.mode == .rolling ? .anchored : .rolling
      mixed.baseline.rebaseAfterDays = mixed.baseline.mode == .anchored ? 20 : nil
      mixed.episode.maxUnknownDays = 5
      list.append(("\(name) with the other baseline mode", mixed))
    }
    return list
  }()

  static let first = Day(ordinal: 20_000)
  static let days = 170

  /// Folds the days from 100 on of many random series and compares with the slow twin.
  @Test(arguments: profiles.map(\.name))
  func agreesWithReference(profile: String) throws {
    let thresholds = try #require(Self.profiles.first { $0.name == profile }?.thresholds)
    let metrics = thresholds.wearableMetrics
    var block = ObservationBlock(
      personCount: 0, metricCount: metrics.count, days: Self.first...Self.first)
    let notifying = (Self.first + 110)...(Self.first + Self.days - 1)
    let window = FoldWindow(evaluating: notifying, thresholds: thresholds)
    // The shipped profiles get more than a thousand series, their variations some hundred.
    let persons = profile.contains(" ") ? 40 : 150
    block = ObservationBlock(
      personCount: persons, metricCount: metrics.count, days: window.loaded)
    var histories: [RandomSeries] = []
    for series in 0..<persons * metrics.count {
      let history = RandomSeries(seed: series, days: Self.days)
      histories.append(history)
      let target = block.series(person: series / metrics.count, metric: series % metrics.count)
      for (index, value) in history.values.enumerated() {
        let day = Self.first + index
        if window.loaded.contains(day) { target[day - window.loaded.lowerBound] = value }
      }
    }
    for person in 0..<persons {
      for day in histories[person * metrics.count].workouts {
        block.addWorkout(person: person, day: Self.first + day)
      }
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: metrics).fold(block, over: window, into: &result)

    var total = 0
    for series in 0..<persons * metrics.count {
      let person = series / metrics.count
      let reference = ReferenceEpisodes(
        histories[series].byDay(from: Self.first).filter { window.loaded.contains($0.key) },
        workouts: Set(histories[person * metrics.count].workouts.map { Self.first + $0 }),
        metric: metrics[series % metrics.count], thresholds: thresholds,
        from: window.folded.lowerBound, notifyingFrom: notifying.lowerBound,
        to: notifying.upperBound)
      let found = result.episodes.filter { $0.series == series }
      let notes = result.newLevels.filter { result.episodes[$0.episode].series == series }
      let label: Comment =
        "series \(series), \(metrics[series % metrics.count].metric): \(SeriesNotation(values: histories[series].values))"
      #expect(found.map(Summary.init) == reference.episodes.map(Summary.init), label)
      #expect(
        notes.map { "\($0.day) \($0.level)" }
          == reference.notifications.map { "\($0.day) \($0.level)" }, label)
      total += found.count
    }
    #expect(total > 150)
  }

  @Test("an anchored episode that restarts after a long gap keeps its older baseline")
  func restartsWithoutHistory() throws {
    var thresholds = try Profiles.named("v2")
    thresholds.episode.onInterruption = .restart
    thresholds.episode.maxUnknownDays = nil
    thresholds.baseline.rebaseAfterDays = nil
    let values: SeriesNotation = "8000x30 4000x5 _x70 4000x4"
    let days = Self.first...(Self.first + values.values.count - 1)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    for (index, value) in values.values.enumerated() {
      block.series(person: 0, metric: 0)[index] = value
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [try thresholds.metric("steps")])
      .fold(block, over: FoldWindow(wholeHistory: days), into: &result)
    #expect(result.episodes.map(\.episode.resolution?.reason) == [.superseded, nil])
    #expect(result.episodes.map(\.episode.figures.baseline.value) == [8000, 8000])
  }

  /// The values on which two implementations must agree; figures to twelve digits.
  struct Summary: Equatable {
    var text: String
    init(_ folded: FoldedEpisode) {
      let episode = folded.episode
      text = Self.text(
        episode.activeSince, episode.lastEvaluated, episode.duration, episode.level,
        episode.resolution?.day, episode.resolution?.reason.rawValue, folded.reachedLevel,
        episode.figures.baseline.value, episode.figures.recent.value, episode.figures.deviation)
    }
    init(_ found: ReferenceEpisodes.Found) {
      text = Self.text(
        found.activeSince, found.lastEvaluated, found.duration, found.level, found.resolvedOn,
        found.reason, found.notifiedLevel, found.baseline, found.recent, found.deviation)
    }
    private static func text(
      _ since: Day, _ evaluated: Day, _ duration: Int, _ level: AlertLevel, _ resolved: Day?,
      _ reason: String?, _ notified: AlertLevel?, _ baseline: Double?, _ recent: Double?,
      _ deviation: Double?
    ) -> String {
      func digits(_ value: Double?) -> String {
        value.map { "\(($0 * 1e9).rounded() / 1e9)" } ?? "none"
      }
      return
        "\(since) \(evaluated) \(duration) \(level.rawValue) \(resolved?.description ?? "active")"
        + " \(reason ?? "") \(notified?.rawValue ?? 0) \(digits(baseline)) \(digits(recent))"
        + " \(digits(deviation))"
    }
  }
}
