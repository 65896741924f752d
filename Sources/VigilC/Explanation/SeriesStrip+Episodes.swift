import VigilCharts

extension SeriesStrip {
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
