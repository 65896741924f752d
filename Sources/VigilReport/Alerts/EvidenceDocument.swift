import VigilModel

/// The `evidence` of an alert in JSON; names are those of the columns, except for `z` and `threshold`.
struct EvidenceDocument: Encodable {
  struct Anchor: Encodable {
    var mean: Double
    /// Sunday first.
    var weekdays: [Double]
    var spread: Double
    var autocorrelation: Double
    var noise: Double

    init(_ usual: EvidenceAnchor) {
      mean = usual.mean
      weekdays = (0..<7).map { usual.weekdays[$0] }
      spread = usual.spread
      autocorrelation = usual.autocorrelation
      noise = usual.noise
    }
  }

  private var openedOn: Day
  private var windowDays: Int
  private var z: Double
  private var threshold: Double
  private var shiftSpreads: Double
  private var anchor: Anchor

  init(_ evidence: EpisodeEvidence) {
    openedOn = evidence.openedOn
    windowDays = evidence.windowDays
    z = evidence.z
    threshold = evidence.threshold
    shiftSpreads = evidence.shift
    anchor = Anchor(evidence.anchor)
  }
}
