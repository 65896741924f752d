import VigilModel

extension PatternAlertState {
  /// The words of an alert about a medication: `a dose that was due on 2026-06-03 has no record that it was taken`; nil
  /// for others.
  var medicationWords: String? {
    guard series.medication != nil else { return nil }
    if let doses = episode.doses {
      return doses.wordsOfStreak(since: episode.activeSince, until: episode.resolution?.day)
    }
    if series.metric == .missedDose {
      let has = episode.isActive ? "has" : "had"
      return "a dose that was due on \(episode.activeSince) \(has) no record that it was taken"
    }
    return "\(series.metric.words) for \(NumberText.count(episode.duration, "day"))"
  }
}
