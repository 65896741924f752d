import Foundation
import Logging
import Synchronization
import VigilAdherence
import VigilDetection
import VigilModel
import VigilStorage

extension ActiveRun {
  /// Lists rows that cannot be used, once for all shards; rows of medications and doses are listed with the
  /// batch that reads them.
  ///
  /// - Throws: `BatchError` where both together are more than the limit; nothing is written then.
  func quarantine(_ unusable: UnusableRows, and sample: MedicationSample) throws {
    try refuseTooMany(unusable, and: sample, in: plan.scope.loadedDays)
    guard !unusable.isEmpty, request.shard.index == 1 else { return }
    logger.warning(
      "Rows that cannot be used are in quarantined_rows",
      metadata: ["rows.unusable": "\(unusable.count)"])
    try quarantine(unusable)
  }

  /// Reads the doses of some of `persons`, to know how many can be used before anything is written.
  ///
  /// Batches are not read beside it, so that it has the workers of all of them.
  func medicationSample(of persons: [UUID]) throws -> MedicationSample {
    guard plan.followsAdherence else { return MedicationSample(of: []) }
    var sample = MedicationSample(of: persons)
    let parts = BatchQueue(ranges: [sample.persons[...]], size: plan.personsPerBatch)
    let readers = try storage.makeReaders(
      count: min(max(1, request.options.workers), parts.batchCount)
    )
    .map { SharedReader($0, of: storage, logger: logger) }
    defer { for reader in readers { reader.close() } }
    let (zones, evaluatedAt) = (surroundings.zones, startedAt)
    let times = plan.adherenceWindow(evaluatedAt: run.startedAt).recordTimes
    let found = Mutex<[MedicationSample.Part]>([])
    try WorkerThreads.run(
      readers.map { reader in
        { [plan] in
          let rows = MedicationRows(zones: zones)
          var history = plan.historyReading(makesCopies: false)
          while let persons = parts.next() {
            try reader.read { reader in
              // Where this process continues a run, doses taken since the run began are no mistake.
              rows.begin(persons, evaluatedAt: evaluatedAt)
              try history.readMedications(of: persons, doses: times, from: reader, into: rows)
            }
            let part = MedicationSample.Part(of: persons, rows)
            found.withLock { $0.append(part) }
          }
        }
      })
    sample.add(found.withLock { $0 })
    // Without rules every row would look as if it named an unknown zone.
    try zones.requireNoFault()
    return sample
  }

  /// Lists rows in `quarantined_rows`; those of an earlier run are not listed again.
  func quarantine(_ unusable: UnusableRows) throws {
    guard !unusable.isEmpty else { return }
    try storage.quarantine(unusable.details.map { $0.quarantined(by: run.id) }, at: startedAt)
  }

  private func refuseTooMany(
    _ found: UnusableRows, and sample: MedicationSample, in days: ClosedRange<Day>
  ) throws {
    let unusable = found + sample.unusable
    guard !unusable.isEmpty else { return }
    let limit = request.options.maxBadRowFraction
    // Counting ends where there are rows enough for this many to be bearable: of a large table with a
    // few of them only the beginning is looked at. What division adds to a whole number is taken off.
    let bearable = (Double(unusable.count) / limit * (1 - 1e-12)).rounded(.up)
    let enough = Int(clamping: bearable)
    let counted = try storage.countRows(in: days, upTo: max(0, enough - sample.rowCount))
    let rows = max(found.count, counted) + sample.rowCount
    guard rows < enough else { return }
    throw BatchError.tooMany(
      unusable, ofRows: rows, in: days, of: storage.displayName, limit: limit,
      isEstimate: sample.isEstimate)
  }
}

extension BatchError {
  fileprivate static func tooMany(
    _ unusable: UnusableRows, ofRows rows: Int, in days: ClosedRange<Day>, of database: String,
    limit: Double, isEstimate: Bool
  ) -> BatchError {
    let reasons = unusable.counts.map { "\($0.count) of \($0.table) with \($0.reason.words)" }
    let percent = (limit * 10_000).rounded() / 100
    let percentText = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
    return BatchError(
      .tooManyUnusableRows,
      "\(unusable.count) of \(rows) rows from \(days.lowerBound) to \(days.upperBound) in \(database)"
        + " cannot be used\(isEstimate ? " (doses by an estimate)" : ""), more than the limit of"
        + " \(percentText) %:"
        + " \(reasons.joined(separator: ", ")); nothing was evaluated",
      remedy: .correctRowsOrRaiseLimit(quarantines: true))
  }
}

extension UnusableRow.Reason {
  fileprivate var words: String {
    switch self {
    case .noPerson: "no person"
    case .unknownPerson: "a person that is not in users"
    case .noDate: "no date"
    case .impossibleDate: "an impossible date"
    case .impossibleEndDate: "an impossible end date"
    case .unknownTimezone: "an unknown time zone"
    case .impossibleTimes: "impossible times"
    case .impossibleInterval: "an impossible interval"
    case .endBeforeStart: "an end before the start"
    case .takenWithoutTime: "a dose taken at no time"
    case .futureTime: "a time in the future"
    case .unknownSchedule: "an unknown schedule"
    case .impossibleValue: "an impossible value"
    case .unfollowedMetric: "a metric that is not followed"
    }
  }
}
