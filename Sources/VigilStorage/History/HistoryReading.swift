public import Foundation
public import VigilModel

/// Reads the rows of persons for the night of one day: from copies where there are some, and the newest rows from the tables;
/// and makes copies for the next nights.
public struct HistoryReading {
  public private(set) var metrics: MetricHistoryReading
  public private(set) var doses: DoseHistoryReading

  /// - Parameters:
  ///   - day: The evaluated day.
  ///   - makesCopies: Whether it makes copies of what has none, and compares those whose turn it is.
  public init(day: Day, makesCopies: Bool = true) {
    metrics = MetricHistoryReading(day: day, makesCopies: makesCopies)
    doses = DoseHistoryReading(day: day, makesCopies: makesCopies)
  }

  /// The copies that were made since `begin`.
  public var writes: [HistoryWrite] { [metrics.made.write, doses.made.write].compactMap(\.self) }

  /// By subject, what was compared.
  public var made: [(HistorySubject, MadeBlocks)] {
    [(.metrics, metrics.made), (.doses, doses.made)]
  }

  /// Forgets what the batch before has made.
  public mutating func begin() {
    metrics.made = MadeBlocks()
    doses.made = MadeBlocks()
  }

  /// Reads as `StorageReader.readMetrics` does.
  ///
  /// A sink gets the same rows, though the persons in another order.
  ///
  /// - Throws: `StorageError`.
  public mutating func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics wanted: [MetricType], reportsWear: Bool,
    from reader: any StorageReader, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try reader.atOneMoment {
      try metrics.read(
        of: persons, days: days, metrics: wanted, reportsWear: reportsWear, from: reader,
        into: sink)
    }
  }

  /// Reads as `StorageReader.readMedications` does; the doses come in another order.
  ///
  /// - Throws: `StorageError`.
  public mutating func readMedications(
    of persons: [UUID], doses times: ClosedRange<Timestamp>, from reader: any StorageReader,
    into sink: some MedicationRowSink
  ) throws {
    try reader.atOneMoment {
      let medications = try reader.readMedications(of: persons, into: sink)
      let firsts = medications.map { sink.doseTimes(times, of: [$0]).lowerBound }
      try sink.addDoses { intake in
        try doses.read(
          of: medications, from: firsts, through: times.upperBound, from: reader, into: &intake)
      }
    }
  }
}

/// The blocks that the reading of a batch has made of one subject, and those that it has compared.
public struct MadeBlocks {
  /// Nil where there is nothing to write.
  public internal(set) var write: HistoryWrite?
  /// The blocks that were compared with their rows, and those among them that differed.
  public internal(set) var (compared, differing) = (0, 0)

  init() {}

  /// Compares the stored blocks of owners whose rows were all read, and takes those that are missing.
  ///
  /// - Parameters:
  ///   - owners: The owners, each with the first day that a night wants.
  ///   - known: The stored blocks.
  ///   - night: The evaluated day.
  ///   - pack: Packs the rows of an owner, by its place, on some days.
  mutating func take(
    _ owners: [(id: UUID, firstDay: Day)], known: [UUID: [HistoryBlock]], on night: Day,
    _ subject: HistorySubject, layout: Int, generation: Int,
    pack: (_ place: Int, _ days: ClosedRange<Day>) -> [UInt8]
  ) {
    guard let firstDay = owners.map(\.firstDay).min() else { return }
    var blocks: [HistoryBlock] = []
    for (place, owner) in owners.enumerated() {
      let stored = Dictionary((known[owner.id] ?? []).map { ($0.days, $0.rows) }) { $1 }
      for days in HistoryPlan.blocks(of: owner.id, from: owner.firstDay, on: night) {
        let rows = pack(place, days)
        if let old = stored[days] {
          compared += 1
          if old != rows { differing += 1 }
        } else {
          blocks.append(HistoryBlock(owner: owner.id, days: days, rows: rows))
        }
      }
    }
    guard !blocks.isEmpty || differing > 0 else { return }
    write = HistoryWrite(
      subject: subject, layout: layout, blocks: blocks, generation: generation,
      clears: differing > 0, owners: owners.map(\.id), firstDay: firstDay)
  }

  /// Takes note of blocks that are damaged: all of them go.
  mutating func takeDamaged(
    _ count: Int, _ subject: HistorySubject, layout: Int, generation: Int, on night: Day
  ) {
    differing += count
    if write == nil {
      write = HistoryWrite(
        subject: subject, layout: layout, blocks: [], generation: generation, clears: true,
        owners: [], firstDay: night)
    }
    write?.clears = true
  }
}
