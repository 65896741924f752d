import VigilModel

/// A change of doses that is looked for.
enum DoseFinding: Hashable, Sendable {
  /// Fewer of the doses of a person are taken than usual (specification, evidence-doses.md sections 3 to 5).
  case fewer
  /// No dose of a medication is taken any more (specification, evidence-doses.md section 7).
  case stop
}

extension DoseJudge {
  /// Whether an observation may be part of the change.
  func belongs(_ observation: DoseSeries.Observation) -> Bool {
    switch finding {
    case .fewer: true
    case .stop: observation.missed == observation.expected
    }
  }

  /// Whether the observation at `last` can be the newest one of a window, by itself and those just before it.
  ///
  /// A baseline costs more than this, and on most days no window is possible.
  func mayOpen(on last: Int, of series: DoseSeries) -> Bool {
    switch finding {
    case .fewer: return series.observations[last].missed > 0
    case .stop:
      let fewest = max(settings.doses.windows.lowerBound, settings.doses.missedDays)
      return last + 1 >= fewest
        && series.observations[last + 1 - fewest...last].allSatisfy(belongs)
    }
  }

  /// The place of the first observation of an episode that opens with a window.
  ///
  /// - Parameters:
  ///   - window: The window that decides.
  ///   - lowest: The first place that counts.
  func beginning(of window: DoseWindow, in series: DoseSeries, from lowest: Int) -> Int {
    guard finding == .stop else { return window.first }
    var first = window.first
    while first > lowest, belongs(series.observations[first - 1]) { first -= 1 }
    return first
  }
}
