public import Foundation
import VigilModel

/// One row of `dose_analytics`: a medication, or all of a person's, over a period.
public struct DoseAnalytics: Hashable, Sendable {
  public var user: UUID
  /// Nil for the row of the person.
  public var medication: UUID?
  public var period: AdherencePeriod
  public var measures: AdherenceMeasures

  public init(
    user: UUID, medication: UUID?, period: AdherencePeriod, measures: AdherenceMeasures
  ) {
    self.user = user
    self.medication = medication
    self.period = period
    self.measures = measures
  }

  /// UUIDv5 of the natural key, the same in every database and mode.
  public var id: UUID {
    UUID(
      name: "dose_analytics:\(user.lowercased):\(medication?.lowercased ?? "all")"
        + ":\(period.kind.rawValue):\(period.days.lowerBound):\(period.days.upperBound)")
  }
}
