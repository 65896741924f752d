import VigilModel

/// One sentence on the alerts of a person.
struct AttentionSentence {
  private let alerts: [PatternAlertState]
  private let limits: AlertLimits

  /// - Parameters:
  ///   - alerts: At least one, as `ranked`.
  ///   - limits: Those of their profile.
  init(_ alerts: [PatternAlertState], limits: AlertLimits) {
    self.alerts = alerts
    self.limits = limits
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
  /// An example: `Resting heart rate: higher than usual for 17 days (11 % above the usual level: 66.7 bpm, usually
  /// 60); also sleep.`
  var text: String {
    guard let first = alerts.first else { return "" }
    let rest = others(than: first).map(\.words)
    let others = rest.isEmpty ? "" : "; also \(rest.joined(separator: ", "))"
    return "\(first.sentence(limits))\(others)."
  }

  /// The metrics of the further alerts, each once, without those that the first alert names.
  private func others(than first: PatternAlertState) -> [MetricType] {
    var named = Set(first.metrics)
    return alerts.dropFirst().flatMap(\.metrics).filter { named.insert($0).inserted }
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
