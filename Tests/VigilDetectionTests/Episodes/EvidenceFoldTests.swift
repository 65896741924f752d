import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The fold, which leaves out what cannot matter, against a twin that computes every day in full.
@Suite struct EvidenceFoldTests {
  /// Cases of 7 metrics for each seed.
  static let seeds = 0..<Repetitions.count(fast: 90, long: 1200)

  /// The part of an episode that is compared; the figures of the twin are sums in another order.
  private struct Course: Equatable, CustomStringConvertible {
    var activeSince, openedOn: Int
    var resolvedOn: Int?
    var reason: String?
    var duration, level, window: Int
    var levelDays: [Int: Int]

    var description: String {
      "\(activeSince) \(openedOn) \(resolvedOn ?? 0) \(reason ?? "-") \(duration) \(level) \(window)"
    }

    init(_ episode: ReferenceEvidenceEpisode) {
      (activeSince, openedOn, resolvedOn) = (
        episode.activeSince, episode.openedOn, episode.resolvedOn
      )
      (reason, duration, level) = (episode.reason, episode.duration, episode.level)
      (window, levelDays) = (episode.window.k, episode.levelDays)
    }

    init(_ result: FoldResult, at index: Int) {
      func number(_ day: Day) -> Int { Int(day.ordinal) }
      let episode = result.episodes[index].episode
      (activeSince, duration) = (number(episode.activeSince), episode.duration)
      openedOn = episode.evidence.map { number($0.openedOn) } ?? 0
      resolvedOn = episode.resolution.map { number($0.day) }
      reason = episode.resolution?.reason.rawValue
      (level, window) = (episode.level.rawValue, episode.evidence?.windowDays ?? 0)
      // Notifications are due on the first day of each level.
      levelDays = Dictionary(
        uniqueKeysWithValues: result.newLevels.filter { $0.episode == index }
          .map { ($0.level.rawValue, number($0.day)) })
    }
  }

  /// - Parameter days: The days to fold; nil for all days of the case.
  private func fold(
    _ random: ReferenceEvidenceCase, of metric: MetricThresholds,
    over days: ClosedRange<Day>? = nil, stored: [Episode] = []
  ) throws -> FoldResult {
    var thresholds = try Profiles.named("v3")
    thresholds.metrics = [metric]
    thresholds.nonWear = nil
    // Then the first folded day is the first to fold.
    thresholds.warmupDays = 1
    let window = FoldWindow(evaluating: days ?? Self.days(of: random), thresholds: thresholds)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: window.loaded)
    let builder = ObservationBuilder(block: block, metrics: [metric], thresholds: thresholds)
    for (day, value) in random.series where window.loaded.contains(Day(ordinal: Int32(day))) {
      let sources = random.sources[day] ?? []
      for source in sources.isEmpty ? ["watch"] : sources.sorted() {
        withUnsafePointer(to: value) {
          builder.append(
            person: 0, day: Day(ordinal: Int32(day)), source: builder.index(ofSource: source),
            values: UnsafeBufferPointer(start: $0, count: 1), isOtherPositive: false, updatedAt: nil
          )
        }
      }
    }
    builder.finish()
    for day in random.workouts where window.loaded.contains(Day(ordinal: Int32(day))) {
      block.addWorkout(person: 0, day: Day(ordinal: Int32(day)))
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [metric]).fold(
      block, over: window, stored: stored.isEmpty ? [:] : [0: stored], into: &result)
    return result
  }

  private static func days(of random: ReferenceEvidenceCase) -> ClosedRange<Day> {
    Day(ordinal: Int32(random.days.lowerBound))...Day(ordinal: Int32(random.days.upperBound))
  }

  /// A metric of v3 and a case of it.
  private static func random(
    of twin: ReferenceEvidence.Metric, in thresholds: Thresholds,
    using random: inout SeededGenerator
  ) throws -> (metric: MetricThresholds, history: ReferenceEvidenceCase) {
    let history = twin.randomCase(using: &random)
    var metric = try thresholds.metric(twin.name)
    metric.plausible = nil
    return (metric, history)
  }

  @Test func theFoldFindsWhatTheTwinFinds() throws {
    let thresholds = try Profiles.named("v3")
    var (cases, reasons) = (0, [String: Int]())
    for seed in Self.seeds {
      for (index, twin) in ReferenceEvidence.Metric.v3.enumerated() {
        var random = SeededGenerator(seed: seed * 7 + index)
        let (metric, history) = try Self.random(of: twin, in: thresholds, using: &random)
        let found = try fold(history, of: metric)
        let expected = ReferenceEvidence(metric: twin).episodes(
          days: history.days, series: history.series, sources: history.sources,
          workouts: history.workouts)
        let label: Comment = "seed \(seed), \(twin.name): \(history.events)"
        #expect(
          found.episodes.indices.map { Course(found, at: $0) } == expected.map(Course.init), label)
        for (folded, expected) in zip(found.episodes, expected) {
          let evidence = try #require(folded.episode.evidence)
          for (value, reference) in [
            (evidence.z, expected.window.z), (evidence.threshold, expected.threshold),
            (evidence.anchor.mean, expected.anchor.mean),
            (evidence.anchor.spread, expected.anchor.spread),
            (evidence.anchor.autocorrelation, expected.anchor.autocorrelation),
            (evidence.anchor.noise, expected.anchor.noise),
            (folded.episode.figures.baseline.value, expected.anchor.value),
            (folded.episode.figures.recent.value, expected.window.recent),
          ] {
            #expect(abs(value - reference) <= 1e-9 * max(1, abs(reference)), label)
          }
          reasons[expected.reason ?? "active", default: 0] += 1
        }
        cases += 1
      }
    }
    #expect(cases >= 600)
    for reason in ["recovered", "no_data", "rebased", "recalibrated", "active"] {
      #expect(reasons[reason, default: 0] >= 5, "\(reason)")
    }
  }

  /// The window of the next episode begins after the day on which one ended, also where its days still count.
  @Test(arguments: 0...3)
  func noWindowReachesBackToTheEndOfARebasedEpisode(delay: Int) throws {
    let thresholds = try Profiles.named("v3")
    let twin = try #require(ReferenceEvidence.Metric.v3.first { $0.name == "resting_hr" })
    var metric = try thresholds.metric(twin.name)
    metric.plausible = nil
    var random = SeededGenerator(seed: 300_000)
    let noise = (0..<400).map { _ in Double.random(in: -1.5...1.5, using: &random) }
    func history(risingAgain day: Int?) -> ReferenceEvidenceCase {
      let values = noise.indices.map { index in
        let level = index < 120 ? 60.0 : day.map { index < $0 } ?? true ? 72 : 90
        return (day: 19_000 + index, value: level + noise[index])
      }
      return ReferenceEvidenceCase(
        metric: twin.name, days: 19_000...19_399, series: values,
        sources: Dictionary(uniqueKeysWithValues: values.map { ($0.day, ["watch"]) }))
    }
    let first = try fold(history(risingAgain: nil), of: metric)
    let rebased = try #require(
      first.episodes.compactMap(\.episode.resolution).first { $0.reason == .rebased })
    let again = history(risingAgain: Int(rebased.day.ordinal) - 19_000 - 2 + delay)
    let found = try fold(again, of: metric)
    let expected = ReferenceEvidence(metric: twin).episodes(
      days: again.days, series: again.series, sources: again.sources, workouts: [])
    #expect(found.episodes.indices.map { Course(found, at: $0) } == expected.map(Course.init))
    #expect(expected.count == 2 && expected[0].reason == "rebased")
    #expect(expected.last.map { $0.activeSince > Int(rebased.day.ordinal) } == true)
  }

  /// Folds in two parts, of which the second resumes from the rows of the first, leave the same as one fold.
  @Test func aFoldThatResumesOnAnyDayLeavesTheSame() throws {
    let thresholds = try Profiles.named("v3")
    var resumed = 0
    for seed in Self.seeds {
      let twin = ReferenceEvidence.Metric.v3[seed % ReferenceEvidence.Metric.v3.count]
      var random = SeededGenerator(seed: 200_000 + seed)
      let (metric, history) = try Self.random(of: twin, in: thresholds, using: &random)
      let days = Self.days(of: history)
      let whole = try fold(history, of: metric)
      // Where there is an episode, half of the cuts are in one.
      let active = whole.episodes.map(\.episode).filter { $0.duration > 1 }.randomElement(
        using: &random)
      var cut =
        days.lowerBound
        + Int.random(
          in: 0..<(days.upperBound - days.lowerBound), using: &random)
      if let opened = active?.evidence?.openedOn, Bool.random(using: &random) {
        cut = min(opened + Int.random(in: 0...10, using: &random), days.upperBound - 1)
      }
      let before = try fold(history, of: metric, over: days.lowerBound...cut)
      let after = try fold(
        history, of: metric, over: (cut + 1)...days.upperBound,
        stored: before.episodes.map(\.episode))
      var rows: [Day: Episode] = [:]
      for folded in before.episodes + after.episodes {
        rows[folded.episode.activeSince] = folded.episode
      }
      #expect(
        rows.values.sorted { $0.activeSince < $1.activeSince } == whole.episodes.map(\.episode),
        "seed \(seed), \(twin.name), cut \(cut)")
      if before.episodes.last?.episode.isActive == true { resumed += 1 }
    }
    #expect(resumed >= 15)
  }
}
