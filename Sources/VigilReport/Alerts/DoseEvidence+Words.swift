import VigilModel

extension DoseEvidence {
  /// The counts beside each other: `8 of 10, usually 1 of 10`.
  var countsText: String { "missed \(missed) of \(expected), usually \(UsualMisses(anchor).words)" }

  /// The window and the evidence with its threshold: `10 days: 12.40 nats (needs 9.70)`.
  var shortText: String {
    "\(windowText): \(Self.text(evidence)) nats (needs \(Self.text(threshold)))"
  }

  /// The lines about it where one alert is shown.
  var pairs: [(String, String)] {
    [
      ("Doses", countsText),
      ("Opened", openedOn.description),
      (
        "Evidence",
        "\(Self.text(evidence)) nats over \(windowText), \(Self.text(threshold)) needed"
      ),
    ]
  }

  private var windowText: String { NumberText.count(windowDays, "day") }

  private static func text(_ value: Double) -> String { EpisodeEvidence.text(value) }
}
