import VigilDetection
import VigilModel

/// A batch of observations after every check, before any of it is taken.
struct StagedRows {
  /// Rows of one person that follow each other.
  struct Run {
    var person: String
    var rows: Range<Int>
  }

  private(set) var runs: [Run] = []
  private(set) var days: [Int32] = []
  private(set) var sources: [Int32] = []
  var width: Int { columns.count }

  /// The names of columns.
  enum Names {
    static let person = ["person", "user_id"]
    static let date = ["date", "metric_date"]
    static let source = ["source"]
  }

  /// The followed metrics of this batch and those before it, in the order of the values of a row.
  private let columns: [MetricType]
  private let followed: [(column: NumberColumn, place: Int)]
  /// Measurements that the profile does not need, which show that the device was worn.
  private let others: [NumberColumn]

  /// - Parameters:
  ///   - batch: The batch.
  ///   - columns: The metrics of earlier batches, to which those of this one are added.
  ///   - metrics: Those of the profile.
  ///   - wearColumns: Columns beside them that say whether a device was worn.
  ///   - sources: The numbers of sources, to which those of this batch are added.
  ///   - notes: Get what looks wrong about the columns.
  /// - Throws: `Failure` with column and row.
  init(
    _ batch: RecordBatch, columns: inout [MetricType], metrics: [MetricType],
    wearColumns: [MetricType], sources: inout SourceNumbers, notes: inout InputNotes
  ) throws(Failure) {
    let persons = try TextRows(
      batch.requiredColumn(Names.person, "whose rows are one person's"))
    days = try DayColumn.read(batch.requiredColumn(Names.date, "the day of the values"))
    let keys = Set(Names.person + Names.date + Names.source)
    var followed: [(column: NumberColumn, place: Int)] = []
    var others: [NumberColumn] = []
    var hasMetric = false
    for column in batch.columns where !keys.contains(column.name) {
      let isFollowed = metrics.contains(MetricType(column.name))
      guard NumberColumn.canRead(column.format), try column.dictionary() == nil else {
        if isFollowed {
          throw column.fault(
            "holds \(column.typeWords); a metric needs whole or floating-point numbers")
        }
        notes.addNotRead(column)
        continue
      }
      guard isFollowed || wearColumns.contains(MetricType(column.name)) else {
        notes.addUnfollowed(column.name)
        if column.name != MetricType.wornMinutes.rawValue {
          others.append(try NumberColumn(column))
        }
        continue
      }
      hasMetric = hasMetric || isFollowed
      _ = try batch.column([column.name])
      let metric = MetricType(column.name)
      let place = columns.firstIndex(of: metric) ?? columns.count
      if place == columns.count { columns.append(metric) }
      let numbers = try NumberColumn(column)
      notes.look(at: numbers, of: metric, rows: batch.count)
      followed.append((numbers, place))
    }
    guard hasMetric else {
      throw .data(
        "no column is a metric of the profile; it follows "
          + metrics.map(\.rawValue).joined(separator: ", ") + ", and the columns are "
          + batch.columns.map(\.name).joined(separator: ", "))
    }
    (self.columns, self.followed, self.others) = (columns, followed, others)
    try readRuns(persons, count: batch.count)
    try readSources(batch, into: &sources)
  }

  /// Writes the values of some rows, row after row, and whether each has another measurement above 0.
  ///
  /// - Parameters:
  ///   - values: `rows.count * width` elements, all NaN.
  ///   - positive: `rows.count` elements, all false.
  func write(
    _ rows: Range<Int>, to values: UnsafeMutablePointer<Double>,
    otherPositive positive: UnsafeMutablePointer<Bool>
  ) {
    for (column, place) in followed { column.write(rows, to: values + place, stride: width) }
    guard !others.isEmpty else { return }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: rows.count) { buffer in
      guard let other = buffer.baseAddress else { return }
      for column in others {
        column.write(rows, to: other, stride: 1)
        for row in 0..<rows.count where ObservationBuilder.isPositive(other[row]) {
          positive[row] = true
        }
      }
    }
  }

  /// Bytes of a person's name at most, so that the names of a batch of results fit its offsets.
  private static let longestName = 1_000

  private mutating func readRuns(_ persons: TextRows, count: Int) throws(Failure) {
    for person in persons.values where person.utf8.count > Self.longestName {
      throw .data(
        "the person \"\(person.prefix(40))...\" has more than \(Self.longestName) bytes")
    }
    var last = -1
    for row in 0..<count {
      guard let person = persons.index(row), !persons.values[person].isEmpty else {
        throw .data("the person of row \(row) is missing; every row needs one")
      }
      if person == last {
        let start = runs[runs.count - 1].rows.lowerBound
        runs[runs.count - 1].rows = start..<row + 1
      } else {
        runs.append(Run(person: persons.values[person], rows: row..<row + 1))
        last = person
      }
    }
  }

  private mutating func readSources(
    _ batch: RecordBatch, into numbers: inout SourceNumbers
  ) throws(Failure) {
    guard let column = try batch.column(Names.source) else {
      sources = Array(repeating: numbers.number(of: ""), count: batch.count)
      return
    }
    let texts = try TextRows(column)
    let ofTexts = texts.values.map { numbers.number(of: $0) }
    sources.reserveCapacity(batch.count)
    for row in 0..<batch.count {
      sources.append(texts.index(row).map { ofTexts[$0] } ?? numbers.number(of: ""))
    }
  }
}

/// Numbers for the names of sources, in the order in which they first stand.
struct SourceNumbers {
  private(set) var names: [String] = []
  private var numbers: [String: Int32] = [:]

  mutating func number(of name: String) -> Int32 {
    if let number = numbers[name] { return number }
    let number = Int32(names.count)
    names.append(name)
    numbers[name] = number
    return number
  }
}
