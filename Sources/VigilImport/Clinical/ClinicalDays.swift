import Foundation
import VigilModel
import VigilStorage

/// Measurements, brought together by person, day and device.
///
/// Each takes 40 bytes, in memory or, where there are many, in files without a name: memory grows with persons and devices
/// alone.
struct ClinicalDays {
  /// A row to write.
  struct Row {
    var person: PersonID
    var day: Day
    var source: String
    var values: [MetricType: Double]
  }

  let layout: ClinicalLayout
  private let request: ClinicalImport.Request
  private let parser: FieldParser
  private let options: ImportOptions
  let metrics: [MetricType]
  /// Measurements of records with an id, of which a later version may follow.
  let identified: PartedFile<ClinicalPart>
  /// Measurements that count.
  let counted: PartedFile<ClinicalPart>
  private(set) var persons = NumberedNames<PersonID>()
  private(set) var sources = NumberedNames<String>()
  /// The zones of persons; nil where none is known.
  private var zones: [UUID: ZoneRules?] = [:]

  /// - Parameter blockLength: Measurements of each of 128 parts that stay in memory.
  init(
    _ layout: ClinicalLayout, _ request: ClinicalImport.Request, parser: FieldParser,
    options: ImportOptions, blockLength: Int = 512
  ) {
    self.layout = layout
    identified = PartedFile(of: "the measurements", blockLength: blockLength)
    counted = PartedFile(of: "the measurements", blockLength: blockLength)
    self.request = request
    self.parser = parser
    self.options = options
    metrics = layout.measurements.map { MetricType($0.metric) }
  }

  /// The measurement of a record; nil where it is none of those that are read.
  ///
  /// - Throws: `RowProblem` where it cannot be used.
  mutating func part(of record: ClinicalRecord) throws(RowProblem) -> ClinicalPart? {
    guard let place = layout.measurements.firstIndex(where: record.fulfils) else { return nil }
    let measurement = layout.measurements[place]
    guard let name = record.person ?? request.user else {
      throw RowProblem(column: "person", reason: "missing")
    }
    if record.isWithdrawn {
      // Of a person who has no record so far there is nothing to withdraw.
      guard let person = persons.number(named: name), let id = record.id else { return nil }
      return ClinicalPart(
        identity: .init(person: person, id: id), value: .nan,
        row: .init(person: person, day: 0, source: 0), measurement: UInt32(place))
    }
    let person: PersonID
    let value: Double
    do throws(Refusal) {
      person = try parser.personID(name)
      value = try self.value(of: record, measurement, metrics[place])
    } catch {
      throw RowProblem(column: "value", reason: error.reason)
    }
    guard let time = record.time(at: measurement.at ?? .start) else {
      throw RowProblem(column: "time", reason: "missing, or no date and no instant with an offset")
    }
    guard let day = time.day(in: zone(of: person.id)) else {
      throw RowProblem(
        column: "time", reason: "a time in UTC of a person whose time zone is not known")
    }
    do throws(Refusal) {
      try parser.requireObservable(day)
    } catch {
      throw RowProblem(column: "time", reason: error.reason)
    }
    let number = persons.number(named: name, adding: person)
    let source = record.source ?? layout.source
    return ClinicalPart(
      identity: record.id.map { .init(person: number, id: $0) } ?? .none, value: value,
      row: .init(
        person: number, day: day.ordinal, source: sources.number(named: source, adding: source)),
      measurement: UInt32(place))
  }

  /// Keeps a measurement.
  ///
  /// - Throws: `ImportError` where the file for many of them cannot be written.
  func keep(_ part: ClinicalPart) throws {
    if part.identity == .none {
      try counted.append(part, hash: part.hashOfRow)
    } else {
      try identified.append(part, hash: part.identity.low)
    }
  }

  private func value(
    of record: ClinicalRecord, _ measurement: ClinicalLayout.Measurement, _ metric: MetricType
  ) throws(Refusal) -> Double {
    guard let (number, unit) = record.value(of: measurement) else { throw Refusal("missing") }
    let units = MetricUnit.units(of: metric)
    let known = unit.map { text in
      units.first { MetricUnit.clinical[text]?.contains($0) ?? false }
    }
    guard let known = known ?? units[0] else {
      throw Refusal("not in a unit of \(metric)")
    }
    let value = known.stored(number, of: metric)
    guard value.isFinite else { throw Refusal("not a finite number") }
    try parser.requirePossible(value, of: metric)
    return value
  }

  private mutating func zone(of person: UUID) -> ZoneRules? {
    if let known = zones[person] { return known }
    let found = try? options.zone(request.timeZone, of: person)?.rules
    zones[person] = found
    return found
  }
}
