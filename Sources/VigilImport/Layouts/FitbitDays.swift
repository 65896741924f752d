import Foundation
import VigilModel

/// The entries of an account's export, summed up by day.
struct FitbitDays {
  private let parser: FieldParser
  private var sums: [FitbitAccountImport.Kind: [Day: Double]] = [:]
  private var sleep: [Day: Sleep] = [:]
  private var logs: Set<Int64> = []

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
    _ entry: [String: Any], of kind: FitbitAccountImport.Kind
  ) throws(RowProblem) {
    switch kind {
    case .steps, .moderate, .vigorous:
      let day = try shortDay("dateTime", of: entry)
      sums[kind, default: [:]][day, default: 0] += try number("value", of: entry)
    case .restingHeartRate:
      guard let value = entry["value"] as? [String: Any] else {
        throw RowProblem(column: "value", reason: "not an object")
      }
      let rate = try number("value", of: value)
      guard rate > 0 else { return }
      sums[kind, default: [:]][try shortDay("dateTime", of: entry)] = rate
    case .heartRateZones:
      guard let value = entry["value"] as? [String: Any],
        let zones = value["valuesInZones"] as? [String: Any]
      else { throw RowProblem(column: "value", reason: "not an object of valuesInZones") }
      let day = try shortDay("dateTime", of: entry)
      var minutes = 0.0
      for zone in zones.keys.sorted() { minutes += try number(zone, of: zones) }
      if minutes > 0 { sums[kind, default: [:]][day] = minutes }
    case .sleep:
      try addSleep(entry)
    }
  }

  private mutating func addSleep(_ entry: [String: Any]) throws(RowProblem) {
    guard let text = entry["dateOfSleep"] as? String, let day = Day(text) else {
      throw RowProblem(column: "dateOfSleep", reason: "not a date (YYYY-MM-DD)")
    }
    guard day <= parser.lastDay else {
      throw RowProblem(column: "dateOfSleep", reason: "date in the future")
    }
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
    if let log = entry["logId"] as? Int64, !logs.insert(log).inserted { return }
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
    for (day, steps) in sums[.steps] ?? [:] { put(steps, "steps", on: day) }
    for (day, rate) in sums[.restingHeartRate] ?? [:] { put(rate, "resting_hr", on: day) }
    for (day, minutes) in sums[.heartRateZones] ?? [:] { put(minutes, "worn_minutes", on: day) }
    for (day, minutes) in sums[.moderate] ?? [:] {
      put(sums[.vigorous]?[day].map { $0 + minutes }, "movement_minutes", on: day)
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

  /// The date of `MM/DD/YY HH:MM:SS`, of this century.
  private func shortDay(_ key: String, of entry: [String: Any]) throws(RowProblem) -> Day {
    let parts = (entry[key] as? String ?? "").prefix { $0 != " " }.split(
      separator: "/", omittingEmptySubsequences: false
    ).map { $0.utf8.count == 2 ? UInt8($0).map(Int.init) : nil }
    guard parts.count == 3, let month = parts[0], let dayOfMonth = parts[1], let year = parts[2],
      let day = Day(year: 2000 + year, month: month, day: dayOfMonth)
    else { throw RowProblem(column: key, reason: "not a time (MM/DD/YY HH:MM:SS)") }
    guard day <= parser.lastDay else {
      throw RowProblem(column: key, reason: "date in the future")
    }
    return day
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
