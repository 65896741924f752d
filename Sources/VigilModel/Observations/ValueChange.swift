/// The newest values of a metric beside its usual ones, as far as the figures of an alert show it.
///
/// Sentences about alerts say "lower" and "higher" by it, and not by the pattern that an alert looks for: values below
/// an absolute limit can lie above the usual ones.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let figures = EpisodeFigures(
///   baseline: .init(value: 21, start: day - 24, end: day - 3, count: 21),
///   recent: .init(value: 67, start: day - 2, end: day, count: 3))
/// print(ValueChange(figures, of: .drop, limit: 80))  // below(80.0)
/// ```
public enum ValueChange: Hashable, Sendable {
  /// Lower than usual.
  case lower
  /// Higher than usual.
  case higher
  /// Below an absolute limit in the metric's unit, and not lower than usual.
  case below(Double)
  /// On no bad side of anything that is known.
  case unclear

  /// The share of the usual value by which values may differ from it and still be usual.
  public static let usualShare = 0.05

  /// The change that the figures of an alert of one metric show.
  ///
  /// - Parameters:
  ///   - figures: The usual and the newest values.
  ///   - pattern: The direction that is bad; neither `lower` nor `higher` follows from another.
  ///   - limit: The absolute limit below which values deviate; nil where none is known.
  public init(_ figures: EpisodeFigures, of pattern: PatternType, limit: Double?) {
    let (recent, usual) = (figures.recent.value, figures.baseline.value)
    switch pattern {
    case .drop:
      // A usual value of 0 has no share.
      if let limit, recent < limit,
        recent >= usual || recent > usual - Self.usualShare * abs(usual)
      {
        self = .below(limit)
      } else {
        self = recent < usual ? .lower : .unclear
      }
    case .rise: self = recent > usual ? .higher : .unclear
    case .worse, .silence, .medication, .belowLimit, .aboveLimit: self = .unclear
    }
  }
}
