/// The evidence that an episode opened with (specification, evidence.md section 4); fixed from then on.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let evidence = EpisodeEvidence(
///   openedOn: day, windowDays: 9, z: 5.1, threshold: 4.2, shift: 1.4,
///   anchor: EvidenceAnchor(mean: 93, spread: 21, autocorrelation: 0.1))
/// print(evidence.z > evidence.threshold)  // true
/// ```
public struct EpisodeEvidence: Hashable, Sendable {
  /// The day on which the evidence was enough.
  public var openedOn: Day
  /// Observations in the window that gave the evidence.
  public var windowDays: Int
  /// The distance of the window from what is usual, in standard deviations of such windows.
  public var z: Double
  /// The `z` that a day needs to deviate, for a baseline of this size.
  public var threshold: Double
  /// The mean of the window in personal spreads; positive is bad.
  public var shift: Double
  /// The usual values of the person, against which the days of the episode are judged.
  public var anchor: EvidenceAnchor

  public init(
    openedOn: Day, windowDays: Int, z: Double, threshold: Double, shift: Double,
    anchor: EvidenceAnchor
  ) {
    self.openedOn = openedOn
    self.windowDays = windowDays
    self.z = z
    self.threshold = threshold
    self.shift = shift
    self.anchor = anchor
  }
}

/// The usual values of a series, on the transformed scale of its metric (specification, evidence.md
/// section 2).
///
/// ```swift
/// let anchor = EvidenceAnchor(
///   mean: 60, weekdays: [0.5, 0, 0, 0, 0, -0.5, 0, 0], spread: 2, autocorrelation: 0.8)
/// print(anchor.usual(onWeekday: 5))  // 59.5
/// ```
public struct EvidenceAnchor: Hashable, Sendable {
  public var mean: Double
  /// The amounts that weekdays add to the mean; 0 is Sunday, and element 7 is 0.
  public var weekdays: SIMD8<Double>
  /// The personal spread, clipped and shrunk towards the metric's.
  public var spread: Double
  /// From one day to the next; 0 or more.
  public var autocorrelation: Double
  /// The spread of what a day adds to the day before, relative to the expected; at least 1.
  public var noise: Double

  public init(
    mean: Double, weekdays: SIMD8<Double> = .zero, spread: Double, autocorrelation: Double,
    noise: Double = 1
  ) {
    self.mean = mean
    self.weekdays = weekdays
    self.spread = spread
    self.autocorrelation = autocorrelation
    self.noise = noise
  }

  /// The usual transformed value of a weekday, 0 (Sunday) to 6.
  public func usual(onWeekday weekday: Int) -> Double { mean + weekdays[weekday] }
}
