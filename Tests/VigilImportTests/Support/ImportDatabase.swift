import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

/// A migrated database of one kind, and files to be imported into it.
struct ImportDatabase {
  let folder: TemporaryFolder
  let storage: any Storage
  var options: ImportOptions
  let history: ClosedRange<Day>
  /// Is there for as long as this value is.
  let database: TestDatabase

  init(_ kind: DatabaseKind) throws {
    folder = try TemporaryFolder()
    database = try kind.makeMigratedDatabase(in: folder.path)
    storage = try database.open()
    let now = try #require(Timestamp("2026-06-30T03:00:00Z"))
    let today = try #require(Day("2026-06-30"))
    options = ImportOptions(today: today, now: now, zones: .system)
    history = today - 10_000...today
  }

  func write(_ text: String, to name: String = "wearable_daily_metrics.csv") throws {
    try folder.write(text, to: name)
  }

  /// Imports the files of the folder, or those of another.
  func importCSV(_ path: String? = nil) throws -> ImportSummary {
    try CSVFolderImport(folder: path ?? folder.path, options: options).run(into: storage)
  }

  /// Metric rows of `persons` as texts.
  func rows(of persons: [UUID], metrics: [MetricType]) throws -> [String] {
    let sink = RowTexts()
    try storage.makeReader().readMetrics(
      of: persons, days: history, metrics: metrics, reportsWear: false, into: sink)
    return sink.texts
  }

  /// Everything that detection would read, as texts.
  func contents() throws -> [String] {
    let persons = try storage.persons(withDataIn: history)
    var texts = try rows(of: persons, metrics: InputTable.wearableMetrics)
    let reader = try storage.makeReader()
    try reader.readWorkoutDays(of: persons, days: history) { person, day in
      texts.append("\(person) works out on \(day)")
    }
    let families = try reader.familyMembers(of: persons)
    let exclusions = try reader.exclusions(of: persons).flatMap { subject, excluded in
      excluded.map { "\(subject) excludes \($0)" }
    }
    return persons.map(\.lowercased) + texts + families.map { "\($0)" } + exclusions.sorted()
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
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    texts.append("\(person) \(day) \(sources[source]) \(Array(values))")
  }
}
