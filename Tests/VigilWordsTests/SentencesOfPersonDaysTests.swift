import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilDetection
import VigilModel

@testable import VigilWords

/// On each day of each person, what is said of the alerts that are active on it is what the figures show.
@Suite struct SentencesOfPersonDaysTests {
  private static let profiles = ["v1", "v2", "v3"]

  @Test(arguments: profiles)
  func theSample(profile: String) throws {
    try expectTrueSentences(
      of: SharedFolder.repository.appending(path: "datasets/sample/wearable_daily_metrics.csv"),
      by: profile)
  }

  @Test(
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)),
    arguments: profiles)
  func lifeSnaps(profile: String) throws {
    try expectTrueSentences(
      of: #require(SharedFolder.url("datasets/lifesnaps/wearable_daily_metrics.csv")), by: profile)
  }

  /// Adherence that falls and rises around the absolute limit.
  @Test(arguments: ["v1", "v2"])
  func randomAdherence(profile: String) throws {
    let thresholds = try thresholds(profile)
    let metric = try #require(thresholds.metrics.first { $0.metric == .doseAdherence })
    let first = try #require(Day("2026-01-01"))
    var said: Set<String> = []
    for seed in 1...Repetitions.count(fast: 40, long: 2000) {
      var generator = SeededGenerator(seed: seed)
      var (level, values) = (Double.random(in: 0...100, using: &generator), [Double]())
      for _ in 0..<60 {
        if Int.random(in: 0..<12, using: &generator) == 0 {
          level = Double.random(in: 0...100, using: &generator)
        }
        let value = level + Double.random(in: -25...25, using: &generator)
        values.append((min(100, max(0, value)) / 25).rounded() * 25)
      }
      let fold = BlockFold(thresholds: thresholds, metrics: [metric])
      let adherence = ObservationBlock(personCount: 1, metricCount: 1, days: first...first + 59)
      for (day, value) in values.enumerated() {
        adherence.series(person: 0, metric: 0)[day] = value
      }
      for last in first + 8...first + 59 {
        let days = first...last
        let block = ObservationBlock(personCount: 1, metricCount: 0, days: days)
        let known = ObservationBlock(personCount: 1, metricCount: 1, days: days)
        for day in 0..<block.dayCount {
          known.series(person: 0, metric: 0)[day] = adherence.series(person: 0, metric: 0)[day]
        }
        var result = FoldResult()
        fold.fold(
          block, adherence: known, over: FoldWindow(wholeHistory: days), into: &result)
        said.formUnion(
          try expectTrue(result, on: last, metrics: [metric], seriesPerPerson: 1) { _, day in
            values.indices.contains(day - first) ? values[day - first] : nil
          })
      }
    }
    #expect(said.isSuperset(of: ["lower", "below"]))
  }

  private func thresholds(_ profile: String) throws -> Thresholds {
    let file = try #require(ShippedThresholds.named(profile))
    return try Thresholds(json: Data(file), file: profile, digest: "")
  }

  // MARK: Person-days

  private func expectTrueSentences(of file: URL, by profile: String) throws {
    let thresholds = try thresholds(profile)
    let table = try MetricTable(file)
    let metrics = thresholds.wearableMetrics.filter { table.values.keys.contains($0.metric) }
    let fold = BlockFold(thresholds: thresholds, metrics: metrics)
    let block = ObservationBlock(
      personCount: table.persons.count, metricCount: metrics.count, days: table.days)
    var said: Set<String> = []
    for last in table.days.lowerBound + 6...table.days.upperBound {
      let days = table.days.lowerBound...last
      block.reset(personCount: table.persons.count, days: days)
      for person in table.persons.indices {
        for (index, metric) in metrics.enumerated() {
          let series = block.series(person: person, metric: index)
          for (day, value) in table.values[metric.metric]?[person] ?? [:]
          where day <= last && metric.plausible?.contains(value) ?? true {
            series[day - days.lowerBound] = value
          }
        }
      }
      var result = FoldResult()
      fold.fold(block, over: FoldWindow(wholeHistory: days), into: &result)
      let place = metrics.count + (thresholds.combined == nil ? 0 : 1)
      said.formUnion(
        try expectTrue(result, on: last, metrics: metrics, seriesPerPerson: place) { series, day in
          let (person, metric) = (series / place, series % place)
          let value = table.values[metrics[metric].metric]?[person]?[day]
          return value.flatMap { metrics[metric].plausible?.contains($0) ?? true ? $0 : nil }
        })
    }
    #expect(said.isSuperset(of: profile == "v3" ? ["lower"] : ["lower", "higher"]))
  }

  /// Holds what is said of the active episodes against the values.
  ///
  /// - Parameters:
  ///   - result: The episodes as they are at the end of a day.
  ///   - last: The day.
  ///   - metrics: Those of the series.
  ///   - place: The number of series of a person; of several metrics together there is one more.
  ///   - value: The value of a series on a day.
  /// - Returns: What was said.
  private func expectTrue(
    _ result: FoldResult, on last: Day, metrics: [MetricThresholds], seriesPerPerson place: Int,
    value: (_ series: Int, _ day: Day) -> Double?
  ) throws -> Set<String> {
    var said: Set<String> = []
    for folded in result.episodes where folded.episode.isActive {
      let episode = folded.episode
      let isTogether = episode.combined != nil
      let series =
        metrics.indices.contains(folded.series % place)
        ? metrics[folded.series % place] : nil
      let summary = AlertSummary(
        episode, of: isTogether ? .combined : try #require(series).metric,
        isTogether ? .worse : try #require(series).pattern, limit: series?.limit)
      // The days from the first one to the last that deviated, one by one.
      #expect(summary.days == (episode.activeSince...episode.lastDeviating).count)
      #expect(episode.lastDeviating <= last)
      for note in result.levels
      where result.episodes[note.episode] == folded && note.day == last {
        #expect(note.duration == summary.days)
      }
      let texts = texts(of: summary)
      if isTogether {
        said.insert("together")
        #expect(texts[0].contains(": together worse than usual for "))
        continue
      }
      let (recent, usual) = (episode.figures.recent, episode.figures.baseline)
      let values = (recent.start...recent.end).compactMap { value(folded.series, $0) }
      #expect(values.count == recent.count)
      let mean = values.reduce(0, +) / Double(values.count)
      #expect(abs(mean - recent.value) <= 1e-6 * max(1, abs(mean)))
      switch summary.change {
      case .value(.lower, _):
        said.insert("lower")
        #expect(mean < usual.value, "\(texts[0])")
      case .value(.higher, _):
        said.insert("higher")
        #expect(mean > usual.value, "\(texts[0])")
      case .value(.below(let limit), _):
        said.insert("below")
        #expect(
          mean < limit && (mean >= usual.value || mean > usual.value * 0.95), "\(texts[0])")
      default: Issue.record("\(texts[0])")
      }
    }
    return said
  }

  /// The sentence in each language, which says the days and the side that the summary has.
  private func texts(of summary: AlertSummary) -> [String] {
    Self.languages.map { language in
      let text = language.words.headline(of: summary)
      let days = summary.days == 1 ? language.day : "\(summary.days) \(language.days)"
      #expect(text.contains(days))
      let isLower = if case .value(.lower, _) = summary.change { true } else { false }
      let isHigher = if case .value(.higher, _) = summary.change { true } else { false }
      #expect(text.contains(language.lower) == isLower)
      #expect(text.contains(language.higher) == isHigher)
      return text
    }
  }

  private struct Language {
    var words: Words
    var day, days, lower, higher: String
  }

  private static let languages = [
    Language(
      words: .shipped("en"), day: "1 day", days: "days", lower: "lower than usual",
      higher: "higher than usual"),
    Language(
      words: .shipped("de"), day: "1 Tag", days: "Tagen", lower: "niedriger als sonst",
      higher: "höher als sonst"),
    Language(
      words: .shipped("es"), day: "1 día", days: "días", lower: "por debajo de lo habitual",
      higher: "por encima de lo habitual"),
  ]
}
