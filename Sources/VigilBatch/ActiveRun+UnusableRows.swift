import Foundation
import Logging
import VigilDetection
import VigilModel
import VigilStorage

extension ActiveRun {
  /// Puts rows that cannot be used on record, once for all shards.
  ///
  /// - Throws: `BatchError` where they are more than the run puts up with; nothing is written then.
  func setAside(_ unusable: UnusableRows) throws {
    guard !unusable.isEmpty else { return }
    try refuseTooMany(unusable, in: settings.loadedDays)
    guard settings.shard.index == 1 else { return }
    logger.warning(
      "Rows that cannot be used are in quarantined_rows",
      metadata: ["rows.unusable": "\(unusable.count)"])
    try quarantine(unusable)
  }

  /// Lists rows in `quarantined_rows`; those of an earlier run are not listed again.
  func quarantine(_ unusable: UnusableRows) throws {
    guard !unusable.isEmpty else { return }
    try storage.quarantine(unusable.details.map { $0.quarantined(by: run.id) }, at: startedAt)
  }

  private func refuseTooMany(_ unusable: UnusableRows, in days: ClosedRange<Day>) throws {
    let limit = settings.maxBadRowFraction
    // Counting ends where there are rows enough for this many to be bearable: of a large table with a
    // few of them only the beginning is looked at. What division adds to a whole number is taken off.
    let bearable = (Double(unusable.count) / limit * (1 - 1e-12)).rounded(.up)
    let enough = bearable < 1e15 ? Int(bearable) : .max
    let rows = max(unusable.count, try storage.countRows(in: days, upTo: enough))
    guard rows < enough else { return }
    throw BatchError.tooMany(
      unusable, ofRows: rows, in: days, of: storage.displayName, limit: limit)
  }
}

extension BatchError {
  fileprivate static func tooMany(
    _ unusable: UnusableRows, ofRows rows: Int, in days: ClosedRange<Day>, of database: String,
    limit: Double
  ) -> BatchError {
    let reasons = unusable.counts.map { "\($0.count) of \($0.table) with \($0.reason.words)" }
    let percent = (limit * 10_000).rounded() / 100
    let percentText = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
    return BatchError(
      .tooManyUnusableRows,
      "\(unusable.count) of \(rows) rows from \(days.lowerBound) to \(days.upperBound) in \(database)"
        + " cannot be used, more than the limit of \(percentText) %:"
        + " \(reasons.joined(separator: ", ")); nothing was evaluated; correct the rows, or raise the"
        + " limit with --max-bad-rows: the run then lists them in quarantined_rows")
  }
}

extension UnusableRow.Reason {
  fileprivate var words: String {
    switch self {
    case .noPerson: "no person"
    case .unknownPerson: "a person that is not in users"
    case .noDate: "no date"
    case .impossibleDate: "an impossible date"
    case .unknownTimezone: "an unknown time zone"
    case .impossibleTimes: "impossible times"
    case .impossibleInterval: "an impossible interval"
    case .endBeforeStart: "an end before the start"
    case .takenWithoutTime: "a dose taken at no time"
    case .futureTime: "a time in the future"
    case .unknownSchedule: "an unknown schedule"
    case .impossibleValue: "an impossible value"
    }
  }
}
