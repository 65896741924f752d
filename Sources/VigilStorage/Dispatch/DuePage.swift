public import Foundation
public import VigilModel

/// Some of the rows that are due, in the order in which they are due.
public struct DuePage: Hashable, Sendable {
  public var rows: [ClaimedNotification]
  /// Rows among them with a value that no sender can read.
  public var unreadable: [UUID]
  /// The place of its last row, after which the next page begins; nil for an empty page.
  public var end: Place?

  public init(rows: [ClaimedNotification], unreadable: [UUID] = [], end: Place?) {
    self.rows = rows
    self.unreadable = unreadable
    self.end = end
  }

  /// A place in the order of due rows, which stays where it is when its row changes or goes.
  public struct Place: Hashable, Sendable {
    /// Since when the row is due.
    public var dueAt: Timestamp
    public var id: UUID

    public init(dueAt: Timestamp, id: UUID) {
      self.dueAt = dueAt
      self.id = id
    }
  }
}
