import Foundation
import ShippedThresholds
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// From the same files, every kind of database ends in the same rows: ids, texts, and numbers to the
/// last bit.
@Suite struct DatabaseKindsTests {
  @Test(arguments: ["lifesnaps", "welltory_covid", "fitbit2016"])
  func publicDataEndInTheSameRows(dataset: String) throws {
    guard let folder = SharedFolder.url("datasets/\(dataset)") else {
      try Test.cancel("there is no ../shared/datasets/\(dataset)")
    }
    try expectSameRows(from: folder)
  }

  @Test func sampleEndsInTheSameRows() throws {
    try expectSameRows(from: SharedFolder.repository.appending(path: "datasets/sample"))
  }

  private func expectSameRows(from folder: URL) throws {
    let imported = try DatabaseKind.allCases.map { kind in
      let database = try BatchDatabase(kind)
      try database.importFiles(of: folder)
      return database
    }
    let input = try imported.map { try Self.input(of: $0) }
    #expect(input[0].count > 100)
    try expectSame(input[1], input[0])
    for profile in ShippedThresholds.names {
      let thresholds = try BatchDatabase.thresholds(profile)
      let output = try imported.map { imported in
        let database = try imported.copy()
        let days = try #require(try database.storage.metricDays())
        let last = days.upperBound
        try database.run(
          days.lowerBound...(last - 1), thresholds: thresholds, workers: 2, batchSize: 7)
        _ = try database.storage.withRuns { try $0.goLive(at: BatchDatabase.now) }
        try database.run(last...last, thresholds: thresholds, kind: .run, mode: .live)
        return try database.dump() + Self.records(of: database)
      }
      #expect(output[0].count > (profile.hasPrefix("v3") ? 0 : 50))
      try expectSame(output[1], output[0], profile)
    }
  }

  /// Every row that an import writes.
  private static func input(of database: BatchDatabase) throws -> [String] {
    try InputTable.all.flatMap { table in
      let key = table.key.joined(separator: ", ")
      // PostgreSQL keeps hours with two decimals.
      let columns = table.columns.map { column in
        column.kind == .real ? "CAST(\(column.name) AS double precision)" : column.name
      }.joined(separator: ", ")
      return try database.database.rows("SELECT \(columns) FROM \(table.name) ORDER BY \(key)")
        .map { "\(table.name) \($0)" }
    }
  }

  /// The records of runs, without their ids.
  private static func records(of database: BatchDatabase) throws -> [String] {
    try database.rows(of: "batch_runs", without: ["id", "begun_by", "started_at", "finished_at"])
      .sorted()
      + database.database.rows(
        """
        SELECT first_person, last_person, persons, metric_rows, workout_days FROM batch_checkpoints
        ORDER BY first_person, persons
        """)
  }
}
