import VigilModel

/// One sentence on the alerts of a person.
struct AttentionSentence {
  private let alerts: [PatternAlertState]

  /// - Parameter alerts: At least one, as `ranked`.
  init(_ alerts: [PatternAlertState]) {
    self.alerts = alerts
  }

  /// The highest level first, then the longest.
  static func ranked(_ alerts: [PatternAlertState]) -> [PatternAlertState] {
    alerts.sorted {
      ($1.episode.level.rawValue, $1.episode.duration, $0.series)
        < ($0.episode.level.rawValue, $0.episode.duration, $1.series)
    }
  }

  /// The sentence.
  ///
  /// An example: `Resting heart rate is 11 % higher than usual for 17 days (66.7 instead of 60 bpm); also
  /// sleep.`
  var text: String {
    guard let first = alerts.first else { return "" }
    let rest = others(than: first).map(\.words)
    let others = rest.isEmpty ? "" : "; also \(rest.joined(separator: ", "))"
    if let words = first.medicationWords { return "\(words.firstCapitalised)\(others)." }
    if let silence = first.silenceWords { return "\(silence.firstCapitalised)\(others)." }
    if let doses = first.episode.doses {
      let words = doses.words(since: first.episode.activeSince)
      return "\(words.firstCapitalised)\(others)."
    }
    if let combined = first.episode.combined {
      return "\(combined.metricsInWords.firstCapitalised) are \(Self.change(of: first))\(others)."
    }
    return "\(first.series.metric.words.firstCapitalised) is \(Self.change(of: first))\(others)."
  }

  /// The metrics of the further alerts, each once, without those that the first alert names.
  private func others(than first: PatternAlertState) -> [MetricType] {
    var named = Set(first.metrics)
    return alerts.dropFirst().flatMap(\.metrics).filter { named.insert($0).inserted }
  }

  /// Returns the change in words.
  ///
  /// An example: `11 % higher than usual for 17 days (66.7 instead of 60 bpm)`.
  static func change(of alert: PatternAlertState) -> String {
    if alert.episode.combined != nil {
      return "together worse than usual for \(NumberText.count(alert.episode.duration, "day"))"
    }
    if let doses = alert.episode.doses { return doses.words(since: alert.episode.activeSince) }
    let figures = alert.episode.figures
    let side = alert.series.pattern == .drop ? "lower" : "higher"
    let size =
      figures.deviation.map { NumberText.change(abs($0)) + " " }?
      .replacing("+", with: "") ?? ""
    let unit = alert.series.metric.unit.isEmpty ? "" : " \(alert.series.metric.unit)"
    return "\(size)\(side) than usual for \(NumberText.count(alert.episode.duration, "day"))"
      + " (\(NumberText.value(figures.recent.value)) instead of"
      + " \(NumberText.value(figures.baseline.value))\(unit))"
  }
}

extension PatternAlertState {
  /// Its metric, or the contributing ones of an alert of several together.
  var metrics: [MetricType] {
    episode.combined?.contributions.map(\.metric) ?? [series.metric]
  }
}

extension String {
  var firstCapitalised: String { prefix(1).uppercased() + dropFirst() }
}
