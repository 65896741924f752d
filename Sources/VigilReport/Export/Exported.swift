public import Foundation
public import VigilModel

/// A row to export, with the original ids of its persons.
@dynamicMemberLookup
public struct Exported<Value> {
  let value: Value
  let externalIDs: [UUID: String]

  /// - Parameters:
  ///   - value: The row.
  ///   - externalIDs: The ids of persons in the system their data come from.
  public init(_ value: Value, _ externalIDs: [UUID: String]) {
    self.value = value
    self.externalIDs = externalIDs
  }

  public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
    value[keyPath: member]
  }
}

extension Exported: Sendable where Value: Sendable {}

/// One value of a metric on a day, as detection sees it.
public struct Observation: Hashable, Sendable {
  public var user: UUID
  public var day: Day
  public var metric: MetricType
  /// In the metric's unit.
  public var value: Double

  public init(user: UUID, day: Day, metric: MetricType, value: Double) {
    self.user = user
    self.day = day
    self.metric = metric
    self.value = value
  }
}
