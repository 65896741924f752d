import VigilModel
import VigilWords

extension Words {
  /// The words of reports, in which a metric that an operator has added keeps the name of its column.
  static let ofReports = Words.english.naming { $0.words }
}

extension PageWords {
  /// The words of reports in English, with the same names.
  static let ofReports = PageWords.english.naming { $0.words }
}

extension PatternAlertState {
  /// The sentence about it, with its values.
  ///
  /// An example: `Resting heart rate: higher than usual for 17 days (11 % above the usual level: 66.7 bpm, usually 60)`.
  func sentence(_ limits: AlertLimits) -> String {
    medicationSentence ?? Words.ofReports.sentence(of: AlertSummary(self, limit: limits[self]))
  }

  /// The sentence about it, without its values: `Resting heart rate: higher than usual for 17 days`.
  func headline(_ limits: AlertLimits) -> String {
    medicationSentence ?? Words.ofReports.headline(of: AlertSummary(self, limit: limits[self]))
  }

  /// The sentence of an alert about a medication; nil for others.
  private var medicationSentence: String? {
    medicationWords.map { $0.prefix(1).uppercased() + $0.dropFirst() }
  }

  /// The sentence of an alert of silence in the middle of another: `no data for 5 days`; nil for others.
  var silenceWords: String? {
    series.pattern == .silence ? episode.silence(of: series.metric) : nil
  }
}

extension Episode {
  /// The silence in words: `no data for 5 days`.
  func silence(of metric: MetricType) -> String {
    let summary = AlertSummary(metric: metric, days: duration, change: .silence)
    let words = Words.ofReports.headline(of: summary)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}

extension DoseEvidence {
  /// The sentence of an episode with this evidence.
  func words(of episode: Episode) -> String {
    let summary = AlertSummary(episode, of: .doseAdherence, .drop)
    return Words.ofReports.sentence(of: summary)
  }
}
