public import VigilModel

extension SeriesKey {
  /// Whether it follows metrics of the person, alone or together: silence is no metric, and a single medication is a
  /// part of dose adherence.
  public var isOfMetrics: Bool { pattern != .silence && pattern != .medication }

  /// Whether an alert may be one of several of an event.
  ///
  /// Missed doses and silence are not what an illness does to several metrics of a body at once; a limit that was set
  /// is never silent because of what else goes on.
  public var canBeOfEvent: Bool { metric != .doseAdherence && isOfMetrics && !pattern.isOfLimit }
}
