import VigilModel

/// The places where persons live and travel to; raw values are IANA names.
enum SyntheticPlace: String, CaseIterable {
  case berlin = "Europe/Berlin"
  case london = "Europe/London"
  case newYork = "America/New_York"
  case losAngeles = "America/Los_Angeles"
  case kolkata = "Asia/Kolkata"
  case sydney = "Australia/Sydney"
  case adelaide = "Australia/Adelaide"
  case auckland = "Pacific/Auckland"
  case honolulu = "Pacific/Honolulu"
  case kathmandu = "Asia/Kathmandu"
  case madrid = "Europe/Madrid"
  case phoenix = "America/Phoenix"
  case stJohns = "America/St_Johns"
  case tokyo = "Asia/Tokyo"

  /// The order must stay as it is: persons are drawn from it.
  static let homes: [SyntheticPlace] = [
    .berlin, .london, .newYork, .losAngeles, .kolkata, .sydney,
  ]

  /// Minutes ahead of UTC without summer time.
  var standardMinutes: Int {
    switch self {
    case .berlin, .madrid: 60
    case .london: 0
    case .newYork: -300
    case .losAngeles: -480
    case .kolkata: 330
    case .sydney: 600
    case .adelaide: 570
    case .auckland: 720
    case .honolulu: -600
    case .kathmandu: 345
    case .phoenix: -420
    case .stJohns: -210
    case .tokyo: 540
    }
  }

  var summerTime: SummerTime? {
    switch self {
    case .berlin, .london, .madrid: .europe
    case .newYork, .losAngeles, .stJohns: .northAmerica
    case .sydney, .adelaide: .australia
    case .auckland: .newZealand
    case .kolkata, .honolulu, .kathmandu, .phoenix, .tokyo: nil
    }
  }

  /// The rules by which clocks are an hour ahead.
  enum SummerTime {
    case europe, northAmerica, australia, newZealand

    /// The begin and end in a year, in seconds of standard time; for Europe, of UTC.
    func changes(in year: Int) -> (begin: Int, end: Int) {
      switch self {
      case .europe:
        (Self.sunday(-1, of: 3, year, hour: 1), Self.sunday(-1, of: 10, year, hour: 1))
      case .northAmerica:
        (Self.sunday(2, of: 3, year, hour: 2), Self.sunday(1, of: 11, year, hour: 1))
      case .australia:
        (Self.sunday(1, of: 10, year, hour: 2), Self.sunday(1, of: 4, year, hour: 2))
      case .newZealand:
        (Self.sunday(-1, of: 9, year, hour: 2), Self.sunday(1, of: 4, year, hour: 2))
      }
    }

    /// The first or second Sunday of a month, or with -1 the last.
    private static func sunday(_ number: Int, of month: Int, _ year: Int, hour: Int) -> Int {
      let isLast = number < 0
      let first = Day(year: year, month: isLast ? month + 1 : month, day: 1) ?? Day(ordinal: 0)
      let firstSunday = first + (7 - first.weekday) % 7
      return (firstSunday + (isLast ? -7 : (number - 1) * 7)).startSeconds + hour * 3600
    }
  }
}

/// The wall clocks of a place, by rules in this file: a data set must not change with the time zone
/// database of the machine that writes it.
///
/// The rules are those of the years since 2012.
struct SyntheticZone {
  let place: SyntheticPlace
  /// The first second of each period; the first period begins before all times.
  private let starts: [Int]
  /// The offset from UTC of each period.
  private let offsets: [Int]

  init(_ place: SyntheticPlace, days: ClosedRange<Day>) {
    self.place = place
    let standard = place.standardMinutes * 60
    var starts = [Int.min]
    var offsets = [standard]
    if let summerTime = place.summerTime {
      let years = days.lowerBound.components.year - 1...days.upperBound.components.year + 1
      let shift = summerTime == .europe ? 0 : standard
      let changes = years.flatMap { year in
        let change = summerTime.changes(in: year)
        return [(change.begin - shift, standard + 3600), (change.end - shift, standard)]
      }.sorted { $0.0 < $1.0 }
      starts += changes.map(\.0)
      offsets += changes.map(\.1)
    }
    self.starts = starts
    self.offsets = offsets
  }

  private func period(at instant: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= instant { low = middle } else { high = middle }
    }
    return low
  }

  /// Seconds ahead of UTC.
  func offset(at instant: Int) -> Int { offsets[period(at: instant)] }

  /// The local date.
  func day(at instant: Int) -> Day {
    Day(ordinal: Int32(floorDivided(instant + offset(at: instant), by: 86_400)))
  }

  /// The first second in which a wall clock shows `local` or a later time.
  ///
  /// - Parameter local: Seconds of local time since 1970-01-01 00:00.
  func firstInstant(showing local: Int) -> Int {
    var index = period(at: local - 86_400)
    while true {
      let instant = max(starts[index], local - offsets[index])
      guard index + 1 < starts.count, instant >= starts[index + 1] else { return instant }
      index += 1
    }
  }

  /// The first second of a date.
  func start(of day: Day) -> Int { firstInstant(showing: day.startSeconds) }
}

/// The zones of all places, made once for a data set.
struct SyntheticZones {
  private let zones: [SyntheticZone]

  init(days: ClosedRange<Day>) {
    zones = SyntheticPlace.allCases.map { SyntheticZone($0, days: days) }
  }

  subscript(place: SyntheticPlace) -> SyntheticZone {
    zones.first { $0.place == place } ?? zones[0]
  }
}

extension Day {
  /// Seconds from 1970-01-01 to the day's midnight, in UTC or in local time.
  var startSeconds: Int { Int(ordinal) * 86_400 }
}

func floorDivided(_ value: Int, by divisor: Int) -> Int {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}
