public import Foundation
public import VigilModel

/// Reads the metric rows of persons for the night of one day: from copies where there are some, and the newest rows from
/// the table; and makes copies for the next nights.
///
/// A sink gets the same rows as from `StorageReader.readMetrics`, though the persons in another order.
public struct HistoryReading {
  /// The evaluated day.
  public let day: Day
  /// The copies that were made, with what else is to be written of them; nil where there is nothing.
  public private(set) var write: HistoryWrite?
  /// The persons whose copies were compared with their rows, and those among them whose copies differed.
  public private(set) var (compared, differing) = (0, 0)
  private var room: [Double] = []

  public init(day: Day) {
    self.day = day
  }

  /// Reads as `StorageReader.readMetrics` does.
  ///
  /// - Throws: `StorageError`.
  public mutating func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    (write, compared, differing) = (nil, 0, 0)
    return try reader.atOneMoment {
      try read(
        of: persons, days: days, metrics: metrics, reportsWear: reportsWear, from: reader,
        into: sink)
    }
  }

  private mutating func read(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    let state = try reader.historyState()
    guard state.isKept,
      let columns = HistoryColumns(
        metrics, of: state.layout, reportsWear: reportsWear, wantsCreation: sink.wantsCreation)
    else {
      return try reader.readMetrics(
        of: persons, days: days, metrics: metrics, reportsWear: reportsWear, into: sink)
    }
    let known = try reader.histories(of: persons, layout: state.layout)
      .filter { $0.value.days.lowerBound <= days.lowerBound }
    var (copied, whole): ([Int], [Int]) = ([], [])
    for (index, person) in persons.enumerated() {
      if let history = known[person], !isDue(history) {
        copied.append(index)
      } else {
        whole.append(index)
      }
    }
    var unusable = UnusableRows()
    if !whole.isEmpty {
      unusable += try readWhole(
        whole, of: persons, days: days, state, columns, known: known, from: reader, into: sink)
    }
    if !copied.isEmpty {
      unusable += try readNewest(
        copied, of: persons, days: days, metrics: metrics, reportsWear: reportsWear, state, columns,
        known: known, from: reader, into: sink)
    }
    return unusable
  }

  private func isDue(_ history: MetricHistory) -> Bool {
    MetricHistory.isDue(history.user, on: day)
      || day - history.days.upperBound > MetricHistory.mostDaysSince
  }

  /// Reads all rows of some persons, and makes copies of them.
  private mutating func readWhole(
    _ places: [Int], of persons: [UUID], days: ClosedRange<Day>, _ state: HistoryState,
    _ columns: HistoryColumns, known: [UUID: MetricHistory], from reader: any StorageReader,
    into sink: some MetricRowSink
  ) throws -> UnusableRows {
    let recorder = HistoryRecorder(persons: places.count, state.layout)
    let unusable = try reader.readMetrics(
      of: places.map { persons[$0] }, days: days, metrics: state.layout.columns,
      reportsWear: false, into: recorder)
    let last = MetricHistory.lastDay(ofNight: day)
    var made: [MetricHistory] = []
    for (place, index) in places.enumerated() {
      let person = persons[index]
      recorder.send(place, as: index, columns, to: sink)
      if let old = known[person] { compare(old, with: recorder, place, on: days) }
      // A row that cannot be read is to be reported each night; a night of the past keeps what a later one has made.
      guard unusable.isEmpty, last >= days.lowerBound,
        known[person].map({ $0.days.upperBound <= last }) ?? true
      else { continue }
      made.append(
        MetricHistory(
          user: person, days: days.lowerBound...last, layout: state.layout.description,
          rows: recorder.packed(place, on: days.lowerBound...last)))
    }
    if !made.isEmpty || differing > 0 {
      write = HistoryWrite(
        histories: made, generation: state.generation, clears: differing > 0)
    }
    return unusable
  }

  private mutating func compare(
    _ old: MetricHistory, with recorder: HistoryRecorder, _ place: Int, on days: ClosedRange<Day>
  ) {
    compared += 1
    let common = days.lowerBound...max(days.lowerBound, min(old.days.upperBound, days.upperBound))
    let copy = HistoryRecorder(persons: 1, recorder.layout)
    let isWhole = send(
      old, as: 0, on: common,
      HistoryColumns(
        recorder.layout.columns, of: recorder.layout, reportsWear: false, wantsCreation: true),
      recorder.layout, to: copy)
    if !isWhole || copy.packed(0, on: common) != recorder.packed(place, on: common) {
      differing += 1
    }
  }

  /// Sends the rows of a copy; false where it is damaged, and nothing was sent.
  private mutating func send(
    _ history: MetricHistory, as index: Int, on days: ClosedRange<Day>, _ columns: HistoryColumns?,
    _ layout: HistoryLayout, to sink: some MetricRowSink
  ) -> Bool {
    guard let columns else { return false }
    return history.rows.withUnsafeBytes { bytes in
      guard let rows = HistoryRows(bytes, layout) else { return false }
      rows.send(person: index, on: days, columns, room: &room, to: sink)
      return true
    }
  }

  /// Sends the rows of copies, and reads the rows after them.
  private mutating func readNewest(
    _ places: [Int], of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType],
    reportsWear: Bool, _ state: HistoryState, _ columns: HistoryColumns,
    known: [UUID: MetricHistory], from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    let newest = HistoryTail(
      persons: places.count, columns: columns.asked.count, wantsCreation: sink.wantsCreation)
    let histories = places.compactMap { known[persons[$0]] }
    var unusable = try reader.readMetrics(
      of: histories.map(\.user),
      from: histories.map { max(days.lowerBound, $0.days.upperBound + 1) },
      through: days.upperBound, metrics: metrics, reportsWear: reportsWear, into: newest)
    var damaged: [Int] = []
    for (place, index) in places.enumerated() {
      if send(histories[place], as: index, on: days, columns, state.layout, to: sink) {
        newest.send(place, as: index, to: sink)
      } else {
        damaged.append(index)
      }
    }
    guard !damaged.isEmpty else { return unusable }
    differing += damaged.count
    write = HistoryWrite(
      histories: write?.histories ?? [], generation: state.generation, clears: true)
    unusable += try reader.readMetrics(
      of: damaged.map { persons[$0] }, days: days, metrics: metrics, reportsWear: reportsWear,
      into: RenumberedSink(damaged, sink))
    return unusable
  }
}
