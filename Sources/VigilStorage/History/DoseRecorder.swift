import Foundation
import VigilAdherence
import VigilModel

/// Keeps the doses of some medications, for copies of them.
struct DoseRecorder: DoseRowSink {
  private let medications: [UUID]
  private let times: ClosedRange<Timestamp>
  private let places: [UUID: Int]
  private var statuses = TextPool()
  private var zones = TextPool()
  /// By medication.
  private var rows: [[Row]]
  private var last = 0
  /// The places of medications with a row that a database has found by a time that is none, such as 31 February.
  private(set) var unclear: Set<Int> = []

  struct Row {
    var id: UUID
    var schedule: UUID?
    /// The place in `statuses`.
    var status: Int
    /// The place in `zones`.
    var zone: Int
    var scheduledTime, actualTime, createdAt: Timestamp?

    /// Whether it was due or taken at one of `times`.
    func isAt(_ times: some RangeExpression<Timestamp>) -> Bool {
      scheduledTime.map(times.contains) == true || actualTime.map(times.contains) == true
    }
  }

  /// - Parameter times: Those of all rows that come.
  init(_ medications: [UUID], at times: ClosedRange<Timestamp>) {
    self.medications = medications
    self.times = times
    places = Dictionary(medications.enumerated().map { ($1, $0) }) { first, _ in first }
    rows = Array(repeating: [], count: medications.count)
  }

  mutating func add(_ row: UncheckedDose) {
    if medications[last] != row.medication {
      guard let place = places[row.medication] else { return }
      last = place
    }
    let own = Row(
      id: row.id, schedule: row.schedule, status: statuses.place(of: row.status),
      zone: zones.place(of: row.zone), scheduledTime: row.scheduledTime,
      actualTime: row.actualTime, createdAt: row.createdAt)
    if !own.isAt(times) { unclear.insert(last) }
    rows[last].append(own)
  }

  /// Sends the doses of a medication that were due or taken at `times` to another sink.
  func send(_ place: Int, at times: ClosedRange<Timestamp>, to sink: inout some DoseRowSink) {
    for row in rows[place] where row.isAt(times) {
      statuses.withBytes(at: row.status) { status in
        zones.withBytes(at: row.zone) { zone in
          sink.add(
            UncheckedDose(
              id: row.id, medication: medications[place], schedule: row.schedule, status: status,
              scheduledTime: row.scheduledTime, actualTime: row.actualTime, zone: zone,
              createdAt: row.createdAt))
        }
      }
    }
  }

  /// Packs the doses of a medication that were due or taken on some days, in the order of their ids.
  func packed(_ place: Int, on days: ClosedRange<Day>) -> [UInt8] {
    let times = days.lowerBound.midnight..<(days.upperBound + 1).midnight
    let own = rows[place].filter { $0.isAt(times) }.sorted { $0.id < $1.id }
    var bytes: [UInt8] = []
    PackedBytes.append(UInt64(own.count), into: &bytes)
    let schedules = Self.places(own.map(\.schedule))
    PackedBytes.append(UInt64(schedules.values.count), into: &bytes)
    for schedule in schedules.values {
      withUnsafeBytes(of: schedule.uuid) { bytes.append(contentsOf: $0) }
    }
    var columns = [schedules.places]
    for (pool, texts) in [(statuses, own.map(\.status)), (zones, own.map(\.zone))] {
      let own = Self.places(texts.map(Optional.some))
      PackedBytes.append(UInt64(own.values.count), into: &bytes)
      for text in own.values { PackedBytes.append(pool[text], into: &bytes) }
      columns.append(own.places)
    }
    for column in columns { PackedNumbers.pack(column, into: &bytes) }
    for instants in [own.map(\.scheduledTime), own.map(\.actualTime), own.map(\.createdAt)] {
      PackedNumbers.pack(
        instants.map { $0?.microseconds }, units: [60_000_000, 1_000_000], into: &bytes)
    }
    for row in own { withUnsafeBytes(of: row.id.uuid) { bytes.append(contentsOf: $0) } }
    PackedBytes.close(&bytes)
    return bytes
  }

  /// The different ones among some values, and by value its place among them.
  private static func places<Value: Hashable>(
    _ values: [Value?]
  ) -> (values: [Value], places: [Int64?]) {
    var found: [Value] = []
    let places = values.map { value -> Int64? in
      guard let value else { return nil }
      if let known = found.firstIndex(of: value) { return Int64(known) }
      found.append(value)
      return Int64(found.count - 1)
    }
    return (found, places)
  }
}

/// Different texts, each once.
private struct TextPool {
  private var indexes = SourceIndexes()
  private var texts: [String] = []

  mutating func place(of bytes: UnsafeRawBufferPointer) -> Int {
    indexes.index(of: bytes) { text in
      texts.append(text)
      return texts.count - 1
    }
  }

  subscript(place: Int) -> String { texts[place] }

  func withBytes<Result>(
    at place: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var text = texts[place]
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
