import VigilModel

extension TrendSettings {
  init(reading reader: JSONReader) {
    self.init()
    reader.allowOnly([
      "window_days", "min_days", "min_points", "recent_points", "baseline_points", "max_age_days",
      "low_streak", "drop_vs_baseline", "rebound", "recovered_at", "slope",
    ])
    reader.integer("window_days", in: 7...63, into: &windowDays)
    reader.integer("min_days", in: 1...63, into: &minDays)
    reader.integer("min_points", in: 2...63, into: &minPoints)
    reader.integer("recent_points", in: 1...30, into: &recentPoints)
    reader.integer("baseline_points", in: 1...30, into: &baselinePoints)
    reader.integer("max_age_days", in: 0...30, into: &maxAgeDays)
    for (key, days) in [("min_days", minDays), ("min_points", minPoints)] where days > windowDays {
      reader.complain(key, "\(days) cannot be more than window_days (\(windowDays))")
    }
    if minPoints <= recentPoints {
      reader.complain(
        "min_points",
        "\(minPoints) must be more than recent_points (\(recentPoints)), or there is no baseline")
    }
    if let object = reader.object("low_streak") {
      object.allowOnly(["lowest_part", "consecutive_days"])
      object.integer("lowest_part", in: 2...20, into: &lowStreak.lowestPart)
      object.integer("consecutive_days", in: 1...30, into: &lowStreak.consecutiveDays)
    }
    if lowStreak.consecutiveDays > windowDays {
      reader.complain(
        "low_streak.consecutive_days",
        "\(lowStreak.consecutiveDays) cannot be more than window_days (\(windowDays))")
    }
    reader.change("drop_vs_baseline", baselinePoints: baselinePoints, into: &drop)
    reader.change("rebound", baselinePoints: baselinePoints, into: &rebound)
    let what = "must be a score from 0 to 100"
    if let score = reader.number("recovered_at", in: 0...100, what: what) { recoveredAt = score }
    if reader.value("slope") != .null, let object = reader.object("slope") {
      slope = SlopeSettings(reading: object)
    }
  }
}

extension SlopeSettings {
  fileprivate init(reading reader: JSONReader) {
    self.init()
    reader.allowOnly([
      "window_days", "min_points", "confidence", "autocorrelation", "smoothing_days",
      "weekday_effect", "min_points_of_change",
    ])
    reader.integer("window_days", in: 14...63, into: &windowDays)
    // Seven weekdays and a slope leave something over from ten points on.
    reader.integer("min_points", in: 10...63, into: &minPoints)
    if minPoints > windowDays {
      reader.complain(
        "min_points", "\(minPoints) cannot be more than window_days (\(windowDays))")
    }
    let level = "must be a fraction from 0.5 to 0.999"
    if let value = reader.number("confidence", in: 0.5...0.999, what: level) { confidence = value }
    let correlation = "must be a correlation from 0 to 0.95"
    if let value = reader.number("autocorrelation", in: 0...0.95, what: correlation) {
      autocorrelation = value
    }
    reader.integer("smoothing_days", in: 1...30, into: &smoothingDays)
    reader.boolean("weekday_effect", into: &removesWeekdayEffect)
    let points = "must be points of score from 0 to 100"
    if let value = reader.number("min_points_of_change", in: 0...100, what: points) {
      minPointsOfChange = value
    }
  }
}

extension JSONReader {
  fileprivate func change(
    _ key: String, baselinePoints: Int, into change: inout TrendSettings.Change
  ) {
    if let object = object(key) {
      object.allowOnly(["min_baseline_points", "at_least"])
      object.integer("min_baseline_points", in: 1...30, into: &change.minBaselinePoints)
      let what = "must be a fraction from 0 to 1 (0.2 is 20 %)"
      if let value = object.number("at_least", in: 0...1, what: what) { change.atLeast = value }
    }
    // The default too: a rule that asks for more points than there are never matches.
    if change.minBaselinePoints > baselinePoints {
      complain(
        "\(key).min_baseline_points",
        "\(change.minBaselinePoints) cannot be more than baseline_points (\(baselinePoints))")
    }
  }
}
