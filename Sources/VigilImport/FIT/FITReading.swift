import VigilModel

/// The values of days in one FIT file, kept apart until it is known that the file is sound.
struct FITReading {
  /// A value of a day.
  struct Observation {
    var metric: MetricType
    var ofDay: FITLayout.OfDay
    var day: Day
    /// Seconds since the end of 1989.
    var time: UInt32
    var value: Double
    /// The field, and the kind of activity where the message says one.
    var field: UInt8
    var kind: Int?
  }

  /// The depth of sleep from a time on.
  struct Level {
    var time: UInt32
    /// Nil where the device did not recognize it.
    var metric: MetricType?
  }

  /// A time of day that FIT counts from, in seconds since 1970.
  private static let epoch: Int64 = 631_065_600
  /// Smaller times count from the start of the device.
  private static let firstTime: UInt32 = 0x1000_0000

  /// The serial number; nil where the file has none.
  private(set) var device: Int?
  private(set) var observations: [Observation] = []
  private(set) var levels: [Level] = []
  private(set) var problems: [(problem: RowProblem, position: Int)] = []
  /// Messages that were read for a metric.
  private(set) var recordCount = 0

  private let layout: FITLayout
  private let messages: [UInt16: FITLayout.Message]
  private let metrics: [String: MetricType]
  private let zone: ZoneRules?
  private let parser: FieldParser
  /// Whether the file is of a maker whose files are read.
  private var isOfMaker = true
  /// Seconds by which the clock of the device is before UTC, where the file says it.
  private var offset: Int64?
  /// The latest whole time to which lower bits belong.
  private var clock: UInt32?

  init(_ layout: FITLayout, zone: ZoneRules?, parser: FieldParser) {
    self.layout = layout
    self.zone = zone
    self.parser = parser
    messages = Dictionary(layout.messages.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    let names = layout.messages.flatMap { message in
      (message.values ?? []).map(\.metric) + Array(message.levels?.metrics.values ?? [:].values)
    }
    metrics = Dictionary(names.map { ($0, MetricType($0)) }, uniquingKeysWith: { $1 })
  }

  /// The time of day of the device is not known, and no zone of the person.
  struct UnknownClock: Error {}

  /// Takes a message, as far as it is one of those that become metrics.
  ///
  /// - Throws: `UnknownClock`.
  mutating func add(_ message: FITMessage) throws(UnknownClock) {
    guard let layout = messages[message.number] else { return }
    if let field = layout.manufacturer, let maker = message.value(field) {
      isOfMaker = self.layout.manufacturers.contains(Int(maker))
    }
    guard isOfMaker else { return }
    if let field = layout.device, let serial = message.value(field) { device = Int(serial) }
    let time = time(of: message, layout)
    if layout.setsClock ?? false, let time { clock = time }
    if let field = layout.localTime, let local = message.value(field), let time {
      let distance = Int64(local) - Int64(time)
      // No clock on Earth is further from UTC.
      if abs(distance) <= 15 * 3600 { offset = distance }
    }
    let values = values(of: message, layout)
    let level = layout.levels.flatMap { levels in
      message.value(levels.field).map { (levels.metrics["\(Int($0))"].flatMap { metrics[$0] }) }
    }
    guard !values.isEmpty || level != nil else { return }
    recordCount += 1
    // A message is about the time before it: that of midnight is about the day that ends.
    let day = time.flatMap { $0 < Self.firstTime ? nil : self.day(of: $0 - 1) }
    if let time, time >= Self.firstTime, day == nil { throw UnknownClock() }
    do throws(RowProblem) {
      guard let time else {
        throw RowProblem(
          column: "timestamp", reason: "missing, or a part of one before a whole one")
      }
      guard let day else {
        throw RowProblem(column: "timestamp", reason: "of a device whose clock was not set")
      }
      do throws(Refusal) {
        try parser.requireObservable(day)
      } catch {
        throw RowProblem(column: "timestamp", reason: error.reason)
      }
      if let level { levels.append(Level(time: time, metric: level)) }
      observations += values.map { value in
        Observation(
          metric: value.metric, ofDay: value.ofDay, day: day, time: time, value: value.value,
          field: value.field, kind: value.kind)
      }
    } catch {
      problems.append((error, message.position))
    }
  }

  /// The day on the clock of the device, or else of the person; nil where neither is known.
  func day(of time: UInt32) -> Day? {
    let seconds = Int64(time) + Self.epoch
    if let offset { return Day(ordinal: ZoneRules.day((seconds + offset) * 1_000_000)) }
    return zone.map { Day(ordinal: $0.day(of: seconds * 1_000_000)) }
  }

  private func time(of message: FITMessage, _ layout: FITLayout.Message) -> UInt32? {
    if let time = message.time { return time }
    guard let field = layout.lowTime, let low = message.value(field).flatMap(UInt32.init(exactly:)),
      let clock
    else { return nil }
    return clock &+ ((low &- clock) & 0xFFFF)
  }

  private typealias Found = (
    metric: MetricType, ofDay: FITLayout.OfDay, value: Double, field: UInt8, kind: Int?
  )

  private func values(of message: FITMessage, _ layout: FITLayout.Message) -> [Found] {
    guard let values = layout.values else { return [] }
    let kind = layout.kind.flatMap { kind in
      message.value(kind.field).map { Int($0) }
        ?? kind.inByte.flatMap { message.value($0) }.map { Int($0) & 0x1F }
    }
    return values.compactMap { value in
      if let kinds = value.kinds, kind.map(kinds.contains) != true { return nil }
      for field in value.fields {
        guard let number = message.value(field) else { continue }
        if number == 0, value.missingZero ?? false { return nil }
        guard let metric = metrics[value.metric] else { return nil }
        return (metric, value.ofDay, number / (value.scale ?? 1), field, kind)
      }
      return nil
    }
  }
}
