public import Foundation
public import VigilModel

/// One row of `quarantined_rows`: the place of an unusable row, and the reason.
///
/// Of the values of that row it holds only the key.
public struct QuarantinedRow: Sendable, Hashable {
  /// The table of such rows.
  public static let table = "quarantined_rows"

  /// The run or import during which it was found.
  public var runID: UUID?
  /// The table that the row belongs to.
  public var table: String
  /// File name, or nil when the row was found in the database.
  public var file: String?
  /// Line in the file, the header being line 1.
  public var line: Int?
  public var column: String?
  public var reason: String
  /// The key of the row in its table; nil for a row of a file.
  public var key: String?
  /// When it was found first; nil before it is recorded.
  public var foundAt: Timestamp?

  public init(
    runID: UUID? = nil, table: String, file: String? = nil, line: Int? = nil,
    column: String? = nil, reason: String, key: String? = nil, foundAt: Timestamp? = nil
  ) {
    self.runID = runID
    self.table = table
    self.file = file
    self.line = line
    self.column = column
    self.reason = reason
    self.key = key
    self.foundAt = foundAt
  }
}
