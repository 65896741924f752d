public import VigilDetection
public import VigilModel

/// Slow twin of the rules of detection.md section 2 on days without the device: each day is judged from all rows of
/// the person again.
public struct ReferenceWear {
  public struct Row: Sendable {
    public var source: String
    /// By column.
    public var values: [String: Double]

    public init(source: String, values: [String: Double]) {
      self.source = source
      self.values = values
    }
  }

  public private(set) var notWorn: Set<Day> = []
  /// By day, the columns whose values are left out.
  public private(set) var partWorn: [Day: Set<String>] = [:]

  private let rows: [Day: [Row]]
  private let thresholds: Thresholds
  private let settings: NonWearSettings

  public init(_ rows: [Day: [Row]], thresholds: Thresholds, settings: NonWearSettings) {
    self.rows = rows
    self.thresholds = thresholds
    self.settings = settings
    notWorn = Set(rows.keys.filter(isNotWorn))
    // What is left out of a day lends nothing to later ones.
    for day in rows.keys.sorted() where !notWorn.contains(day) {
      if let leftOut = leftOut(of: day) { partWorn[day] = leftOut }
    }
  }

  private func isUsable(_ column: String, _ value: Double) -> Bool {
    guard value.isFinite, abs(value) <= 1e100 else { return false }
    let metric = thresholds.wearableMetrics.first { $0.metric.rawValue == column }
    return metric?.plausible?.contains(value) ?? true
  }

  /// The usable values of a column, with their sources.
  private func values(_ day: Day, _ column: String) -> [(source: String, value: Double)] {
    (rows[day] ?? []).compactMap { row in
      row.values[column].flatMap { isUsable(column, $0) ? (row.source, $0) : nil }
    }
  }

  private func isPositive(_ day: Day, _ columns: [String]) -> Bool {
    columns.contains { column in values(day, column).contains { $0.value > 0 } }
  }

  private func merged(_ day: Day, _ column: String) -> Double? {
    let found = values(day, column)
    let plain = found.map(\.value)
    switch thresholds.merge {
    case .max: return plain.max()
    case .min: return plain.min()
    case .mean: return plain.isEmpty ? nil : plain.reduce(0, +) / Double(plain.count)
    case .prefer(let names):
      return found.min { left, right in
        let places = [left, right].map { names.firstIndex(of: $0.source) ?? names.count }
        return places[0] == places[1] ? left.source < right.source : places[0] < places[1]
      }?.value
    }
  }

  private func wornMinutes(_ day: Day) -> Double? {
    guard settings.leastWornMinutes != nil else { return nil }
    return (rows[day] ?? []).compactMap { $0.values["worn_minutes"] }
      .filter { $0 >= 0 && $0 <= 1440 }.max()
  }

  private func isBelow(_ value: Double, _ limit: Double) -> Bool {
    value < limit && abs(value - limit) > 1e-9 * max(1, abs(limit))
  }

  private func isNotWorn(_ day: Day) -> Bool {
    if let minutes = wornMinutes(day), let least = settings.leastWornMinutes {
      return isBelow(minutes, least)
    }
    let columns = Set((rows[day] ?? []).flatMap(\.values.keys)).subtracting(["worn_minutes"])
    if !isPositive(day, Array(columns)) { return true }
    guard let still = settings.stillSleepPercent else { return false }
    let hasZero = ["steps", "movement_minutes"].contains { column in
      values(day, column).contains { $0.value == 0 }
    }
    let hasSleeper = (rows[day] ?? []).contains { row in
      guard let sleep = row.values["sleep_minutes"], isUsable("sleep_minutes", sleep), sleep > 0
      else { return false }
      guard let efficiency = row.values["sleep_efficiency_pct"],
        isUsable("sleep_efficiency_pct", efficiency)
      else { return true }
      return isBelow(efficiency, still)
    }
    let ofBody = [
      "resting_hr", "hrv_ms", "breathing_rate", "steps", "movement_minutes", "active_calories",
    ]
    return hasZero && !hasSleeper && !isPositive(day, ofBody)
  }

  private func leftOut(of day: Day) -> Set<String>? {
    func present(_ columns: [String]) -> Set<String> {
      Set(columns.filter { merged(day, $0) != nil })
    }
    let both = ["steps", "movement_minutes"]
    if let minutes = wornMinutes(day) {
      return isBelow(minutes, settings.fullWornMinutes) ? present(both) : nil
    }
    guard let share = settings.partShare, !isPositive(day, ["resting_hr"]) else { return nil }
    let heartDays = (1...settings.windowDays).map { day - $0 }.filter {
      rows[$0] != nil && !notWorn.contains($0) && isPositive($0, ["resting_hr"])
    }
    guard heartDays.count >= settings.heartDays else { return nil }
    let lent = heartDays.filter { partWorn[$0] == nil }.compactMap { merged($0, "steps") }.sorted()
    if let steps = merged(day, "steps"), !lent.isEmpty {
      let usual = (lent[(lent.count - 1) / 2] + lent[lent.count / 2]) / 2
      return isBelow(steps, share * usual) ? present(both) : nil
    }
    return merged(day, "movement_minutes") == 0 ? ["movement_minutes"] : nil
  }
}
