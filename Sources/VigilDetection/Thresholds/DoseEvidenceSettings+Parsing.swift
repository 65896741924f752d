import VigilModel

extension DoseEvidenceSettings {
  /// The keys of a metric that only `dose_evidence` has.
  static let keys = [
    "horizon_days", "baseline", "doses", "recovery", "episode", "feed_limit", "rare_days",
    "rare_after_days", "thresholds",
  ]

  /// Reads the settings of one metric.
  init(reading reader: JSONReader) {
    reader.integer("horizon_days", in: 28...3650, into: &horizonDays)
    readBaseline(reader)
    if let object = reader.object("doses") { doses.read(object, guardDays: guardDays) }
    if let object = reader.object("recovery") { recovery.read(object) }
    readEpisode(reader)
    if reader.value("feed_limit") == .null {
      feedLimit = nil
    } else if let limit = reader.number(
      "feed_limit", in: 0.05...1, what: "must be a fraction from 0.05 to 1, or null")
    {
      feedLimit = limit
    }
    reader.integer("rare_days", in: 2...28, into: &rareDays)
    reader.integer("rare_after_days", in: 1...28, into: &rareAfterDays)
    if reader.value("thresholds") != nil, let thresholds = EvidenceThresholds(reading: reader) {
      self.thresholds = thresholds
    }
  }

  private mutating func readEpisode(_ reader: JSONReader) {
    if let episode = reader.object("episode") {
      episode.allowOnly(["adopt_after_days", "max_unknown_days"])
      episode.integer("adopt_after_days", in: 7...3650, into: &adoptAfterDays)
      episode.integer("max_unknown_days", in: 1...365, into: &maxUnknownDays)
    }
    // An episode is replayed from its opening, which must be loaded.
    if adoptAfterDays + maxUnknownDays > horizonDays {
      reader.complain(
        "episode.adopt_after_days",
        "with max_unknown_days \(adoptAfterDays + maxUnknownDays), cannot be more than horizon_days "
          + "(\(horizonDays))")
    }
  }
}

extension DoseEvidenceSettings.Doses {
  fileprivate mutating func read(_ reader: JSONReader, guardDays: Int) {
    reader.allowOnly([
      "prior_missed", "prior_taken", "day_prior", "day_prior_doses", "weekday_prior_doses",
      "run_prior_doses", "run_max", "shortest", "longest", "short_run", "missed_days", "fall",
      "low",
      "low_fall",
    ])
    func read(_ key: String, in range: ClosedRange<Double>, _ what: String, _ target: inout Double)
    {
      if let number = reader.number(key, in: range, what: "must be \(what)") { target = number }
    }
    let weight = "a number from 0.01 to 10000"
    let fraction = "a fraction from 0 to 1"
    read("prior_missed", in: 0.01...10_000, weight, &priorMissed)
    read("prior_taken", in: 0.01...10_000, weight, &priorTaken)
    read("day_prior", in: 0...1, fraction, &dayPrior)
    read("day_prior_doses", in: 0.01...10_000, weight, &dayPriorDoses)
    read("weekday_prior_doses", in: 0.01...10_000, weight, &weekdayPriorDoses)
    read("run_prior_doses", in: 0.01...10_000, weight, &runPriorDoses)
    read("run_max", in: 0...0.99, "a fraction from 0 to 0.99", &mostRun)
    read("short_run", in: 0...1000, "a number from 0 to 1000", &shortRun)
    read("fall", in: 0...1, fraction, &fall)
    read("low", in: 0...1, fraction, &low)
    read("low_fall", in: 0...1, fraction, &lowFall)
    if lowFall > fall {
      reader.complain(
        "low_fall",
        "\(JSONReader.shown(.number(lowFall))) cannot be more than fall "
          + "(\(JSONReader.shown(.number(fall))))")
    }
    reader.integer("missed_days", in: 1...365, into: &missedDays)
    var (shortest, longest) = (windows.lowerBound, windows.upperBound)
    reader.integer("shortest", in: 1...365, into: &shortest)
    reader.integer("longest", in: 1...365, into: &longest)
    if shortest > longest {
      reader.complain("shortest", "\(shortest) cannot be more than longest (\(longest))")
    } else {
      windows = shortest...longest
    }
    if longest > guardDays {
      reader.complain(
        "longest", "\(longest) cannot be more than baseline.guard_days (\(guardDays))")
    }
  }
}

extension DoseEvidenceSettings.Recovery {
  fileprivate mutating func read(_ reader: JSONReader) {
    reader.allowOnly(["recent_days", "evidence", "calm_days", "level_max", "level_gap"])
    reader.integer("recent_days", in: 1...30, into: &recentDays)
    reader.integer("calm_days", in: 1...60, into: &calmDays)
    if let evidence = reader.number(
      "evidence", in: 0.1...100, what: "must be a number from 0.1 to 100")
    {
      self.evidence = evidence
    }
    let share = "must be a share of the doses from 0.01 to 0.99"
    if let most = reader.number("level_max", in: 0.01...0.99, what: share) { mostLevel = most }
    if let gap = reader.number("level_gap", in: 0.01...0.99, what: share) { levelGap = gap }
  }
}
