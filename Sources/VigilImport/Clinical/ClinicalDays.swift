import Foundation
import VigilModel
import VigilStorage

/// Measurements, brought together by person, day and device.
struct ClinicalDays {
  struct Key: Hashable {
    var person: PersonID
    var day: Day
    var source: String
  }

  /// One measurement that counts.
  private struct Part {
    var key: Key
    var metric: MetricType
    var ofDay: ClinicalLayout.OfDay
    var value: Double
  }

  private let layout: ClinicalLayout
  private let request: ClinicalImport.Request
  private let parser: FieldParser
  private let options: ImportOptions
  private var parts: [Part] = []
  /// The place of a record's part, by person and id: a later version takes the place of an earlier one.
  private var places: [String: Int] = [:]
  /// The zones of persons; nil where none is known.
  private var zones: [UUID: ZoneRules?] = [:]

  init(
    _ layout: ClinicalLayout, _ request: ClinicalImport.Request, parser: FieldParser,
    options: ImportOptions
  ) {
    self.layout = layout
    self.request = request
    self.parser = parser
    self.options = options
  }

  /// Takes a record, as far as it is one of the measurements that are read.
  ///
  /// - Throws: `RowProblem` where it cannot be used.
  mutating func add(_ record: ClinicalRecord) throws(RowProblem) {
    guard let measurement = layout.measurements.first(where: record.fulfils) else { return }
    guard let name = record.person ?? request.user else {
      throw RowProblem(column: "person", reason: "missing")
    }
    let place = record.id.flatMap { places["\(name)\u{0}\($0)"] }
    if record.isWithdrawn {
      if let place { parts[place].value = .nan }
      return
    }
    let metric = MetricType(measurement.metric)
    let person: PersonID
    let value: Double
    do throws(Refusal) {
      person = try parser.personID(name)
      value = try self.value(of: record, measurement, metric)
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
    let part = Part(
      key: Key(person: person, day: day, source: record.source ?? layout.source), metric: metric,
      ofDay: measurement.ofDay, value: value)
    if let place {
      parts[place] = part
    } else {
      if let id = record.id { places["\(name)\u{0}\(id)"] = parts.count }
      parts.append(part)
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

  /// The rows, by the metrics that they have.
  var rows: [(metrics: [MetricType], rows: [(key: Key, values: [MetricType: Double])])] {
    struct Total {
      var sum: Double?
      var mean: (sum: Double, count: Double)?
      var most: Double?

      var value: Double? {
        [sum, mean.map { $0.sum / $0.count }, most].compactMap(\.self).max()
      }
    }
    var totals: [Key: [MetricType: Total]] = [:]
    for part in parts where !part.value.isNaN {
      var total = totals[part.key]?[part.metric] ?? Total()
      switch part.ofDay {
      case .sum: total.sum = (total.sum ?? 0) + part.value
      case .mean:
        total.mean = ((total.mean?.sum ?? 0) + part.value, (total.mean?.count ?? 0) + 1)
      case .max: total.most = max(total.most ?? part.value, part.value)
      }
      totals[part.key, default: [:]][part.metric] = total
    }
    let rows = totals.map { key, values in (key: key, values: values.compactMapValues(\.value)) }
      .sorted {
        ($0.key.person.id.uuidString, $0.key.day, $0.key.source)
          < ($1.key.person.id.uuidString, $1.key.day, $1.key.source)
      }
    let groups = Dictionary(grouping: rows) { row in
      InputTable.wearableMetrics.filter { row.values[$0] != nil }
    }
    return groups.sorted {
      $0.key.map(\.rawValue).lexicographicallyPrecedes($1.key.map(\.rawValue))
    }.map { (metrics: $0.key, rows: $0.value) }
  }
}

extension MetricUnit {
  /// The units that a text means: a code of UCUM, or a word of Open mHealth.
  static let clinical: [String: Set<MetricUnit>] = [
    "h": [.hours], "min": [.minutes], "s": [.seconds], "sec": [.seconds], "ms": [.milliseconds],
    "{steps}": [.count], "{step}": [.count], "steps": [.count], "1": [.count, .fraction],
    "/min": [.bpm, .perMinute], "{beats}/min": [.bpm], "beats/min": [.bpm], "bpm": [.bpm],
    "{breaths}/min": [.perMinute], "breaths/min": [.perMinute], "%": [.percent],
    "kcal": [.kcal], "kJ": [.kJ], "Cel": [.celsius], "C": [.celsius], "[degF]": [.fahrenheit],
    "F": [.fahrenheit],
  ]
}
