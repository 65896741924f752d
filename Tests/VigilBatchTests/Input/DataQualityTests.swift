import Foundation
import InMemoryLogging
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// The data quality that a run records.
@Suite struct DataQualityTests {
  private static let last = Day(ordinal: 20_200)

  /// A value a day for the last `days` days up to `last`.
  private func values(_ days: Int, _ value: Double = 5_000) -> [Day: Double] {
    Dictionary(uniqueKeysWithValues: (0..<days).map { (Self.last - $0, value) })
  }

  private func person(_ number: Int) -> UUID { UUID(name: "quality person \(number)") }

  @Test(arguments: DatabaseKind.allCases)
  func everyKindOfCountIsRecordedByMetric(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    var old = values(30, 55)
    old = old.mapKeys { $0 - 100 }
    try database.insert(
      [
        // 30 days of which one is impossible, and 6 of too little history.
        .init(
          person: person(1), metric: "steps",
          values: values(30).merging([Self.last - 3: -1]) { $1 }),
        .init(person: person(1), metric: "resting_hr", values: values(6, 60)),
        .init(person: person(2), metric: "resting_hr", values: values(5, 60)),
        // One day of zeros only.
        .init(
          person: person(3), metric: "steps",
          values: values(30).merging([Self.last - 9: 0]) { $1 }),
        // Nothing within the horizon: not too little history, but none.
        .init(person: person(4), metric: "resting_hr", values: old),
      ])
    // The ring took over from the test source ten days ago, for steps only.
    try database.insert(
      [.init(person: person(5), metric: "steps", values: values(10))], source: "ring")
    try database.insert(
      [
        .init(
          person: person(5), metric: "steps",
          values: values(20).filter { $0.key <= Self.last - 10 }),
        .init(person: person(5), metric: "resting_hr", values: values(20, 60)),
      ])
    let log = InMemoryLogHandler()
    let record = try database.run(
      Self.last...Self.last, thresholds: BatchDatabase.thresholds("v2"), kind: .run, workers: 2,
      batchSize: 2, log: log)
    #expect(
      record.dataQuality == [
        DataQualityCount(
          metric: MetricType("resting_hr"), reason: "insufficient_history", count: 2),
        DataQualityCount(metric: MetricType("steps"), reason: "implausible", count: 1),
        DataQualityCount(metric: MetricType("steps"), reason: "source_changed", count: 1),
        DataQualityCount(metric: nil, reason: "non_wear", count: 1),
      ])
    #expect(record.counts.valuesRejected == 1)
    #expect(try database.storage.run(id: record.id)?.dataQuality == record.dataQuality)
    for entry in log.entries {
      #expect(!"\(entry)".contains(person(1).lowercased))
    }
  }
}

extension Dictionary {
  fileprivate func mapKeys<Other: Hashable>(_ map: (Key) -> Other) -> [Other: Value] {
    [Other: Value](uniqueKeysWithValues: self.map { (map($0.key), $0.value) })
  }
}
