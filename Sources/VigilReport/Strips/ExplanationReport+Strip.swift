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
  ///   - evaluated: By run, its last evaluated day.
  public func strip(
    of series: ExplainedSeries, days: Int = 60, evaluated: [UUID: Day] = [:]
  ) -> SeriesStrip {
    let day = explanation.day
    let shown = (day - (days - 1))...day
    let rows = Dictionary(uniqueKeysWithValues: observed.map { ($0.day, $0.rows) })
    func reading(_ day: Day) -> SeriesStrip.Reading {
      let value = series[day]
      if !value.isNaN { return .value(value) }
      guard let rows = rows[day] else { return .noRow }
      if rows.contains(where: { $0.rejected == .nonWear }) { return .notWorn }
      return rows.contains { $0.rejected == .partWorn } ? .partWorn : .implausible
    }
    let metric = explanation.metric
    var strip = SeriesStrip(
      label: metric.metric.words, unit: metric.metric.unitBesideName, days: shown,
      readings: (0..<days).map { reading(shown.lowerBound + $0) },
      earlier: (1...6).reversed().map { reading(shown.lowerBound - $0) },
      workouts: metric.isSuppressedOnWorkoutDays ? series.workouts : [],
      episodes: explanation.episodes.filter { episode in
        (episode.resolution?.day ?? day) >= shown.lowerBound
      }.map { episode in
        SeriesStrip.Span(
          episode, metric.pattern, band: episode.evidence.flatMap { band(of: $0.anchor) })
      },
      marks: series.deviceChanges.filter { $0.recognizedOn <= day }
        .map { SeriesStrip.Mark(.deviceChange, on: $0.recognizedOn) }
        + notifications.marks(evaluated))
    strip.usual = usual
    return strip
  }

  private func band(of anchor: EvidenceAnchor) -> ClosedRange<Double>? {
    explanation.metric.evidence?.usualRange(in: anchor)
  }

  private var usual: SeriesStrip.Usual? {
    switch explanation.judgement {
    case .means(let means):
      means.evaluation.figures.map { SeriesStrip.Usual(value: $0.baseline.value) }
    case .evidence(let day):
      day.figures.map { figures in
        SeriesStrip.Usual(value: figures.baseline.value, band: band(of: figures.anchor))
      }
    case .doses(let day): day.figures.map { SeriesStrip.Usual(value: $0.baseline.value) }
    case .recovery, .doseRecovery: nil
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
