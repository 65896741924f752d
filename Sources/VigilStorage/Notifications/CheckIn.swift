public import Foundation
public import VigilModel

/// A sign of life that a person, or another for them, gives in an app; a row of `check_ins`.
///
/// ```swift
/// guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
/// let checkIn = CheckIn(of: UUID(name: "ana"), at: now)
/// print(checkIn.kind)  // manual
/// ```
public struct CheckIn: Hashable, Sendable {
  public var person: UUID
  public var at: Timestamp
  public var kind: Kind

  public init(of person: UUID, at: Timestamp, kind: Kind = .manual) {
    self.person = person
    self.at = at
    self.kind = kind
  }

  /// The kind of a check-in; all kinds count alike.
  public enum Kind: String, Sendable, CaseIterable {
    case manual
    case automatic
    /// Another person asked.
    case responder
  }
}
