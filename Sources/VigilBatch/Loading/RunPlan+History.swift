import Foundation
import VigilModel
import VigilStorage

extension RunPlan {
  /// The reading from copies; nil for a run that reads all rows.
  func historyReading(makesCopies: Bool) -> HistoryReading? {
    usesHistory ? HistoryReading(day: scope.days.upperBound, makesCopies: makesCopies) : nil
  }
}

extension Optional<HistoryReading> {
  /// Reads as `StorageReader.readMetrics` does.
  mutating func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try self?.readMetrics(
      of: persons, days: days, metrics: metrics, reportsWear: reportsWear, from: reader, into: sink)
      ?? reader.readMetrics(
        of: persons, days: days, metrics: metrics, reportsWear: reportsWear, into: sink)
  }

  /// Reads as `StorageReader.readMedications` does.
  mutating func readMedications(
    of persons: [UUID], doses times: ClosedRange<Timestamp>, from reader: any StorageReader,
    into sink: some MedicationRowSink
  ) throws {
    guard self != nil else {
      return try reader.readMedications(of: persons, doses: times, into: sink)
    }
    try self?.readMedications(of: persons, doses: times, from: reader, into: sink)
  }
}
