import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel

extension SeriesStrip {
  /// The strip of an explained series, as `vigil explain` and `vigil report` draw it.
  ///
  /// - Parameters:
  ///   - explanation: That of the last day that is drawn.
  ///   - series: The explained series.
  ///   - observed: The rows behind it.
  ///   - days: The days to draw.
  init(
    of explanation: Explanation, _ series: ExplainedSeries, _ observed: [ObservedDay],
    on days: ClosedRange<Day>
  ) {
    let rows = Dictionary(uniqueKeysWithValues: observed.map { ($0.day, $0.rows) })
    func reading(_ day: Day) -> Reading {
      let value = series[day]
      if !value.isNaN { return .value(value) }
      guard let rows = rows[day] else { return .noRow }
      if rows.contains(where: { $0.rejected == .nonWear }) { return .notWorn }
      return rows.contains { $0.rejected == .partWorn } ? .partWorn : .implausible
    }
    let metric = explanation.metric
    self.init(
      label: String(metric.metric.rawValue.map { $0 == "_" ? " " : $0 }), unit: metric.unit,
      days: days, readings: days.map(reading),
      earlier: (1...6).reversed().map { reading(days.lowerBound - $0) },
      workouts: metric.isSuppressedOnWorkoutDays ? series.workouts : [],
      episodes: explanation.episodes.filter { episode in
        episode.resolution.map { $0.day >= days.lowerBound } ?? true
      }.map { episode in
        Span(
          episode, metric.pattern,
          band: episode.evidence.flatMap { metric.evidence?.usualRange(in: $0.anchor) })
      },
      marks: series.deviceChanges.filter { $0.recognizedOn <= explanation.day }
        .map { Mark(.deviceChange, on: $0.recognizedOn) })
    switch explanation.judgement {
    case .means(let means):
      usual = means.evaluation.figures.map { Usual(value: $0.baseline.value) }
    case .evidence(let day):
      usual = day.figures.map { figures in
        Usual(value: figures.baseline.value, band: metric.evidence?.usualRange(in: figures.anchor))
      }
    case .doses(let day): usual = day.figures.map { Usual(value: $0.baseline.value) }
    case .recovery, .doseRecovery: break
    }
  }

  /// The episodes that touch the days of the strip.
  var shownEpisodes: [Span] {
    episodes.filter { span in
      span.activeSince <= days.upperBound
        && span.resolvedOn.map { $0 >= days.lowerBound } ?? true
    }
  }

  /// Adds an episode of several metrics, unless the metric has one of its own at the time.
  mutating func add(_ span: Span) {
    let isKnown = episodes.contains { own in
      own.activeSince <= (span.resolvedOn ?? days.upperBound)
        && span.activeSince <= (own.resolvedOn ?? days.upperBound)
    }
    guard !isKnown else { return }
    episodes.append(span)
    episodes.sort { $0.activeSince < $1.activeSince }
  }
}
