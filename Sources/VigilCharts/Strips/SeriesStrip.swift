public import VigilModel

/// One series of one person over some days, ready to be drawn.
///
/// ```swift
/// guard let day = Day("2026-06-28") else { return }
/// let strip = SeriesStrip(
///   label: "resting heart rate", unit: "bpm", days: day...day + 2,
///   readings: [.value(61), .notWorn, .value(63)])
/// print(strip.values)  // [61.0, 63.0]
/// ```
public struct SeriesStrip: Hashable, Sendable {
  /// The value of one day, or the reason why there is none.
  public enum Reading: Hashable, Sendable {
    /// A value in the series' unit.
    case value(Double)
    /// The day has no row.
    case noRow
    /// The day has a row without this value.
    case noValue
    /// The device was not worn.
    case notWorn
    /// The device was worn for a part of the day, and the value was left out.
    case partWorn
    /// The value cannot be right and was left out.
    case implausible
  }

  /// The usual value of the person and the range that days without a change fall into.
  public struct Usual: Hashable, Sendable {
    /// In the series' unit.
    public var value: Double
    /// In the series' unit; nil where the profile has no personal band.
    public var band: ClosedRange<Double>?

    public init(value: Double, band: ClosedRange<Double>? = nil) {
      self.value = value
      self.band = band
    }

    /// The value and the ends of the band, which a scale must hold.
    var values: [Double] { [value] + (band.map { [$0.lowerBound, $0.upperBound] } ?? []) }
  }

  /// The mean of some days, as a sentence beside the strip says it.
  public struct Recent: Hashable, Sendable {
    public var days: ClosedRange<Day>
    /// In the series' unit.
    public var value: Double

    public init(days: ClosedRange<Day>, value: Double) {
      self.days = days
      self.value = value
    }
  }

  /// An episode and the frozen baseline that its days are compared with.
  public struct Span: Hashable, Sendable {
    /// The first day of the change.
    public var activeSince: Day
    /// The day on which the alert opened.
    public var openedOn: Day
    /// Nil while the episode is active.
    public var resolvedOn: Day?
    public var pattern: PatternType
    /// The levels reached and the first day of each, ascending.
    public var levels: [LevelStep]
    public var usual: Usual?

    public init(
      activeSince: Day, openedOn: Day, resolvedOn: Day? = nil, pattern: PatternType,
      levels: [LevelStep], usual: Usual? = nil
    ) {
      self.activeSince = activeSince
      self.openedOn = openedOn
      self.resolvedOn = resolvedOn
      self.pattern = pattern
      self.levels = levels
      self.usual = usual
    }
  }

  /// A level and the first day on which an episode has it.
  public struct LevelStep: Hashable, Sendable {
    public var level: AlertLevel
    public var day: Day

    public init(_ level: AlertLevel, on day: Day) {
      self.level = level
      self.day = day
    }
  }

  /// An event on a day.
  public struct Mark: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case deviceChange, sent, withheld
    }

    public var kind: Kind
    public var day: Day

    public init(_ kind: Kind, on day: Day) {
      self.kind = kind
      self.day = day
    }
  }

  /// The series in words.
  public var label: String
  /// Empty where it is not known.
  public var unit: String
  public let days: ClosedRange<Day>
  /// One for each of `days`.
  public let readings: [Reading]
  /// Days with a workout.
  public var workouts: Set<Day>
  /// The mean of each day and the six before; nil where too few of them have a value.
  public let means: [Double?]
  public var episodes: [Span]
  public var marks: [Mark]
  /// The usual value where no episode has a baseline; nil where that is not known.
  public var usual: Usual?
  /// Whether the usual value is a limit, as it is of alerts of limits.
  public var isOfLimit = false
  /// Whether its values are minutes that are said with hours; it needs no unit then.
  public var isDuration = false
  /// The words of its texts and the form of its numbers and dates.
  public var language = ChartLanguage.english
  /// The value that is compared with the usual one; nil where the mean of 7 days is.
  public var recent: Recent?

  /// Values among seven days that a mean needs.
  public static let meanNeeds = 4

  /// - Parameters:
  ///   - label: The series in words, such as "sleep".
  ///   - unit: The unit of its values; empty where it is not known.
  ///   - days: The days that are drawn.
  ///   - readings: One for each day.
  ///   - earlier: The readings of up to six days before the first one, for its mean.
  ///   - workouts: Days with a workout; others than `days` are ignored.
  ///   - episodes: Episodes that overlap the days.
  ///   - marks: Events; those of other days are ignored.
  public init(
    label: String, unit: String, days: ClosedRange<Day>, readings: [Reading],
    earlier: [Reading] = [], workouts: Set<Day> = [], episodes: [Span] = [], marks: [Mark] = []
  ) {
    precondition(readings.count == days.upperBound - days.lowerBound + 1)
    self.label = label
    self.unit = unit
    self.days = days
    self.readings = readings
    self.workouts = workouts
    self.episodes = episodes
    self.marks = marks
    means = Self.means(of: earlier.suffix(6) + readings).suffix(readings.count)
  }

  private static func means(of readings: [Reading]) -> [Double?] {
    readings.indices.map { index in
      let values = readings[max(0, index - 6)...index].compactMap(\.value)
      return values.count < meanNeeds ? nil : values.reduce(0, +) / Double(values.count)
    }
  }

  /// The values of the days that have one.
  public var values: [Double] { readings.compactMap(\.value) }

  /// The same strip from a later first day on.
  public func suffix(days count: Int) -> SeriesStrip {
    guard count > 0, count < readings.count else { return self }
    let dropped = readings.count - count
    var strip = SeriesStrip(
      label: label, unit: unit, days: (days.lowerBound + dropped)...days.upperBound,
      readings: Array(readings.suffix(count)),
      earlier: Array(readings.prefix(dropped).suffix(6)), workouts: workouts,
      episodes: episodes.filter { ($0.resolvedOn ?? days.upperBound) >= days.lowerBound + dropped },
      marks: marks)
    strip.usual = usual
    strip.recent = recent
    strip.isDuration = isDuration
    strip.language = language
    return strip
  }
}

extension SeriesStrip.Reading {
  /// The value of the day, if it has one.
  public var value: Double? {
    guard case .value(let value) = self else { return nil }
    return value
  }
}

extension SeriesStrip {
  func reading(on day: Day) -> Reading { readings[day - days.lowerBound] }

  /// The newest mean of 7 days, and its day.
  var latestMean: (day: Day, value: Double)? {
    for (offset, mean) in means.enumerated().reversed() {
      if let mean { return (days.lowerBound + offset, mean) }
    }
    return nil
  }

  /// The newest day with a value, and that value.
  public var latestValue: (day: Day, value: Double)? {
    for (offset, reading) in readings.enumerated().reversed() {
      if let value = reading.value { return (days.lowerBound + offset, value) }
    }
    return nil
  }

  /// The value of one of its days, if it has one.
  public func value(on day: Day) -> Double? { reading(on: day).value }

  /// The baseline of the newest drawn episode that has one, or else what is usual without one.
  var latestUsual: Usual? {
    episodes.last { $0.usual != nil && drawnDays(of: $0) != nil }?.usual ?? usual
  }

  /// The days of an episode that are drawn; nil where there are none.
  func drawnDays(of span: Span) -> ClosedRange<Day>? {
    let last = min(span.resolvedOn ?? days.upperBound, days.upperBound)
    let first = max(span.activeSince, days.lowerBound)
    return first <= last ? first...last : nil
  }

  /// Whether its level line is a limit.
  var drawsLimit: Bool { isOfLimit || episodes.last?.pattern.isOfLimit ?? false }
}
