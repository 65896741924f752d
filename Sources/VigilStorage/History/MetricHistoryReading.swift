import Foundation
import VigilModel

/// Reads metric rows from copies where there are some.
public struct MetricHistoryReading {
  let day: Day
  let makesCopies: Bool
  var made = MadeBlocks()
  private var blocks = MetricBlocks()

  init(day: Day, makesCopies: Bool) {
    self.day = day
    self.makesCopies = makesCopies
  }

  mutating func read(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    let state = try reader.historyState(of: .metrics)
    let layout = try reader.metricLayout()
    guard state.isKept,
      let columns = MetricSelection(metrics, of: layout, reportsWear: reportsWear)
    else {
      return try reader.readMetrics(
        of: persons, days: days, metrics: metrics, reportsWear: reportsWear, into: sink)
    }
    let known = try reader.historyBlocks(
      of: persons, .metrics, layout: layout.digest, since: days.lowerBound)
    let plan = HistoryPlan(
      persons, from: persons.map { _ in days.lowerBound }, on: day, known: known)
    var unusable = UnusableRows()
    if !plan.whole.isEmpty, !makesCopies {
      unusable += try reader.readMetrics(
        of: plan.whole.map { persons[$0] }, days: days, metrics: metrics, reportsWear: reportsWear,
        into: RenumberedSink(plan.whole, sink))
    } else if !plan.whole.isEmpty {
      unusable += try readWhole(
        plan.whole, of: persons, days: days, metrics: metrics, reportsWear: reportsWear, state,
        layout, columns, known: known, from: reader, into: sink)
    }
    if !plan.copied.isEmpty {
      unusable += try readNewest(
        plan.copied, of: persons, days: days, metrics: metrics, reportsWear: reportsWear, state,
        layout, columns, from: reader, into: sink)
    }
    return unusable
  }

  /// Reads all rows of some persons, and makes copies of them.
  private mutating func readWhole(
    _ places: [Int], of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType],
    reportsWear: Bool, _ state: HistoryState, _ layout: MetricLayout, _ columns: MetricSelection,
    known: [UUID: [HistoryBlock]], from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    let owners = places.map { persons[$0] }
    let recorder = MetricRecorder(
      persons: owners.count, columns: layout.columns.count, wantsCreation: true)
    let unusable = try reader.readMetrics(
      of: owners, from: owners.map { HistoryPlan.firstDay($0, wanted: days.lowerBound) },
      through: days.upperBound, metrics: layout.columns, reportsWear: false, into: recorder)
    // A row that cannot be read is to be reported each night.
    guard unusable.isEmpty else {
      return try reader.readMetrics(
        of: owners, days: days, metrics: metrics, reportsWear: reportsWear,
        into: RenumberedSink(places, sink))
    }
    for (place, index) in places.enumerated() {
      recorder.send(place, as: index, on: days, columns, to: sink)
    }
    made.take(
      owners.map { ($0, days.lowerBound) }, known: known, on: day, .metrics,
      layout: layout.digest, generation: state.generation
    ) { recorder.packed($0, on: $1) }
    return unusable
  }

  /// Sends the rows of copies, and reads the rows after them.
  private mutating func readNewest(
    _ copied: [HistoryPlan.Copied], of persons: [UUID], days: ClosedRange<Day>,
    metrics: [MetricType], reportsWear: Bool, _ state: HistoryState, _ layout: MetricLayout,
    _ columns: MetricSelection, from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    let newest = MetricRecorder(
      persons: copied.count, columns: metrics.count, wantsCreation: sink.wantsCreation)
    var unusable = try reader.readMetrics(
      of: copied.map { persons[$0.place] }, from: copied.map { max(days.lowerBound, $0.next) },
      through: days.upperBound, metrics: metrics, reportsWear: reportsWear, into: newest)
    var damaged: [Int] = []
    blocks.begin()
    for (place, own) in copied.enumerated() {
      if blocks.send(own.blocks, layout, as: own.place, on: days, columns, to: sink) {
        newest.send(place, as: own.place, to: sink)
      } else {
        damaged.append(own.place)
      }
    }
    guard !damaged.isEmpty else { return unusable }
    made.takeDamaged(
      damaged.count, .metrics, layout: layout.digest, generation: state.generation, on: day)
    unusable += try reader.readMetrics(
      of: damaged.map { persons[$0] }, days: days, metrics: metrics, reportsWear: reportsWear,
      into: RenumberedSink(damaged, sink))
    return unusable
  }
}
