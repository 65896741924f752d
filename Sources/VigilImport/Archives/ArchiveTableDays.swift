import Foundation
import VigilModel
import VigilStorage

/// The records of one kind of table of an export, combined by day.
struct ArchiveTableDays {
  private let table: ArchiveTable
  private let metrics: [MetricType]
  /// The columns of each metric.
  private let columns: [[(column: String, unit: MetricUnit)]]
  private var groups: [Day: [String: SameDayRows]] = [:]
  /// Records that a later one with the same id can replace, in the order of the first of each.
  private var identified: [(day: Day, group: String, row: [Double?])] = []
  private var places: [String: Int] = [:]
  /// Digests of records, so that one that is there twice counts once.
  private var seen: Set<Int> = []

  init(_ table: ArchiveTable) {
    self.table = table
    let metrics = InputTable.wearableMetrics.filter { metric in
      table.columns.contains { $0.metric == metric }
    }
    self.metrics = metrics
    columns = metrics.map { metric in
      table.columns.filter { $0.metric == metric }.map { ($0.column, $0.unit) }
    }
  }

  /// Reads all records of a file.
  ///
  /// - Throws: `ImportError` where the file cannot be read, or the zone of its times is not known.
  mutating func add(
    _ file: InputFile, reading: ArchiveReading, didRead: @escaping (_ bytes: Int) -> Void
  ) throws {
    let records = ArchiveRecords(file: file, table: table, didRead: didRead)
    let name = fileName(file.path)
    let present = table.format == .csv ? try records.header() : nil
    if table.format == .csv, present == nil { return }
    let columns = columns.map { parts in
      parts.filter { present?.contains(ColumnRole.letters(of: $0.column)) ?? true }
    }
    var leftOut = Set(table.leftOut.keys)
    try records.forEach(reading: reading) { record, _ throws(RowProblem) in
      try add(record, columns: columns, reading: reading)
      // Each is looked for until a record has it.
      for column in leftOut where record(column) != nil {
        leftOut.remove(column)
        reading.leaveOut(column, of: name, because: table.leftOut[column] ?? "")
      }
    }
  }

  private mutating func add(
    _ record: ArchiveRecords.Record, columns: [[(column: String, unit: MetricUnit)]],
    reading: ArchiveReading
  ) throws(RowProblem) {
    guard table.admits(record), let (dayColumn, text) = table.first(table.day.columns, of: record)
    else { return }
    var row: [Double?] = []
    for (metric, parts) in zip(metrics, columns) {
      var sum: Double? = parts.isEmpty ? nil : 0
      for part in parts {
        let number = try number(part, of: metric, in: record, reading)
        // Where one column has no value, the sum has none.
        sum = sum.flatMap { sum in number.map { sum + $0 } }
      }
      row.append(sum)
    }
    guard row.contains(where: { $0 != nil }) else { return }
    let day = try table.date(of: text, in: dayColumn, record, reading)
    let group = table.oneOf.flatMap(record) ?? ""
    let id = table.id.compactMap(record)
    guard id.isEmpty else {
      let key = id.joined(separator: "\u{0}")
      if let place = places[key] {
        identified[place] = (day, group, row)
      } else {
        places[key] = identified.count
        identified.append((day, group, row))
      }
      return
    }
    var hasher = Hasher()
    hasher.combine(text)
    hasher.combine(group)
    hasher.combine(row)
    guard seen.insert(hasher.finalize()).inserted else { return }
    combine(day, group, row)
  }

  private mutating func combine(_ day: Day, _ group: String, _ row: [Double?]) {
    groups[day, default: [:]][group, default: SameDayRows(line: 0, width: metrics.count)].add(
      row, of: metrics, by: table.sameDay)
  }

  /// The days of the table, in order.
  mutating func finish() -> [(day: Day, values: [MetricType: Double])] {
    for (day, group, row) in identified { combine(day, group, row) }
    identified = []
    return groups.sorted { $0.key < $1.key }.map { day, groups in
      // Of devices that count the same, the one that counted most was worn.
      let best = groups.max { left, right in
        let (first, second) = (left.value.result.first ?? nil, right.value.result.first ?? nil)
        return (first ?? -1, right.key) < (second ?? -1, left.key)
      }
      let values = zip(metrics, best?.value.result ?? []).compactMap { metric, value in
        value.map { (metric, $0) }
      }
      return (day, Dictionary(uniqueKeysWithValues: values))
    }
  }

  // MARK: Values

  private func number(
    _ part: (column: String, unit: MetricUnit), of metric: MetricType,
    in record: ArchiveRecords.Record, _ reading: ArchiveReading
  ) throws(RowProblem) -> Double? {
    guard var text = record(part.column), !MissingWord.matches(text) else {
      return nil
    }
    let result = text.withUTF8 { bytes in
      Result<Double, Refusal> { () throws(Refusal) in
        try part.unit.value(bytes, of: metric, mark: .point, parser: reading.parser)
      }
    }
    switch result {
    case .success(let number):
      return number == 0 && table.missingZeros.contains(part.column) ? nil : number
    case .failure(let refusal): throw RowProblem(column: part.column, reason: refusal.reason)
    }
  }
}
