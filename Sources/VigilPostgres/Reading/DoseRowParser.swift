import Foundation
import VigilAdherence
import VigilStorage

/// Takes a binary COPY of doses apart.
struct DoseRowParser {
  private let database: String
  private var hasHeader = false

  init(database: String) {
    self.database = database
  }

  private static let columnCount = InputTable.doseHistory.columnsOfRuns.count

  /// Every message of the server holds whole rows; the first one begins with the header of the format.
  ///
  /// - Throws: `StorageError`.
  mutating func parse(
    _ message: UnsafeRawBufferPointer, into doses: inout some DoseRowSink
  ) throws {
    do {
      var position = 0
      if !hasHeader {
        position = try CopyCursor.headerLength(of: message)
        hasHeader = true
      }
      while position < message.count {
        position = try Self.parseRow(message, at: position, into: &doses)
      }
    } catch is CopyCursor.TruncatedRow {
      throw StorageError(
        .unexpected, "\(database) sent rows of dose_history in a form that is not binary COPY")
    }
  }

  /// Gives the position after the row.
  private static func parseRow(
    _ message: UnsafeRawBufferPointer, at start: Int, into doses: inout some DoseRowSink
  ) throws -> Int {
    var cursor = CopyCursor(message, start)
    let count = try cursor.columnCount()
    // What ends the format.
    if count == -1 { return message.count }
    guard count == columnCount else { throw CopyCursor.TruncatedRow() }
    let (id, medication, schedule) = try (cursor.id(), cursor.id(), cursor.id())
    let status = try cursor.field()
    let (scheduled, actual) = try (cursor.timestamp(), cursor.timestamp())
    let zone = try cursor.field()
    let created = try cursor.timestamp()
    if let id, let medication {
      doses.add(
        UncheckedDose(
          id: id, medication: medication, schedule: schedule, status: status,
          scheduledTime: scheduled, actualTime: actual, zone: zone, createdAt: created))
    }
    return cursor.position
  }
}
