import VigilModel

extension DoseEvidence {
  /// The words of an alert about a medication of which no dose is taken: `no dose of a medication has been taken since
  /// 2026-06-03; usually 1 of 10 missed`.
  ///
  /// - Parameters:
  ///   - first: The first day of the alert.
  ///   - end: The day on which it ended; nil while it is active.
  func wordsOfStreak(since first: Day, until end: Day?) -> String {
    let done = recordedOn == nil ? "recorded" : "taken"
    let when =
      end.map { "was \(done) from \(first) to \($0 - 1)" } ?? "has been \(done) since \(first)"
    return "no dose of a medication \(when); usually \(UsualMisses(anchor).words) missed"
  }

  /// The counts beside each other: `missed 8 of 10, usually 1 of 10`.
  var countsText: String { "missed \(missed) of \(expected), usually \(UsualMisses(anchor).words)" }

  /// The window and the evidence with its threshold: `10 days: 12.40 nats (needs 9.70)`.
  var shortText: String {
    "\(windowText): \(Self.text(evidence)) nats (needs \(Self.text(threshold)))"
  }

  /// The lines about it where one alert is shown.
  ///
  /// - Parameter words: Those of the alert.
  func pairs(_ words: String) -> [(String, String)] {
    [
      ("Doses", words),
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
