public import Foundation
public import VigilModel

/// The copies that a batch has made of rows of one subject, and those that it removes.
public struct HistoryWrite: Sendable {
  public var subject: HistorySubject
  /// The digest of what the copies have.
  public var layout: Int
  public var blocks: [HistoryBlock]
  /// That of the snapshot that they were made from.
  public var generation: Int
  /// Whether one that was stored differed from the rows: all others are then in doubt, and go.
  public var clears: Bool
  /// The owners of whom no night needs older blocks than those with `firstDay`.
  public var owners: [UUID]
  public var firstDay: Day

  public init(
    subject: HistorySubject, layout: Int, blocks: [HistoryBlock], generation: Int, clears: Bool,
    owners: [UUID], firstDay: Day
  ) {
    self.subject = subject
    self.layout = layout
    self.blocks = blocks
    self.generation = generation
    self.clears = clears
    self.owners = owners
    self.firstDay = firstDay
  }
}
