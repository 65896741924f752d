public import VigilModel

/// One row of `dose_analytics`: a medication, or all of a person's, over a period.
public struct DoseAnalytics: Hashable, Sendable {
  public var user: UUID
  /// Nil for the row of the person.
  public var medication: UUID?
  public var period: AdherencePeriod
  public var measures: AdherenceMeasures
  /// A digest of the outcomes of the doses, summed over the days of the period.
  ///
  /// It differs between rows whose measures are equal by chance, for example where a dose has moved
  /// to another day.
  public var dayDigest: Int

  public init(
    user: UUID, medication: UUID?, period: AdherencePeriod, measures: AdherenceMeasures,
    dayDigest: Int = 0
  ) {
    self.user = user
    self.medication = medication
    self.period = period
    self.measures = measures
    self.dayDigest = dayDigest
  }

  /// UUIDv5 of the natural key, the same in every database and mode.
  public var id: UUID {
    UUID(
      name: "dose_analytics:\(user.lowercased):\(medication?.lowercased ?? "all")"
        + ":\(period.kind.rawValue):\(period.days.lowerBound):\(period.days.upperBound)")
  }
}
