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
    return SeriesStrip(
      of: explanation, series, on: (day - (days - 1))...day,
      label: explanation.metricType.words, unit: explanation.metricType.unitBesideName,
      marks: stored.notifications.marks(evaluated))
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
