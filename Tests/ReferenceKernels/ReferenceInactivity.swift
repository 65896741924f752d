public import VigilDetection
public import VigilModel

/// Slow twin of silence by habit: the rules of silence.md sections 1 to 3, by sets of days, with a look at all of
/// them for each day.
public struct ReferenceInactivity {
  /// Days with a row of a worn day, and the day on which each row came.
  public var worn: [(day: Day, came: Day?)] = []
  /// Days with a dose or a check-in.
  public var others: Set<Day> = []
  public var broken: Set<Day> = []
  public var settings = InactivitySettings()

  public init() {}

  public struct Found: Equatable {
    public var activeSince: Day
    public var openedOn: Day
    public var threshold: Int
    public var longestPause: Int
    /// The first day of each level.
    public var levelDays: [Int: Day]
    public var resolution: Episode.Resolution?

    public init(
      activeSince: Day, openedOn: Day, threshold: Int, longestPause: Int, levelDays: [Int: Day],
      resolution: Episode.Resolution? = nil
    ) {
      self.activeSince = activeSince
      self.openedOn = openedOn
      self.threshold = threshold
      self.longestPause = longestPause
      self.levelDays = levelDays
      self.resolution = resolution
    }
  }

  /// The figures of section 2 about a silence.
  public struct Habit: Equatable {
    public var pauses: [Int]
    public var days: Int
    public var threshold: Int
    public var expected: [Int: Double]
  }

  private var signs: Set<Day> { Set(worn.map(\.day)).union(others) }

  public func habit(before start: Day) -> Habit? {
    let looked = signs.filter { $0 >= start - settings.habitDays && $0 < start }.sorted()
    guard let first = looked.first else { return nil }
    func coming(_ day: Day) -> Day? {
      others.contains(day) ? nil : worn.filter { $0.day == day }.compactMap(\.came).min()
    }
    let firstComing = looked.compactMap(coming).min()
    func arrival(_ day: Day) -> Day {
      guard let came = coming(day), let firstComing, came > firstComing, came >= day + 2,
        came <= day + settings.maxLagDays
      else { return day }
      return came
    }
    let arrivals = looked.map { (sign: $0, on: arrival($0)) }
    var pauses: [Int] = []
    var absent: Set<Day> = []
    for day in Set(arrivals.map(\.on)).sorted().dropFirst() {
      let newest = arrivals.filter { $0.on < day }.map(\.sign).max() ?? first
      var between: Set<Day> = []
      var next = newest + 1
      while next < day {
        if !broken.contains(next) { between.insert(next) }
        next = next + 1
      }
      if between.count > settings.leftAfterDays {
        absent.formUnion(between)
      } else if !between.isEmpty {
        pauses.append(between.count)
      }
    }
    let days = (first...(start - 1)).filter { !broken.contains($0) && !absent.contains($0) }.count
    let years = Double(days) / 365.25
    func count(_ length: Int) -> Double { Double(pauses.filter { $0 >= length }.count) }
    let common = settings.prior[0]
    let scale = min(
      1,
      (settings.weight * common + count(2)) / ((settings.weight + years) * common))
    var expected: [Int: Double] = [:]
    for length in 2...20 {
      expected[length] =
        (settings.weight * scale * settings.prior[length - 2] + count(length))
        / (settings.weight + years)
    }
    var threshold = settings.maxDays
    for length in (settings.minDays..<settings.maxDays).reversed()
    where (expected[length] ?? 0) <= settings.rate + 1e-9 {
      threshold = length
    }
    return Habit(pauses: pauses.sorted(), days: days, threshold: threshold, expected: expected)
  }

  /// The alerts of `days`, before which nothing was active.
  public func alerts(in days: ClosedRange<Day>) -> [Found] {
    var alerts: [Found] = []
    let signs = signs
    for day in days {
      let active = alerts.indices.last.flatMap { alerts[$0].resolution == nil ? $0 : nil }
      guard !signs.contains(day) else {
        if let active { alerts[active].resolution = .init(day: day, reason: .recovered) }
        continue
      }
      guard let last = signs.filter({ $0 < day }).max() else { continue }
      let silent = day - last
      if let active {
        if silent >= settings.leftAfterDays {
          alerts[active].resolution = .init(day: day, reason: .left)
        } else if let delay = settings.remindAfterDays, day - alerts[active].openedOn == delay {
          alerts[active].levelDays[7] = day
        }
        continue
      }
      let isWatched = worn.contains { $0.day <= last && $0.day > last - settings.maxDays }
      let counted = ((last + 1)...day).filter { !broken.contains($0) }.count
      guard isWatched, !broken.contains(day), silent < settings.leftAfterDays,
        !alerts.contains(where: { $0.activeSince == last + 1 }),
        let habit = habit(before: last + 1), counted >= habit.threshold
      else { continue }
      alerts.append(
        Found(
          activeSince: last + 1, openedOn: day, threshold: habit.threshold,
          longestPause: habit.pauses.last ?? 0, levelDays: [3: day]))
    }
    return alerts
  }
}
