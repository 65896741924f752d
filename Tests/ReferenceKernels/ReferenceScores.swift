public import VigilModel
public import VigilVitality

/// Slow twin of the scores: vitality.md section 1 word by word, one person and day at a time.
public struct ReferenceScores: Equatable {
  /// One row of daily metrics.
  public struct Row {
    public var day: Day
    /// By column; a column that is empty has no entry.
    public var values: [String: Double]

    public init(day: Day, values: [String: Double]) {
      self.day = day
      self.values = values
    }
  }

  public var ageGroup: String
  /// By sub-metric, what is scored.
  public var subMetrics: [SubMetric: Double] = [:]
  public var subScores: [SubMetric: Int] = [:]
  public var pillars: [Pillar: Int] = [:]
  public var total: Int?

  public init(rows: [Row], day: Day, birthDate: Day?, settings: ScoreSettings) {
    let group = settings.ageGroup(born: birthDate, on: day)
    ageGroup = settings.ageGroups[group].name
    subMetrics = Self.subMetrics(of: rows, on: day, settings: settings)
    var totalSum = 0.0
    var totalWeight = 0.0
    for pillar in settings.pillars {
      var sum = 0.0
      var weight = 0.0
      for subMetric in pillar.subMetrics {
        guard let value = subMetrics[subMetric.subMetric] else { continue }
        let score = Self.score(value, subMetric.bands[group], subMetric.direction)
        subScores[subMetric.subMetric] = score
        sum += subMetric.weight * Double(score)
        weight += subMetric.weight
      }
      guard weight > 0 else { continue }
      let score = Self.halfUp(sum / weight)
      pillars[pillar.pillar] = Int(score)
      totalSum += pillar.weight * score
      totalWeight += pillar.weight
    }
    if pillars.count >= settings.minPillars { total = Int(Self.halfUp(totalSum / totalWeight)) }
  }

  private static func subMetrics(
    of rows: [Row], on day: Day, settings: ScoreSettings
  ) -> [SubMetric: Double] {
    func mean(_ column: String) -> Double? {
      var byDay: [Day: Double] = [:]
      for row in rows {
        guard let value = row.values[column], value.isFinite else { continue }
        byDay[row.day] = max(byDay[row.day] ?? value, value)
      }
      let window = (0..<settings.windowDays).compactMap { byDay[day - $0] }
      if !window.isEmpty { return window.reduce(0, +) / Double(window.count) }
      return (0..<settings.lookbackDays).lazy
        .compactMap { byDay[day - settings.windowDays - $0] }.first
    }
    func whole(_ column: String) -> Double? { mean(column).map(halfUp) }

    let deepAndREM = (whole("deep_sleep_minutes") ?? 0) + (whole("rem_sleep_minutes") ?? 0)
    var sleep = whole("sleep_minutes") ?? 0
    if sleep == 0 { sleep = deepAndREM + (whole("light_sleep_minutes") ?? 0) }
    var found: [SubMetric: Double] = [:]
    if sleep != 0 {
      found[.sleepDuration] = sleep / 60
      if deepAndREM != 0 { found[.restorative] = halfUp(100 * deepAndREM / sleep) }
      if let awake = whole("awake_minutes"), sleep + awake != 0 {
        found[.awake] = halfUp(100 * awake / (sleep + awake))
      }
    }
    found[.sleepEfficiency] = mean("sleep_efficiency_pct")
    found[.movementMinutes] = whole("movement_minutes")
    found[.steps] = whole("steps")
    found[.activeCalories] = mean("active_calories")
    found[.hrv] = mean("hrv_ms")
    found[.restingHeartRate] = mean("resting_hr")
    found[.breathingRate] = mean("breathing_rate")
    return found
  }

  private static func tolerance(_ value: Double) -> Double { 1e-9 * max(1, abs(value)) }

  private static func halfUp(_ value: Double) -> Double {
    let below = value.rounded(.down)
    return value >= below + 0.5 - tolerance(value) ? below + 1 : below
  }

  private static func truncated(_ value: Double) -> Int {
    let nearest = value.rounded()
    return Int(abs(value - nearest) <= tolerance(value) ? nearest : value.rounded(.down))
  }

  /// The score of a value, band by band.
  public static func score(
    _ value: Double, _ bands: ScoreBands, _ direction: ScoreDirection
  ) -> Int {
    let (ol, oh) = (bands.optimal.lowerBound, bands.optimal.upperBound)
    let (al, ah) = (bands.acceptable.lowerBound, bands.acceptable.upperBound)
    var (pl, ph) = (bands.poor.lowerBound, bands.poor.upperBound)
    if pl >= al { pl = al - (ol - al) }
    if ph <= ah { ph = ah + (ah - oh) }
    func atLeast(_ end: Double) -> Bool { value >= end - tolerance(end) }
    func atMost(_ end: Double) -> Bool { value <= end + tolerance(end) }
    func between(_ left: Double, _ right: Double, _ from: Double, _ to: Double) -> Int {
      if abs(value - left) <= tolerance(left) { return Int(from) }
      if abs(value - right) <= tolerance(right) { return Int(to) }
      return truncated(from + (to - from) * (value - left) / (right - left))
    }
    switch direction {
    case .optimalRange:
      if atMost(pl) || atLeast(ph) { return 0 }
      if atLeast(ol), atMost(oh) { return between(ol, oh, 80, 100) }
      if atLeast(al), atMost(ol) { return between(al, ol, 50, 80) }
      if atLeast(oh), atMost(ah) { return between(oh, ah, 100, 80) }
      return atMost(al) ? between(pl, al, 0, 50) : between(ah, ph, 80, 50)
    case .higher:
      if atLeast(oh) { return 100 }
      if atLeast(ol) { return between(ol, oh, 80, 100) }
      if atLeast(al) { return between(al, ol, 60, 80) }
      return atMost(pl) ? 0 : between(pl, al, 0, 60)
    case .lower:
      if atMost(ol) { return 100 }
      if atMost(oh) { return between(ol, oh, 100, 80) }
      if atMost(ah) { return between(oh, ah, 80, 60) }
      return atLeast(ph) ? 0 : between(ah, ph, 60, 0)
    }
  }
}
