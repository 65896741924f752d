public import VigilModel

/// A row of `timezone_events` before it is checked.
public struct UncheckedTimezoneEvent: Equatable, Sendable {
  public var id: UUID
  public var user: UUID
  public var previousZone: String
  public var newZone: String
  /// Nil for what is no instant.
  public var transitionTime: Timestamp?
  public var isConfirmed: Bool?

  public init(
    id: UUID, user: UUID, previousZone: String, newZone: String, transitionTime: Timestamp?,
    isConfirmed: Bool?
  ) {
    self.id = id
    self.user = user
    self.previousZone = previousZone
    self.newZone = newZone
    self.transitionTime = transitionTime
    self.isConfirmed = isConfirmed
  }

  /// The table that its rows come from.
  public static let table = "timezone_events"
}

extension UncheckedTimezoneEvent {
  /// Returns the event.
  ///
  /// - Parameter now: The instant after which nothing can have happened.
  /// - Throws: The reason why the row cannot be used.
  func checked(zones: ZoneCatalog, now: Timestamp) throws(UnusableRow.Reason) -> TimezoneEvent {
    guard let previous = zones.id(of: previousZone), let new = zones.id(of: newZone) else {
      throw .unknownTimezone
    }
    guard let transitionTime else { throw .impossibleValue }
    guard transitionTime <= now else { throw .futureTime }
    return TimezoneEvent(
      id: id, user: user, previousZone: previous, newZone: new, transitionTime: transitionTime,
      isConfirmed: isConfirmed ?? false)
  }
}
