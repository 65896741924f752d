public import Foundation
public import VigilModel

/// An alert that a person has raised because they need help; a row of `raised_alerts`.
public struct RaisedAlert: Hashable, Sendable {
  public var id: UUID
  public var person: UUID
  public var raisedAt: Timestamp
  /// Nil while it is active.
  public var resolvedAt: Timestamp?
  /// The person or member who resolved it; nil while it is active, and where that person was erased.
  public var resolvedBy: UUID?

  public init(
    id: UUID, person: UUID, raisedAt: Timestamp, resolvedAt: Timestamp? = nil,
    resolvedBy: UUID? = nil
  ) {
    self.id = id
    self.person = person
    self.raisedAt = raisedAt
    self.resolvedAt = resolvedAt
    self.resolvedBy = resolvedBy
  }

  /// Makes a new alert, with the UUIDv5 of person and instant as id.
  public init(by person: UUID, at now: Timestamp) {
    self.init(
      id: UUID(name: "raised_alerts:\(person.lowercased):\(now)"), person: person, raisedAt: now)
  }

  public var isActive: Bool { resolvedAt == nil }
}

extension StorageError {
  /// The alert of this very instant is over.
  public static func wasResolved(_ alert: RaisedAlert) -> StorageError {
    StorageError(
      .ended, "the alert that \(alert.person.lowercased) raised at \(alert.raisedAt) was resolved",
      remedy: "raise another alert")
  }
}
