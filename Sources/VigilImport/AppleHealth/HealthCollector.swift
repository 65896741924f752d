import Foundation
import VigilModel
import VigilStorage

/// Sums the records of an export up while it is read.
final class HealthCollector {
  private(set) var days = HealthDays()
  private(set) var workouts: [HealthWorkout] = []
  /// The first unusable records; `problemCount` is the number of all.
  private(set) var problems: [(problem: RowProblem, line: Int)] = []
  private(set) var problemCount = 0
  /// Records of types that are read.
  private(set) var recordCount = 0

  private let file: String
  private let options: ImportOptions
  private let parser: FieldParser
  private var isInside = false
  private var elementCount = 0
  private var sources: [[CChar]] = []
  private var latestSource = 0
  private var counts: [Int] = Array(repeating: 0, count: HealthRecordKind.allCases.count)
  private var sleepCount = 0
  private var ignored: [(name: [CChar], count: Int)] = []
  private var latestIgnored = 0

  /// More unusable records than this are only counted.
  private static let mostProblems = 10_000
  private static let mostSources = 10_000

  init(file: String, options: ImportOptions) {
    self.file = file
    self.options = options
    parser = FieldParser(today: options.today, zones: options.zones)
  }

  /// - Throws: `ImportError` where the file is no export, or cannot be read to its end.
  func collect(_ bytes: any ByteSource) throws {
    var line: () -> Int = { 0 }
    let reader = try XMLReader(bytes) { [self] name, attributes in
      try start(name, attributes, line: line)
    }
    line = { [unowned reader] in reader.line }
    try reader.read()
  }

  private func start(
    _ name: UnsafePointer<CChar>, _ attributes: XMLReader.Attributes, line: () -> Int
  ) throws {
    elementCount += 1
    if elementCount % 65_536 == 0, options.shouldStop() { throw ImportError.interruption }
    guard isInside else {
      guard name.equals("HealthData") else {
        throw ImportError(
          .badData,
          "\(file) is no export of Apple Health: its first element is not HealthData; nothing was imported"
        )
      }
      isInside = true
      return
    }
    do throws(RowProblem) {
      if name.equals("Record") {
        try record(attributes)
      } else if name.equals("Workout") {
        recordCount += 1
        try workout(attributes, line: line())
      }
    } catch {
      problemCount += 1
      if problems.count < Self.mostProblems { problems.append((error, line())) }
    }
  }

  private func record(_ attributes: XMLReader.Attributes) throws(RowProblem) {
    guard let type = attributes["type"] else { throw RowProblem(column: "type", reason: "missing") }
    if type.equals("HKCategoryTypeIdentifierSleepAnalysis") { return try sleep(attributes) }
    guard let name = type.dropping("HKQuantityTypeIdentifier"),
      let kind = HealthRecordKind.allCases.first(where: { name.equals($0.name) })
    else { return ignore(type) }
    recordCount += 1
    counts[Int(kind.rawValue)] += 1
    let start = try date("startDate", attributes)
    let unit = attributes["unit"]
    guard let factor = kind.units.first(where: { unit?.equals($0.name) ?? false })?.factor else {
      throw RowProblem(column: "unit", reason: "not a unit of \(kind.metric.rawValue)")
    }
    guard let text = attributes["value"] else {
      throw RowProblem(column: "value", reason: "missing")
    }
    let value = try number(text)
    days.add(value * factor, kind, at: start, source: try source(attributes))
  }

  private func sleep(_ attributes: XMLReader.Attributes) throws(RowProblem) {
    recordCount += 1
    sleepCount += 1
    guard let value = attributes["value"], let stage = SleepStage(value) else {
      throw RowProblem(column: "value", reason: "not a stage of sleep")
    }
    let (start, end) = (try date("startDate", attributes), try date("endDate", attributes))
    guard end.instant >= start.instant else {
      throw RowProblem(column: "endDate", reason: "before startDate")
    }
    days.add(stage, from: start, to: end, source: try source(attributes))
  }

  private func workout(_ attributes: XMLReader.Attributes, line: Int) throws(RowProblem) {
    guard let type = attributes["workoutActivityType"] else {
      throw RowProblem(column: "workoutActivityType", reason: "missing")
    }
    let (start, end) = (try date("startDate", attributes), try date("endDate", attributes))
    guard end.instant >= start.instant else {
      throw RowProblem(column: "endDate", reason: "before startDate")
    }
    workouts.append(
      HealthWorkout(
        day: start.day, activity: String(cString: type.dropping("HKWorkoutActivityType") ?? type),
        start: start.instant, end: end.instant, line: line))
  }

  private func date(
    _ name: StaticString, _ attributes: XMLReader.Attributes
  ) throws(RowProblem) -> HealthDate {
    guard let text = attributes[name], let date = HealthDate(text) else {
      throw RowProblem(column: "\(name)", reason: "not a time (YYYY-MM-DD HH:MM:SS +HHMM)")
    }
    guard date.day <= parser.lastDay else {
      throw RowProblem(column: "\(name)", reason: "date in the future")
    }
    return date
  }

  private func number(_ text: UnsafePointer<CChar>) throws(RowProblem) -> Double {
    let length = strlen(text)
    return try text.withMemoryRebound(to: UInt8.self, capacity: length) {
      bytes throws(RowProblem) in
      do throws(Refusal) {
        let number = try parser.real(UnsafeBufferPointer(start: bytes, count: length))
        if number < 0 { throw Refusal("negative") }
        return number
      } catch {
        throw RowProblem(column: "value", reason: error.reason)
      }
    }
  }

  /// The number of a record's source; records of one source mostly follow each other.
  private func source(_ attributes: XMLReader.Attributes) throws(RowProblem) -> Int {
    guard let name = attributes["sourceName"] else {
      throw RowProblem(column: "sourceName", reason: "missing")
    }
    if latestSource < sources.count, strcmp(sources[latestSource], name) == 0 {
      return latestSource
    }
    if let index = sources.firstIndex(where: { strcmp($0, name) == 0 }) {
      latestSource = index
      return index
    }
    guard sources.count < Self.mostSources else {
      throw RowProblem(column: "sourceName", reason: "more than \(Self.mostSources) sources")
    }
    sources.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
    latestSource = sources.count - 1
    return latestSource
  }

  private func ignore(_ type: UnsafePointer<CChar>) {
    if latestIgnored < ignored.count, strcmp(ignored[latestIgnored].name, type) == 0 {
      ignored[latestIgnored].count += 1
      return
    }
    if let index = ignored.firstIndex(where: { strcmp($0.name, type) == 0 }) {
      latestIgnored = index
    } else if ignored.count < Self.mostSources {
      ignored.append((Array(UnsafeBufferPointer(start: type, count: strlen(type) + 1)), 0))
      latestIgnored = ignored.count - 1
    } else {
      return
    }
    ignored[latestIgnored].count += 1
  }

  func interpretation(user: String) -> FileInterpretation {
    var columns = [FileInterpretation.Column(name: "(all rows)", meaning: "user_id \(user)")]
    for kind in HealthRecordKind.allCases where counts[Int(kind.rawValue)] > 0 {
      let records = FileInterpretation.count(counts[Int(kind.rawValue)], "record")
      columns.append(
        .init(
          name: "\(kind.name)",
          meaning: "\(kind.metric.rawValue), \(kind.isSum ? "sum" : "mean") of a day (\(records))"))
    }
    if sleepCount > 0 {
      columns.append(
        .init(
          name: "SleepAnalysis",
          meaning: "sleep_minutes and stages (\(FileInterpretation.count(sleepCount, "record")))"))
    }
    if !workouts.isEmpty {
      columns.append(.init(name: "Workout", meaning: "exercise_sessions (\(workouts.count))"))
    }
    let prefixes: [StaticString] = [
      "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType",
    ]
    return FileInterpretation(
      file: file,
      form: [
        FileInterpretation.count(elementCount, "element"),
        FileInterpretation.count(sources.count, "source") + ", one for each day and metric",
      ],
      columns: columns,
      ignored: ignored.sorted { $0.count > $1.count }.map { type, _ in
        type.withUnsafeBufferPointer { type in
          guard let type = type.baseAddress else { return "" }
          return String(cString: prefixes.lazy.compactMap { type.dropping($0) }.first ?? type)
        }
      })
  }
}
