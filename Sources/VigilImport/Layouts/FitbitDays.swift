import Foundation
import VigilModel

/// The entries of an account's export, summed up by day.
struct FitbitDays {
  private let parser: FieldParser
  /// Entries that are added up, by day: seconds since midnight and values, in the order of the files.
  private var parts: [FitbitFiles.Kind: [Day: [(second: Int32, value: Float)]]] = [:]
  /// Entries of which a day has one.
  private var values: [FitbitFiles.Kind: [Day: Double]] = [:]
  private var sleep: [Day: Sleep] = [:]
  /// The sleeps so far, by the number of their log, or else their start.
  private var logs: Set<String> = []

  private struct Sleep {
    var asleep = 0.0
    var awake = 0.0
    var inBed = 0.0
    /// Deep, REM and light; nil where no log has stages.
    var stages: (deep: Double, rem: Double, light: Double)?
  }

  init(parser: FieldParser) {
    self.parser = parser
  }

  mutating func add(
    _ entry: [String: Any], of kind: FitbitFiles.Kind
  ) throws(RowProblem) {
    switch kind {
    case .steps, .moderate, .vigorous:
      let time = try shortTime("dateTime", of: entry)
      let value = try number("value", of: entry)
      if value > 0 || time.day <= parser.lastDay { try require(time.day, "dateTime") }
      parts[kind, default: [:]][time.day, default: []].append((time.second, Float(value)))
    case .restingHeartRate:
      guard let value = entry["value"] as? [String: Any] else {
        throw RowProblem(column: "value", reason: "not an object")
      }
      let rate = try number("value", of: value)
      guard rate > 0 else { return }
      values[kind, default: [:]][try shortDay("dateTime", of: entry)] = rate
    case .heartRateZones:
      guard let value = entry["value"] as? [String: Any],
        let zones = value["valuesInZones"] as? [String: Any]
      else { throw RowProblem(column: "value", reason: "not an object of valuesInZones") }
      let day = try shortDay("dateTime", of: entry)
      var minutes = 0.0
      for zone in zones.keys.sorted() { minutes += try number(zone, of: zones) }
      if minutes > 0 { values[kind, default: [:]][day] = minutes }
    case .sleep:
      try addSleep(entry)
    }
  }

  private mutating func addSleep(_ entry: [String: Any]) throws(RowProblem) {
    guard let text = entry["dateOfSleep"] as? String, let day = Day(text) else {
      throw RowProblem(column: "dateOfSleep", reason: "not a date (YYYY-MM-DD)")
    }
    try require(day, "dateOfSleep")
    let asleep = try number("minutesAsleep", of: entry)
    let awake = try number("minutesAwake", of: entry)
    let inBed = try number("timeInBed", of: entry)
    var stages: (deep: Double, rem: Double, light: Double)?
    if let levels = entry["levels"] as? [String: Any],
      let summary = levels["summary"] as? [String: Any],
      let deep = summary["deep"] as? [String: Any], let rem = summary["rem"] as? [String: Any],
      let light = summary["light"] as? [String: Any]
    {
      stages = (
        try number("minutes", of: deep), try number("minutes", of: rem),
        try number("minutes", of: light)
      )
    }
    let log = (entry["logId"] as? Int64).map { "\($0)" } ?? entry["startTime"] as? String
    if let log, !logs.insert(log).inserted { return }
    var night = sleep[day] ?? Sleep()
    night.asleep += asleep
    night.awake += awake
    night.inBed += inBed
    if let stages {
      let earlier = night.stages ?? (0, 0, 0)
      night.stages = (
        earlier.deep + stages.deep, earlier.rem + stages.rem, earlier.light + stages.light
      )
    }
    sleep[day] = night
  }

  /// The metrics of each day that has any, in order.
  func metrics() -> [(day: Day, values: [MetricType: Double])] {
    var days: [Day: [MetricType: Double]] = [:]
    func put(_ value: Double?, _ metric: String, on day: Day) {
      if let value { days[day, default: [:]][MetricType(metric)] = value }
    }
    let sums = parts.mapValues { $0.mapValues(Self.sum) }
    let newest = lastDayWithValue(sums)
    func known(_ kind: FitbitFiles.Kind) -> [Day: Double] {
      (sums[kind] ?? [:]).filter { $0.value > 0 || $0.key <= newest }
    }
    for (day, steps) in known(.steps) { put(steps, "steps", on: day) }
    for (day, rate) in values[.restingHeartRate] ?? [:] { put(rate, "resting_hr", on: day) }
    for (day, minutes) in values[.heartRateZones] ?? [:] { put(minutes, "worn_minutes", on: day) }
    let vigorous = known(.vigorous)
    for (day, minutes) in known(.moderate) {
      put(vigorous[day].map { $0 + minutes }, "movement_minutes", on: day)
    }
    for (day, night) in sleep {
      put(night.asleep, "sleep_minutes", on: day)
      put(night.awake, "awake_minutes", on: day)
      if night.inBed > 0 {
        let efficiency = (10_000 * night.asleep / night.inBed).rounded(.toNearestOrEven) / 100
        put(efficiency, "sleep_efficiency_pct", on: day)
      }
      put(night.stages?.deep, "deep_sleep_minutes", on: day)
      put(night.stages?.rem, "rem_sleep_minutes", on: day)
      put(night.stages?.light, "light_sleep_minutes", on: day)
    }
    return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The values of a day, of which those of one time count once.
  private static func sum(_ parts: [(second: Int32, value: Float)]) -> Double {
    var sum = 0.0
    var latest: (second: Int32, value: Float)?
    for part in parts.sorted(by: { ($0.second, $0.value) < ($1.second, $1.value) }) {
      if let latest, latest.second != part.second { sum += Double(latest.value) }
      latest = part
    }
    return sum + Double(latest?.value ?? 0)
  }

  /// The last day of which an entry says anything.
  private func lastDayWithValue(_ sums: [FitbitFiles.Kind: [Day: Double]]) -> Day {
    let days =
      sums.values.compactMap { $0.filter { $0.value > 0 }.keys.max() }
      + values.values.compactMap { $0.keys.max() } + [sleep.keys.max()].compactMap(\.self)
    return days.max() ?? parser.lastDay
  }

  /// The date of `MM/DD/YY HH:MM:SS`, of this century, where it is not in the future.
  private func shortDay(_ key: String, of entry: [String: Any]) throws(RowProblem) -> Day {
    let day = try shortTime(key, of: entry).day
    try require(day, key)
    return day
  }

  private func shortTime(
    _ key: String, of entry: [String: Any]
  ) throws(RowProblem) -> ShortTime {
    guard let time = ShortTime(entry[key] as? String ?? "") else {
      throw RowProblem(column: key, reason: "not a time (MM/DD/YY HH:MM:SS)")
    }
    return time
  }

  private func require(_ day: Day, _ column: String) throws(RowProblem) {
    do throws(Refusal) {
      try parser.requireObservable(day)
    } catch {
      throw RowProblem(column: column, reason: error.reason)
    }
  }

  /// A number that is not negative, or a text of one.
  private func number(_ key: String, of entry: [String: Any]) throws(RowProblem) -> Double {
    let number =
      (entry[key] as? NSNumber)?.doubleValue ?? (entry[key] as? String).flatMap(Double.init)
    guard let number, number.isFinite else {
      throw RowProblem(column: key, reason: "not a number")
    }
    guard number >= 0 else { throw RowProblem(column: key, reason: "negative") }
    return number
  }
}
