import Foundation
import VigilAdherence
import VigilModel

/// Reads doses from copies where there are some.
public struct DoseHistoryReading {
  let day: Day
  let makesCopies: Bool
  var made = MadeBlocks()
  private var blocks = DoseBlocks()

  init(day: Day, makesCopies: Bool) {
    self.day = day
    self.makesCopies = makesCopies
  }

  /// Reads as `StorageReader.readDoses` does; the doses come in another order.
  mutating func read(
    of medications: [UUID], from firsts: [Timestamp], through last: Timestamp,
    from reader: any StorageReader, into sink: inout some DoseRowSink
  ) throws {
    guard !medications.isEmpty else { return }
    let state = try reader.historyState(of: .doses)
    guard state.isKept else {
      return try reader.readDoses(of: medications, from: firsts, through: last, into: &sink)
    }
    let firstDays = firsts.map(\.utcDay)
    let known = try reader.historyBlocks(
      of: medications, .doses, layout: DoseBlocks.layout, since: firstDays.min() ?? day)
    let plan = HistoryPlan(medications, from: firstDays, on: day, known: known)
    // A place in `medications`, and the first instant to read.
    var rest: [(place: Int, first: Timestamp)] = []
    if !makesCopies {
      rest = plan.whole.map { ($0, firsts[$0]) }
    } else if !plan.whole.isEmpty {
      let owners = plan.whole.map { (medications[$0], firstDays[$0]) }
      let recorder = try record(owners, last, reader)
      for (place, index) in plan.whole.enumerated() {
        if recorder.unclear.contains(place) {
          rest.append((index, firsts[index]))
        } else {
          recorder.send(place, at: firsts[index]...last, to: &sink)
        }
      }
      let clear = owners.indices.filter { !recorder.unclear.contains($0) }
      made.take(
        clear.map { owners[$0] }, known: known, on: day, .doses, layout: DoseBlocks.layout,
        generation: state.generation
      ) { recorder.packed(clear[$0], on: $1) }
    }
    for own in plan.copied {
      let next = own.next.midnight
      if blocks.send(
        own.blocks, of: medications[own.place], at: firsts[own.place]...last, until: next, to: &sink
      ) {
        if next <= last { rest.append((own.place, max(firsts[own.place], next))) }
      } else {
        rest.append((own.place, firsts[own.place]))
        made.takeDamaged(
          1, .doses, layout: DoseBlocks.layout, generation: state.generation, on: day)
      }
    }
    try reader.readDoses(
      of: rest.map { medications[$0.place] }, from: rest.map(\.first), through: last, into: &sink)
  }

  private func record(
    _ owners: [(id: UUID, firstDay: Day)], _ last: Timestamp, _ reader: any StorageReader
  ) throws -> DoseRecorder {
    let firsts = owners.map { HistoryPlan.firstDay($0.id, wanted: $0.firstDay).midnight }
    var recorder = DoseRecorder(owners.map(\.id), at: min(firsts.min() ?? last, last)...last)
    try reader.readDoses(of: owners.map(\.id), from: firsts, through: last, into: &recorder)
    return recorder
  }
}
