public import Foundation

/// The locks, rights and events of evaluations of single persons.
public protocol PersonStorage: Sendable {
  /// Takes the lock that lets one evaluation of a person at a time go on.
  ///
  /// It ends with the returned object or with the process, whichever is first. Nights do not hold it: they find
  /// out when they write a batch whether a person of theirs was evaluated since they read it, and repeat the batch.
  ///
  /// - Throws: `StorageError` with `.locked` where another process or thread has it.
  func acquirePersonLock(for person: UUID) throws -> any PersonLock

  /// Throws `.permissionDenied` where this login may not evaluate single persons.
  func requireRightsForPersons() throws

  /// The events of the outbox whose ids are greater than `id`, ascending.
  func outboxEvents(after id: Int, limit: Int) throws -> [OutboxEvent]
}

/// Held while a person is evaluated; releasing the last reference ends it.
public protocol PersonLock: AnyObject, Sendable {}

/// One row of `outbox`: an alert has changed.
public struct OutboxEvent: Hashable, Sendable {
  /// Grows from event to event; later ones may become visible first.
  public var id: Int
  public var kind: Kind
  public var person: UUID
  public var alert: UUID
  public var run: UUID

  public init(id: Int, kind: Kind, person: UUID, alert: UUID, run: UUID) {
    self.id = id
    self.kind = kind
    self.person = person
    self.alert = alert
    self.run = run
  }

  public enum Kind: String, Sendable, CaseIterable {
    /// A night has found the alert, which was not there or had ended.
    case opened
    /// A night has found that the alert has reached a higher level.
    case escalated
    /// A night has ended the alert, for whatever reason.
    case ended
    /// The evaluation of one person has added or changed the alert.
    case provisional
    /// A night has found the provisional alert, too.
    case confirmed
    /// A night, or a later evaluation, has not found the provisional alert.
    case retracted
  }
}
