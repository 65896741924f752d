import Foundation
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

/// Reads results in batches of persons, so that memory holds one batch, and writes them.
struct ResultExport {
  let storage: any Storage
  /// Nil for all persons.
  let persons: Set<UUID>?
  /// Nil for all days.
  let days: ClosedRange<Day>?
  let format: ExportFormat
  /// Nil for standard output.
  let file: NewFile?
  let progress: (_ done: Int, _ total: Int) -> Void

  /// Rows of a batch, roughly: some 20 MB.
  private static let batchRows = 20_000

  /// Writes the rows of a table, and returns their number.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: Its columns.
  ///   - read: Reads the rows of some persons, in their order.
  /// - Throws: `StorageError`; what `ExportOutput` throws.
  func write<Row>(
    _ table: ResultTable, _ columns: [ExportColumn<Exported<Row>>],
    _ read: (any ResultReader, [UUID], ClosedRange<Day>) throws -> [Row]
  ) throws -> Int {
    try write(table, to: ExportOutput(columns, as: format, to: file), read)
  }

  /// The same into rows of any form.
  func write<Row>(
    _ table: ResultTable, to output: ExportOutput<Exported<Row>>,
    _ read: (any ResultReader, [UUID], ClosedRange<Day>) throws -> [Row]
  ) throws -> Int {
    let reader = try storage.makeResultReader()
    let days = days ?? Day.calendar
    var rest = try reader.persons(in: table, on: days).filter { persons?.contains($0) ?? true }[...]
    let total = rest.count
    var size = 10
    while !rest.isEmpty {
      try CommandSurroundings.current.interruption.check()
      let batch = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      let rows = try read(reader, batch, days)
      let externalIDs = try storage.externalIDs(of: Set(batch))
      for row in rows { try output.append(Exported(row, externalIDs)) }
      progress(total - rest.count, total)
      // The next batch gets as many rows as one should have, if persons are alike.
      size = min(max(size * Self.batchRows / max(rows.count, 1), 1), 2 * size, 500)
    }
    try output.finish()
    return output.rows
  }

  /// Writes the rows of a queue, and returns their number.
  ///
  /// - Throws: `StorageError`; what `ExportOutput` throws.
  func writeNotifications(in list: NotificationList) throws -> Int {
    let output = try ExportOutput(ExportColumns.notifications, as: format, to: file)
    let reader = try storage.makeResultReader()
    var last: QueuedNotification?
    while true {
      try CommandSurroundings.current.interruption.check()
      let page = try reader.notifications(
        in: list, after: last, dueOn: days, limit: Self.batchRows / 4)
      guard !page.isEmpty else { break }
      last = page.last
      let wanted = page.filter { persons?.contains($0.member) ?? true }
      let people = Set(wanted.flatMap { [$0.recipient, $0.member] })
      let externalIDs = try storage.externalIDs(of: people)
      for row in wanted { try output.append(Exported(row, externalIDs)) }
    }
    try output.finish()
    return output.rows
  }
}
