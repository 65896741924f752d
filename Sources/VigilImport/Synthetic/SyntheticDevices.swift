import VigilModel

/// The devices that a person wears on each day, and the days without one.
struct SyntheticDevices {
  /// Names of the sources, in alphabetical order; one, or two where the device changes.
  let sources: [String]
  private let first: Int
  /// The day on which the second device starts; `Int.max` without one.
  private let changeDay: Int
  /// The last day of the first device.
  private let lastDayOfFirst: Int
  /// The difference between the second device and the first.
  let offset: Offset
  private let days: [Wear]
  /// The days without a device and those of a new one, in order of the first days; rows of
  /// `device_labels.csv`.
  let periods: [Period]

  struct Offset {
    var steps = 1.0
    var heart = 1.0
    var sleep = 1.0
  }

  /// Days on which the rows of the devices are not those of every day.
  struct Period: Equatable {
    var kind: Kind
    /// Counted from the first day of the data.
    var days: ClosedRange<Int>

    enum Kind: String {
      /// No device is worn: there are no rows, or they have zeros.
      case off
      /// Another device takes over, which reads a little higher or lower; the last day is that of the old one.
      case newDevice = "new_device"
    }
  }

  enum Wear: UInt8 {
    case worn
    /// Worn by day only.
    case noNight
    /// Lying on a table: the device reports zeros.
    case notWorn
    /// No row at all.
    case absent
  }

  init(
    episodes: [SyntheticEpisode], dayCount: Int, generator: inout SplitMix64
  ) {
    func isQuiet(_ day: Int) -> Bool {
      episodes.contains { $0.quietDays.contains(day) }
    }

    let names = ["apple_watch", "fitbit", "garmin", "oura", "samsung", "whoop"]
    let older = generator.integer(0...names.count - 1)
    let newer = (older + generator.integer(1...names.count - 1)) % names.count
    let proposed = generator.integer(12...max(12, dayCount - 8))
    let overlap = generator.integer(2...6)
    // A baseline needs 21 days on one device, so the change waits for the end of an episode.
    let disturbed = episodes.first {
      ($0.days.lowerBound - 26...$0.days.upperBound + 4).contains(proposed)
    }
    let change = disturbed.map { $0.days.upperBound + 5 } ?? proposed
    let changes = generator.chance(0.4) && change + overlap < dayCount
    let offset = Offset(
      steps: 1 + 0.04 * generator.normal(), heart: 1 + 0.02 * generator.normal(),
      sleep: 1 + 0.015 * generator.normal())
    sources = changes ? [names[older], names[newer]].sorted() : [names[older]]
    first = sources[0] == names[older] ? 0 : 1
    changeDay = changes ? change : .max
    lastDayOfFirst = changes ? change + overlap - 1 : .max
    self.offset = offset

    var days = [Wear](repeating: .worn, count: dayCount)
    var day = 0
    while day < dayCount {
      if generator.chance(0.012) {
        for gapDay in day..<min(dayCount, day + generator.integer(1...5)) where !isQuiet(gapDay) {
          days[gapDay] = .absent
        }
        day += 5
      } else if generator.chance(0.01) {
        if !isQuiet(day) { days[day] = .notWorn }
      } else if generator.chance(0.05), !isQuiet(day) {
        days[day] = .noNight
      }
      day += 1
    }
    self.days = days
    var periods = Self.daysOff(days).map { Period(kind: .off, days: $0) }
    if changes {
      periods.append(Period(kind: .newDevice, days: changeDay...lastDayOfFirst))
    }
    self.periods = periods.sorted { $0.days.lowerBound < $1.days.lowerBound }
  }

  /// The longest runs of days on which no device is worn.
  private static func daysOff(_ days: [Wear]) -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    for (day, wear) in days.enumerated() where wear == .absent || wear == .notWorn {
      if let last = runs.last, last.upperBound == day - 1 {
        runs[runs.count - 1] = last.lowerBound...day
      } else {
        runs.append(day...day)
      }
    }
    return runs
  }

  func wear(on day: Int) -> Wear { days[day] }

  /// Indices into `sources` of the devices that report on a day, ascending.
  func reporting(on day: Int) -> [Int] {
    if day < changeDay { return [first] }
    return day <= lastDayOfFirst ? [0, 1] : [1 - first]
  }

  func isSecondDevice(_ source: Int) -> Bool { source != first }
}
