public import Foundation
public import VigilModel

/// The alert states to list; a nil property means any.
///
/// ```swift
/// var filter = AlertFilter(isActive: true, minimumLevel: .day7)
/// filter.users = [UUID(name: "anna")]
/// filter.limit = 20
/// print(filter.minimumLevel?.rawValue ?? 0)  // 7
/// ```
public struct AlertFilter: Sendable {
  public var id: UUIDPrefix?
  public var users: [UUID]?
  public var metric: MetricType?
  public var isActive: Bool?
  public var minimumLevel: AlertLevel?
  /// Only episodes with `active_since` on or before the upper and `last_evaluated_date` on or after
  /// the lower day.
  public var days: ClosedRange<Day>?
  public var limit: Int?

  public init(
    id: UUIDPrefix? = nil, users: [UUID]? = nil, metric: MetricType? = nil, isActive: Bool? = nil,
    minimumLevel: AlertLevel? = nil, days: ClosedRange<Day>? = nil, limit: Int? = nil
  ) {
    self.id = id
    self.users = users
    self.metric = metric
    self.isActive = isActive
    self.minimumLevel = minimumLevel
    self.days = days
    self.limit = limit
  }
}
