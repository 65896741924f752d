import Foundation
import Testing
import VigilModel
import VigilSQLite
import VigilStorage

@testable import VigilImport

/// Imports into a real SQLite database.
@Suite struct DatabaseImportTests {
  private let folder: TemporaryFolder
  private let storage: SQLiteStorage
  private var options: ImportOptions
  private let now: Timestamp
  private let history: ClosedRange<Day>

  init() throws {
    folder = try TemporaryFolder()
    storage = try SQLiteStorage(path: folder.file("vigil.sqlite"), mode: .createIfMissing)
    now = try #require(Timestamp("2026-06-30T03:00:00Z"))
    let today = try #require(Day("2026-06-30"))
    options = ImportOptions(today: today, now: now)
    history = today - 10_000...today
    _ = try storage.migrate(at: now)
  }

  private func importCSV(_ path: String) throws -> ImportSummary {
    try CSVFolderImport(folder: path, options: options).run(into: storage)
  }

  /// Everything that detection would read, as text.
  private func contents() throws -> [String] {
    let persons = try storage.persons(withDataIn: history)
    let sink = RowTexts()
    let reader = try storage.makeReader()
    try reader.readMetrics(
      of: persons, days: history, metrics: InputTable.wearableMetrics, reportsWear: false,
      into: sink)
    var texts = sink.texts
    try reader.readWorkoutDays(of: persons, days: history) { person, day in
      texts.append("\(person) works out on \(day)")
    }
    let families = try reader.familyMembers(of: persons)
    return persons.map(\.lowercased) + texts + families.map { "\($0)" }
  }

  @Test func theSampleArrivesAndASecondImportChangesNothing() throws {
    let sample = packageRoot.appendingPathComponent("datasets/sample").path
    let first = try importCSV(sample)
    #expect(first.rowsQuarantined == 0)
    #expect(first.ignoredFiles == ["labels.csv"])
    let days = try #require(try storage.metricDays())
    #expect("\(days.lowerBound) to \(days.upperBound)" == "2026-03-03 to 2026-06-30")
    #expect(try storage.persons(withDataIn: history).count == 12)
    let before = try contents()
    #expect(before.count > 1400)
    #expect(try importCSV(sample) == first)
    #expect(try contents() == before)
  }

  @Test func tooManyBadRowsLeaveTheDatabaseAsItWas() throws {
    try folder.write(
      "user_id,metric_date,source,steps\nanna,2026-06-01,fitbit,1\nben,2026-06-01,fitbit,x\n",
      to: "wearable_daily_metrics.csv")
    let error = try #require(throws: ImportError.self) { try importCSV(folder.path) }
    #expect(error.code == .badData)
    #expect(try storage.metricDays() == nil)
    #expect(try contents().isEmpty)
  }

  @Test mutating func anInterruptedImportLeavesTheDatabaseAsItWas() throws {
    let rows = (0..<5000).map { "p\($0),2026-06-01,fitbit,1" }.joined(separator: "\n")
    try folder.write(
      "user_id,metric_date,source,steps\n\(rows)\n", to: "wearable_daily_metrics.csv")
    options.shouldStop = { true }
    let error = try #require(throws: ImportError.self) { try importCSV(folder.path) }
    #expect(error.code == .interrupted)
    #expect(try storage.metricDays() == nil)
  }

  @Test mutating func badRowsArePutAsideAndTheRestArrives() throws {
    options.maxBadRowFraction = 1
    try folder.write(
      "user_id,metric_date,source,steps\nanna,2026-06-01,fitbit,1\nben,2026-06-01,fitbit,inf\n",
      to: "wearable_daily_metrics.csv")
    let summary = try importCSV(folder.path)
    #expect(summary.firstProblems == ["wearable_daily_metrics.csv:3: steps: not a finite number"])
    #expect(try storage.persons(withDataIn: history) == [UUID(name: "anna")])
  }

  @Test func laterFilesUpdateOnlyTheColumnsTheyHave() throws {
    try folder.write(
      "user_id,metric_date,source,steps,hrv_ms\nanna,2026-06-01,fitbit,100,40\n",
      to: "wearable_daily_metrics.csv")
    _ = try importCSV(folder.path)
    try folder.write(
      "user_id,metric_date,source,steps\nanna,2026-06-01,fitbit,200\n",
      to: "wearable_daily_metrics.csv")
    _ = try importCSV(folder.path)
    let sink = RowTexts()
    try storage.makeReader().readMetrics(
      of: [UUID(name: "anna")], days: history, metrics: ["steps", "hrv_ms"].map { MetricType($0) },
      reportsWear: false, into: sink)
    #expect(sink.texts == ["0 2026-06-01 fitbit [200.0, 40.0]"])
  }

  @Test func onlyPersonsThatWereNotThereCountAsAdded() throws {
    let columns = "user_id,metric_date,source,steps"
    try folder.write("\(columns)\nanna,2026-06-01,fitbit,1\n", to: "wearable_daily_metrics.csv")
    #expect(try importCSV(folder.path).tables.map(\.personsAdded) == [1])
    #expect(try importCSV(folder.path).tables.map(\.personsAdded) == [0])
    try folder.write(
      "\(columns)\nanna,2026-06-02,fitbit,1\nben,2026-06-02,fitbit,1\n",
      to: "wearable_daily_metrics.csv")
    #expect(try importCSV(folder.path).tables.map(\.personsAdded) == [1])
  }

  @Test func errorsOfTheDatabasePassThrough() throws {
    let unmigrated = try SQLiteStorage(path: folder.file("empty.sqlite"), mode: .createIfMissing)
    try folder.write("id\nanna\n", to: "users.csv")
    #expect(throws: StorageError.self) {
      try CSVFolderImport(folder: folder.path, options: options).run(into: unmigrated)
    }
  }
}

private final class RowTexts: MetricRowSink {
  private(set) var texts: [String] = []
  private var sources: [String] = []

  func index(ofSource name: String) -> Int {
    if let index = sources.firstIndex(of: name) { return index }
    sources.append(name)
    return sources.count - 1
  }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>, isWorn: Bool
  ) {
    texts.append("\(person) \(day) \(sources[source]) \(Array(values))")
  }
}
