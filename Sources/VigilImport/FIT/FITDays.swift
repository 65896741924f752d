import VigilModel

/// The FIT files of an export, combined by day.
struct FITDays {
  typealias DayValues = (day: Day, values: [MetricType: Double])

  private struct DayMetric: Hashable {
    var day: Day
    var metric: MetricType
  }

  /// A counter of a device, which grows from midnight on.
  private struct Counter: Hashable {
    var of: DayMetric
    var device: Int?
    var kind: Int?
  }

  /// A share of a day, which overlapping files have twice.
  private struct Share: Hashable {
    var of: DayMetric
    var device: Int?
    var time: UInt32
    var field: UInt8
  }

  private let layout: FITLayout
  private var counters: [Counter: Double] = [:]
  private var shares: [Share: Double] = [:]
  private var latest: [DayMetric: (time: UInt32, value: Double)] = [:]
  private var nights: [DayMetric: (count: Int, mean: Double)] = [:]
  /// The longest sleep that ends on a day.
  private var sleeps: [Day: FITSleep] = [:]

  init() throws { layout = try FITLayout.shipped() }

  /// Reads a file; one that is damaged is a problem of the export, and nothing of it counts.
  ///
  /// - Throws: `ImportError` where the file cannot be opened, or the clock of its times is not known.
  mutating func add(
    _ file: InputFile, reading: ArchiveReading, didRead: @escaping (_ bytes: Int) -> Void
  ) throws {
    let bytes = [UInt8](try file.contents(limit: 64 << 20, didRead: didRead))
    let name = fileName(file.path)
    var found = FITReading(layout, zone: reading.zone, parser: reading.parser)
    var hasMessages = false
    do {
      try FITFile.forEachMessage(in: bytes) { message in
        hasMessages = true
        if message.position % 4_096 == 0, reading.options.shouldStop() {
          throw ImportError.interruption
        }
        try found.add(message)
      }
    } catch let fault as FITFile.Fault {
      // Of an activity nothing is read, whole or not.
      guard found.recordCount > 0 || !hasMessages else { return }
      try reading.willRead()
      return reading.reject(
        RowProblem(reason: "the file \(fault.reason); nothing of it counts"), file: name, line: 1)
    } catch is FITReading.UnknownClock {
      throw ImportError(
        .usage,
        "\(file.path): its times are in UTC, and the time zone of the person is not known; nothing was imported; give the"
          + " zone, such as Europe/Berlin")
    }
    for _ in 0..<found.recordCount { try reading.willRead() }
    for (problem, position) in found.problems {
      reading.reject(problem, file: name, line: position)
    }
    add(found)
  }

  private mutating func add(_ found: FITReading) {
    var ofNight: [MetricType: [FITReading.Observation]] = [:]
    for observation in found.observations {
      let key = DayMetric(day: observation.day, metric: observation.metric)
      switch observation.ofDay {
      case .counter:
        let counter = Counter(of: key, device: found.device, kind: observation.kind)
        counters[counter] = max(counters[counter] ?? 0, observation.value)
      case .sum:
        let share = Share(
          of: key, device: found.device, time: observation.time, field: observation.field)
        shares[share] = observation.value
      case .last:
        if (latest[key]?.time ?? 0) <= observation.time {
          latest[key] = (observation.time, observation.value)
        }
      case .night: ofNight[observation.metric, default: []].append(observation)
      }
    }
    for (metric, values) in ofNight {
      guard let last = values.max(by: { $0.time < $1.time }) else { continue }
      let key = DayMetric(day: last.day, metric: metric)
      guard values.count >= nights[key]?.count ?? 0 else { continue }
      nights[key] = (values.count, values.reduce(0) { $0 + $1.value } / Double(values.count))
    }
    let longest = layout.messages.compactMap { $0.levels?.longestMinutes }.first ?? 0
    for sleep in FITSleep.all(in: found.levels, longestLevel: longest * 60) {
      // The person wakes up when the last message of a sleep comes.
      guard let day = found.day(of: sleep.end) else { continue }
      if sleep.minutesAsleep > sleeps[day]?.minutesAsleep ?? 0 { sleeps[day] = sleep }
    }
  }

  /// The values of days, in order: those of sleep, and all others.
  func finish() -> (days: [DayValues], sleeps: [DayValues]) {
    var values: [Day: [MetricType: Double]] = [:]
    for (key, night) in nights { values[key.day, default: [:]][key.metric] = night.mean }
    for (key, found) in latest { values[key.day, default: [:]][key.metric] = found.value }
    // Devices are not added up: of several the one that counted most was worn.
    var ofDevices: [DayMetric: [Int?: Double]] = [:]
    for (counter, value) in counters {
      ofDevices[counter.of, default: [:]][counter.device, default: 0] += value
    }
    for (share, value) in shares {
      ofDevices[share.of, default: [:]][share.device, default: 0] += value
    }
    for (key, devices) in ofDevices {
      values[key.day, default: [:]][key.metric] = devices.values.max()
    }
    return (
      values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      sleeps.sorted { $0.key < $1.key }.map { ($0.key, $0.value.values) }
    )
  }
}
