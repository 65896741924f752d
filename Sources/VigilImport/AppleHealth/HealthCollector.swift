import Foundation
import VigilModel
import VigilStorage

/// Sums the records of an export up while it is read.
final class HealthCollector {
  private(set) var days = HealthDays()
  private(set) var workouts: [ImportedWorkout] = []
  /// The first unusable records; `problemCount` is the number of all.
  private(set) var problems: [(problem: RowProblem, line: Int)] = []
  private(set) var problemCount = 0
  /// Records of types that are read.
  private(set) var recordCount = 0

  private let file: String
  private let options: ImportOptions
  private let parser: FieldParser
  /// The clock of records that do not name one; nil for that of the export.
  private let zone: ZoneRules?
  private var zones = NamedZones()
  /// The record that is being read, whose zone may follow.
  private var open: OpenRecord?
  private var seen = SeenRecords()
  private var isInside = false
  private var elementCount = 0
  private var bytes: HealthText?
  private var sources = NameTable(limit: HealthCollector.mostSources)
  private var counts: [Int] = Array(repeating: 0, count: HealthRecordKind.allCases.count)
  private var sleepCount = 0
  private var ignored = NameCounts(limit: HealthCollector.mostSources)
  /// Records that were there before, the same in all that counts.
  private var repeatedCount = 0

  /// More unusable records than this are only counted.
  private static let mostProblems = 10_000
  private static let mostSources = 10_000

  /// - Parameter zone: The clock of records that do not name one; nil for that of the export.
  init(file: String, zone: ZoneRules?, options: ImportOptions) {
    self.file = file
    self.zone = zone
    self.options = options
    parser = FieldParser(today: options.today, zones: options.zones)
  }

  /// - Throws: `ImportError` where the file is no export, or cannot be read to its end.
  func collect(_ bytes: any ByteSource) throws {
    let text = HealthText(bytes)
    self.bytes = text
    var line: () -> Int = { 0 }
    // Reading, decompressing and cleaning take a third of the time that the parser does.
    let ahead = ReadAhead(text)
    defer { ahead.stop() }
    let reader = try XMLReader(ahead) { [self] name, attributes in
      try start(name, attributes, line: line)
    } endElement: { [self] name in
      if open != nil, name.equals("Record") || name.equals("Workout") { close() }
    }
    line = { [unowned reader] in reader.line }
    try reader.read()
  }

  /// The zone in which most records were made, where the export was made in another one and no zone was given: its
  /// clock is not that of the person's days.
  var homeZone: (name: String, rules: ZoneRules)? {
    zone == nil ? zones.home : nil
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
        close()
        try record(attributes)
      } else if name.equals("Workout") {
        close()
        recordCount += 1
        try workout(attributes, line: line())
      } else if open != nil, name.equals("MetadataEntry"), let key = attributes["key"],
        key.equals("HKTimeZone"), let value = attributes["value"]
      {
        open?.zone = zones.zone(named: value, in: options.zones)
      }
    } catch {
      problemCount += 1
      if problems.count < Self.mostProblems { problems.append((error, line())) }
    }
  }

  private func record(_ attributes: XMLReader.Attributes) throws(RowProblem) {
    guard let type = attributes["type"] else { throw RowProblem(column: "type", reason: "missing") }
    if type.equals("HKCategoryTypeIdentifierSleepAnalysis") {
      return try sleep(attributes)
    }
    guard let name = type.dropping("HKQuantityTypeIdentifier"),
      let kind = HealthRecordKind.allCases.first(where: { name.equals($0.name) })
    else { return ignored.count(type) }
    recordCount += 1
    counts[Int(kind.rawValue)] += 1
    let start = try date("startDate", attributes)
    let end = attributes["endDate"].flatMap { HealthDate($0) } ?? start
    let unit = attributes["unit"]
    guard let known = kind.units.first(where: { unit?.equals($0.name) ?? false }) else {
      throw RowProblem(column: "unit", reason: "not a unit of \(kind.metric.rawValue)")
    }
    guard let text = attributes["value"] else {
      throw RowProblem(column: "value", reason: "missing")
    }
    let value = (try number(text) - known.zero) * known.factor
    if value > 100, kind.metric.isShare {
      throw RowProblem(column: "value", reason: "above 100 %")
    }
    open = OpenRecord(
      .quantity(kind, value), from: start, to: end, source: try source(attributes))
  }

  private func sleep(_ attributes: XMLReader.Attributes) throws(RowProblem) {
    guard let value = attributes["value"] else {
      recordCount += 1
      throw RowProblem(column: "value", reason: "missing")
    }
    // One that a later version may bring is no fault of the file.
    guard let stage = SleepStage(value) else { return ignored.count(value) }
    recordCount += 1
    sleepCount += 1
    let (start, end) = try range(attributes)
    open = OpenRecord(.sleep(stage), from: start, to: end, source: try source(attributes))
  }

  private func workout(_ attributes: XMLReader.Attributes, line: Int) throws(RowProblem) {
    guard let type = attributes["workoutActivityType"] else {
      throw RowProblem(column: "workoutActivityType", reason: "missing")
    }
    let (start, end) = try range(attributes)
    let activity = String(cString: type.dropping("HKWorkoutActivityType") ?? type)
    open = OpenRecord(.workout(activity, line: line), from: start, to: end, source: 0)
  }

  /// Takes the open record, on the clock that it names, or else that of the person.
  private func close() {
    guard var record = open else { return }
    open = nil
    if let named = record.zone {
      let offset = record.start.offset
      record.show(in: named.rules)
      zones.count(named, differs: record.start.offset != offset)
    } else if let zone {
      record.show(in: zone)
    }
    guard seen.isNew(record) else {
      repeatedCount += 1
      return
    }
    switch record.content {
    case .quantity(let kind, let value):
      days.add(
        value, kind, at: kind.isOfANight ? record.end : record.start, source: record.source)
    case .sleep(let stage):
      days.add(stage, from: record.start, to: record.end, source: record.source)
    case .workout(let activity, let line):
      workouts.append(
        ImportedWorkout(
          day: record.start.day, activity: activity,
          start: Timestamp(microseconds: record.start.instant * 1_000_000),
          end: Timestamp(microseconds: record.end.instant * 1_000_000), line: line))
    }
  }

  private func range(
    _ attributes: XMLReader.Attributes
  ) throws(RowProblem) -> (start: HealthDate, end: HealthDate) {
    let (start, end) = (try date("startDate", attributes), try date("endDate", attributes))
    guard end.instant >= start.instant else {
      throw RowProblem(column: "endDate", reason: "before startDate")
    }
    return (start, end)
  }

  private func date(
    _ name: StaticString, _ attributes: XMLReader.Attributes
  ) throws(RowProblem) -> HealthDate {
    guard let text = attributes[name], let date = HealthDate(text) else {
      throw RowProblem(column: "\(name)", reason: "not a time (YYYY-MM-DD HH:MM:SS +HHMM)")
    }
    do throws(Refusal) {
      try parser.requireObservable(date.day)
    } catch {
      throw RowProblem(column: "\(name)", reason: error.reason)
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

  private func source(_ attributes: XMLReader.Attributes) throws(RowProblem) -> Int {
    guard let name = attributes["sourceName"] else {
      throw RowProblem(column: "sourceName", reason: "missing")
    }
    guard let number = sources.number(of: name) else {
      throw RowProblem(column: "sourceName", reason: "more than \(Self.mostSources) sources")
    }
    return number
  }

  /// - Parameter zone: The name of the zone of records that do not name one, for the user.
  func interpretation(user: String, zone: String?) -> FileInterpretation {
    var columns = [FileInterpretation.Column(name: "(all rows)", meaning: "user_id \(user)")]
    if let zone {
      columns.append(
        .init(
          name: "(all rows)",
          meaning: "days of \(zone), where a record names no zone of its own"))
    }
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
    return FileInterpretation(
      file: file, form: form, columns: columns,
      ignored: ignored.names.map { name in
        Self.prefixes.first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) } ?? name
      })
  }

  private var form: [String] {
    var form = [
      "apple-health", FileInterpretation.count(elementCount, "element"),
      FileInterpretation.count(sources.count, "source") + ", one for each day and metric",
    ]
    if repeatedCount > 0 {
      form.append("\(FileInterpretation.count(repeatedCount, "record")) repeated and counted once")
    }
    if bytes?.hasDocumentType ?? false { form.append("document type not read") }
    if let dropped = bytes?.droppedCount, dropped > 0 {
      form.append("\(FileInterpretation.count(dropped, "forbidden character")) left out")
    }
    return form
  }

  private static let prefixes = [
    "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCategoryValueSleepAnalysis",
    "HKDataType",
  ]
}
