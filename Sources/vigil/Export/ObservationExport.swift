import Foundation
import Logging
import VigilBatch
import VigilDetection
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

/// Reads observations as detection sees them, block after block, and writes them.
struct ObservationExport {
  let storage: any Storage
  let thresholds: Thresholds
  /// Nil for all days with data.
  let days: ClosedRange<Day>?
  let logger: Logger

  /// A block holds all days of a person: some 40 MB for a century.
  private static let mostDays = 36_525

  /// Writes one row a value, and returns their number.
  ///
  /// - Throws: `CommandFailure` (64) where the data reach over more than a century; `StorageError`;
  ///   `BatchError`; what `ExportOutput` throws.
  func write(
    of persons: Set<UUID>?, as format: ExportFormat, to file: NewFile?,
    progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> Int {
    let output = try ExportOutput(ExportColumns.observations, as: format, to: file)
    if let days = try presentDays() {
      let reading = try ObservationReading(
        storage: storage, thresholds: thresholds, days: days, logger: logger)
      let metrics = reading.metrics.map(\.metric)
      let interruption = CommandSurroundings.current.interruption
      try reading.forEachBatch(
        of: persons, shouldStop: { interruption.isRequested }, progress: progress
      ) { block, batch in
        let externalIDs = try storage.externalIDs(of: Set(batch))
        for (index, person) in batch.enumerated() {
          for (offset, day) in days.enumerated() {
            for (metric, name) in metrics.enumerated() {
              let value = block.series(person: index, metric: metric)[offset]
              if value.isNaN { continue }
              try output.append(
                Exported(
                  Observation(user: person, day: day, metric: name, value: value), externalIDs))
            }
          }
        }
      }
      try interruption.check()
    }
    try output.finish()
    return output.rows
  }

  /// The days that are asked for and have data; nil without one.
  private func presentDays() throws -> ClosedRange<Day>? {
    guard let present = try storage.metricDays() else { return nil }
    let wanted = days ?? present
    guard present.overlaps(wanted) else { return nil }
    let days = present.clamped(to: wanted)
    guard days.upperBound - days.lowerBound < Self.mostDays else {
      throw CommandFailure(
        .usage,
        "the data of \(storage.displayName) reach from \(days.lowerBound) to \(days.upperBound), more"
          + " than 100 years; choose days with --from and --to")
    }
    return days
  }
}
