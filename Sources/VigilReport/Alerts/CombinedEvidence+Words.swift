import VigilModel

extension CombinedEvidence {
  /// The lines about it where one alert is shown: each metric with what is usual and what is now.
  var pairs: [(String, String)] {
    contributions.enumerated().map { place, metric in
      (place == 0 ? "Metrics" : "", text(of: metric))
    } + [
      ("Not changed", unchanged.isEmpty ? "–" : unchanged.map(\.words).joined(separator: ", ")),
      ("Opened", openedOn.description),
      (
        "Evidence",
        "\(EpisodeEvidence.text(evidence)) over \(NumberText.count(windowDays, "day")),"
          + " \(EpisodeEvidence.text(threshold)) needed of \(metricsTakingPart) metrics"
      ),
    ]
  }

  /// The window and the evidence with its threshold: `4 days: 4.10 (needs 3.70)`.
  var shortText: String {
    "\(NumberText.count(windowDays, "day")): \(EpisodeEvidence.text(evidence))"
      + " (needs \(EpisodeEvidence.text(threshold)))"
  }

  private func text(of metric: Contribution) -> String {
    let name = metric.metric.words
    let unit = metric.metric.unitBesideName
    let values = [metric.recent.value, metric.baseline.value].map {
      metric.metric.isDuration ? metric.metric.text(of: $0) : NumberText.value($0)
    }
    return "\(name) \(values[0]) instead of \(values[1])"
      + (unit.isEmpty || metric.metric.isDuration ? "" : " \(unit)")
      + ", z \(EpisodeEvidence.text(metric.z))"
  }

  /// The metrics in a sentence, the one with most evidence first: `sleep, steps and sleep efficiency`.
  var metricsInWords: String {
    let words = contributions.map(\.metric.words)
    return words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }
}
