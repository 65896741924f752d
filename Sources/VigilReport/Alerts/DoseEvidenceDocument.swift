import VigilModel

/// The `doses` of an alert in JSON.
struct DoseEvidenceDocument: Encodable {
  private var openedOn: Day
  private var windowDays: Int
  private var missedDoses: Int
  private var expectedDoses: Int
  private var recordedOn: OrNull<Day>
  private var evidence: Double
  private var threshold: Double
  private var heldLevel: Double
  private var usual: Usual

  struct Usual: Encodable {
    var missedDoses: Int
    var expectedDoses: Int
    var share: Double
    /// Sunday first.
    var weekdays: [Double]
    var withinDay: Double
    var run: Double
    var countedDoses: Double

    init(_ anchor: DoseAnchor) {
      missedDoses = anchor.missed
      expectedDoses = anchor.expected
      share = anchor.share
      weekdays = (0..<7).map { anchor.weekdays[$0] }
      withinDay = anchor.withinDay
      run = anchor.run
      countedDoses = anchor.countedDoses
    }
  }

  init(_ found: DoseEvidence) {
    openedOn = found.openedOn
    windowDays = found.windowDays
    missedDoses = found.missed
    expectedDoses = found.expected
    recordedOn = OrNull(found.recordedOn)
    evidence = found.evidence
    threshold = found.threshold
    heldLevel = found.heldLevel
    usual = Usual(found.anchor)
  }
}
