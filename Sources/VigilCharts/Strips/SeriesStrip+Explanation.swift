public import VigilAnalysis
import VigilDetection
public import VigilModel

extension SeriesStrip {
  /// The days of an explained series, to be drawn.
  ///
  /// - Parameters:
  ///   - explanation: That of the last day that is drawn.
  ///   - series: The explained series.
  ///   - days: The days to draw.
  ///   - label: The series in words.
  ///   - unit: The unit beside its values; empty where it is not known.
  ///   - marks: The events of the days besides changes of the device.
  public init(
    of explanation: Explanation, _ series: ExplainedSeries, on days: ClosedRange<Day>,
    label: String, unit: String, marks: [Mark] = []
  ) {
    let rows = Dictionary(uniqueKeysWithValues: explanation.observed.map { ($0.day, $0.rows) })
    func reading(_ day: Day) -> Reading {
      let value = series[day]
      if !value.isNaN { return .value(value) }
      guard let rows = rows[day] else { return .noRow }
      if rows.contains(where: { $0.rejected == .nonWear }) { return .notWorn }
      return rows.contains { $0.rejected == .partWorn } ? .partWorn : .implausible
    }
    let metric = explanation.metric
    func band(of anchor: EvidenceAnchor) -> ClosedRange<Double>? {
      metric.evidence?.usualRange(in: anchor)
    }
    self.init(
      label: label, unit: unit, days: days, readings: days.map(reading),
      earlier: (1...6).reversed().map { reading(days.lowerBound - $0) },
      workouts: metric.isSuppressedOnWorkoutDays ? series.workouts : [],
      episodes: explanation.episodes.filter { episode in
        episode.resolution.map { $0.day >= days.lowerBound } ?? true
      }.map { Span($0, metric.pattern, band: $0.evidence.flatMap { band(of: $0.anchor) }) },
      marks: series.deviceChanges.filter { $0.recognizedOn <= explanation.day }
        .map { Mark(.deviceChange, on: $0.recognizedOn) } + marks)
    switch explanation.judgement {
    case .means(let means):
      usual = means.evaluation.figures.map { Usual(value: $0.baseline.value) }
    case .evidence(let day):
      usual = day.figures.map { Usual(value: $0.baseline.value, band: band(of: $0.anchor)) }
    case .doses(let day): usual = day.figures.map { Usual(value: $0.baseline.value) }
    case .recovery, .doseRecovery: break
    }
  }
}
