/// The evidence that an episode of missed doses opened with (specification, evidence-doses.md section 4).
///
/// ```swift
/// guard let day = Day("2026-06-12") else { return }
/// let usual = DoseAnchor(
///   missed: 12, expected: 120, share: 0.1, withinDay: 0.5, weekdays: SIMD8(repeating: 0.1), run: 0.05,
///   countedDoses: 125)
/// let evidence = DoseEvidence(
///   openedOn: day, windowDays: 10, missed: 8, expected: 10, evidence: 12.4, threshold: 9.7,
///   heldLevel: 0.8, anchor: usual, recordedOn: day - 9)
/// print(evidence.missedShare, evidence.anchor.missedShare)  // 0.8 0.1
/// ```
public struct DoseEvidence: Hashable, Sendable {
  /// The day on which the evidence was enough.
  public var openedOn: Day
  /// Observations in the window that gave the evidence.
  public var windowDays: Int
  /// The doses missed in the window.
  public var missed: Int
  /// The doses expected in the window.
  public var expected: Int
  /// The evidence of the window, in nats.
  public var evidence: Double
  /// The evidence that a day needs to deviate, for a baseline of this size.
  public var threshold: Double
  /// The share of missed doses that the episode is taken to have.
  public var heldLevel: Double
  /// The usual misses of the person, against which the days of the episode are judged.
  public var anchor: DoseAnchor
  /// The first observation of the episode with a record of a dose; nil while there is none.
  public var recordedOn: Day?

  public init(
    openedOn: Day, windowDays: Int, missed: Int, expected: Int, evidence: Double,
    threshold: Double, heldLevel: Double, anchor: DoseAnchor, recordedOn: Day?
  ) {
    self.openedOn = openedOn
    self.windowDays = windowDays
    self.missed = missed
    self.expected = expected
    self.evidence = evidence
    self.threshold = threshold
    self.heldLevel = heldLevel
    self.anchor = anchor
    self.recordedOn = recordedOn
  }

  /// The share of the doses of the window that were missed.
  public var missedShare: Double { Double(missed) / Double(expected) }
}

/// The usual misses of a person (specification, evidence-doses.md section 2).
///
/// ```swift
/// let usual = DoseAnchor(
///   missed: 12, expected: 120, share: 0.1, withinDay: 0.5, weekdays: SIMD8(repeating: 0.1), run: 0.5,
///   countedDoses: 125)
/// print(usual.spread, usual.weight(ofDoses: 3))  // 3.0 0.5
/// ```
public struct DoseAnchor: Hashable, Sendable {
  /// The doses missed on the days of the baseline.
  public var missed: Int
  /// The doses expected on the days of the baseline.
  public var expected: Int
  /// The usual share of missed doses, shrunk towards that of all people.
  public var share: Double
  /// The correlation of the doses of one day, from 0 to 1: misses of a day come together.
  public var withinDay: Double
  /// The usual share of missed doses of each weekday; 0 is Sunday, and element 7 is 0.
  public var weekdays: SIMD8<Double>
  /// The correlation of a day with the day before; 0 or more, less than 1.
  public var run: Double
  /// The doses of the baseline by their weight, with those of the prior.
  public var countedDoses: Double

  public init(
    missed: Int, expected: Int, share: Double, withinDay: Double, weekdays: SIMD8<Double>,
    run: Double, countedDoses: Double
  ) {
    self.missed = missed
    self.expected = expected
    self.share = share
    self.withinDay = withinDay
    self.weekdays = weekdays
    self.run = run
    self.countedDoses = countedDoses
  }

  /// The share of the doses of the baseline that were missed.
  public var missedShare: Double { Double(missed) / Double(expected) }

  /// The factor by which missed days that come together weaken evidence; at least 1.
  public var spread: Double { (1 + run) / (1 - run) }

  /// The weight of each dose of a day with so many: misses of one day come together.
  @inline(__always)
  public func weight(ofDoses count: Int) -> Double { 1 / (1 + Double(count - 1) * withinDay) }
}
