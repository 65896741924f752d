public import Foundation
public import VigilAnalysis
public import VigilCharts
import VigilDetection
public import VigilModel
import VigilStorage

extension ExplanationReport {
  /// The last days of the explained series, to be drawn.
  ///
  /// - Parameters:
  ///   - series: The series that was explained.
  ///   - days: The number of days.
  ///   - notified: Days with notifications in the queue, and whether one of them was not withheld.
  public func strip(
    of series: ExplainedSeries, days: Int = 60, notified: [Day: Bool] = [:]
  ) -> SeriesStrip {
    let day = explanation.day
    let shown = (day - (days - 1))...day
    let rows = Dictionary(uniqueKeysWithValues: observed.map { ($0.day, $0.rows) })
    func reading(_ day: Day) -> SeriesStrip.Reading {
      let value = series[day]
      if !value.isNaN { return .value(value) }
      guard let rows = rows[day] else { return .noRow }
      return rows.contains { $0.rejected == .nonWear } ? .notWorn : .implausible
    }
    let metric = explanation.metric
    var strip = SeriesStrip(
      label: metric.metric.words, unit: metric.metric.unitBesideName, days: shown,
      readings: (0..<days).map { reading(shown.lowerBound + $0) },
      earlier: (1...6).reversed().map { reading(shown.lowerBound - $0) },
      workouts: metric.isSuppressedOnWorkoutDays ? series.workouts : [],
      episodes: explanation.episodes.filter { episode in
        (episode.resolution?.day ?? day) >= shown.lowerBound
      }.map { span(of: $0) },
      marks: series.deviceChanges.filter { $0.recognizedOn <= day }
        .map { SeriesStrip.Mark(.deviceChange, on: $0.recognizedOn) }
        + notified.map { SeriesStrip.Mark($0.value ? .sent : .withheld, on: $0.key) }
        .sorted { $0.day < $1.day })
    strip.usual = usual
    return strip
  }

  /// The days with notifications in the queue, and whether one of them was not withheld.
  ///
  /// - Parameter evaluated: By run, its last evaluated day.
  public func notified(_ evaluated: [UUID: Day]) -> [Day: Bool] {
    var days: [Day: Bool] = [:]
    for row in notifications {
      guard let day = evaluated[row.runID] else { continue }
      days[day] = days[day] ?? false || row.status != .skipped
    }
    return days
  }

  private func span(of episode: Episode) -> SeriesStrip.Span {
    let opened =
      episode.evidence?.openedOn ?? min(episode.activeSince + 2, episode.lastDeviating)
    var levels = [
      SeriesStrip.LevelStep(AlertLevel(duration: opened - episode.activeSince + 1), on: opened)
    ]
    for level in AlertLevel.allCases where level > levels[0].level && level <= episode.level {
      levels.append(.init(level, on: episode.activeSince + (level.rawValue - 1)))
    }
    let base = episode.figures.baseline.value
    return SeriesStrip.Span(
      activeSince: episode.activeSince, openedOn: opened, resolvedOn: episode.resolution?.day,
      pattern: explanation.metric.pattern, levels: levels,
      usual: .init(value: base, band: episode.evidence.flatMap { band(of: $0.anchor) }))
  }

  /// One personal spread to each side of the mean, whatever the day of the week.
  private func band(of anchor: EvidenceAnchor) -> ClosedRange<Double>? {
    guard let evidence = explanation.metric.evidence else { return nil }
    var level = anchor
    level.weekdays = .zero
    return EvidenceEvaluator(explanation.metric, evidence, EvidenceSettings())
      .usualRange(of: explanation.day, in: level)
  }

  private var usual: SeriesStrip.Usual? {
    switch explanation.judgement {
    case .means(let means):
      means.evaluation.figures.map { SeriesStrip.Usual(value: $0.baseline.value) }
    case .evidence(let day):
      day.figures.map { figures in
        SeriesStrip.Usual(value: figures.baseline.value, band: band(of: figures.anchor))
      }
    case .recovery: nil
    }
  }
}

extension ScoreExplanationReport {
  /// Stored scores of the 60 days up to `day`, to be drawn.
  ///
  /// - Parameters:
  ///   - history: Scores of one person.
  ///   - pillar: Nil for the total.
  ///   - day: The last day.
  public static func strip(
    of history: [VitalityScore], pillar: Pillar?, through day: Day
  ) -> SeriesStrip {
    let byDay = Dictionary(history.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
    func reading(_ day: Day) -> SeriesStrip.Reading {
      guard let row = byDay[day] else { return .noRow }
      let score: Int? =
        switch pillar {
        case nil: row.total
        case .sleep: row.sleep
        case .movement: row.movement
        case .stress: row.stress
        case .adherence: nil
        }
      return score.map { .value(Double($0)) } ?? .noValue
    }
    let shown = (day - 59)...day
    return SeriesStrip(
      label: "\(pillar?.rawValue ?? "total") score", unit: "", days: shown,
      readings: (0..<60).map { reading(shown.lowerBound + $0) },
      earlier: (1...6).reversed().map { reading(shown.lowerBound - $0) })
  }
}
