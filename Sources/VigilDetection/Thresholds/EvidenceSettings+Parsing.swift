import VigilModel

extension EvidenceSettings {
  /// The keys of the object `evidence`.
  static let keys = [
    "windows", "span_factor", "drift_allowance", "clip", "held", "spread_prior_days",
    "spread_floor", "weekday_prior_days", "rho_prior_days", "rho_max", "noise_prior_days",
  ]

  /// Reads the settings of the detector `evidence`.
  ///
  /// - Parameters:
  ///   - reader: The object with `horizon_days`, `baseline`, `recovery` and `episode`.
  ///   - evidence: The object `evidence`; nil where the file has none.
  mutating func read(_ reader: JSONReader, evidence: JSONReader?) {
    reader.integer("horizon_days", in: 28...3650, into: &horizonDays)
    readBaseline(reader)
    if let evidence {
      readWindows(evidence)
      readNumbers(evidence)
    }
    if let object = reader.object("recovery") { recovery.read(object) }
    readEpisode(reader)
  }

  private mutating func readWindows(_ reader: JSONReader) {
    guard let value = reader.value("windows") else { return }
    let allowed =
      "a list of different whole numbers from 2 to guard_days (\(guardDays)), ascending"
    guard case .array(let items) = value, !items.isEmpty else {
      reader.complain("windows", "must be \(allowed), is \(JSONReader.shown(value))")
      return
    }
    var lengths: [Int] = []
    for (index, item) in items.enumerated() {
      guard case .number(let number) = item, let length = Int(exactly: number),
        (2...guardDays).contains(length), length > lengths.last ?? 0
      else {
        reader.complain("windows[\(index)]", "must be \(allowed), is \(JSONReader.shown(item))")
        return
      }
      lengths.append(length)
    }
    windows = lengths
  }

  private mutating func readNumbers(_ reader: JSONReader) {
    func read(_ key: String, in range: ClosedRange<Double>, _ what: String, _ target: inout Double)
    {
      if let number = reader.number(key, in: range, what: "must be \(what)") { target = number }
    }
    let weight = "a number from 0 to 10000"
    read("span_factor", in: 1...100, "a number from 1 to 100", &spanFactor)
    read("drift_allowance", in: 0...10, "a number from 0 to 10", &driftAllowance)
    read("clip", in: 0.5...100, "a number from 0.5 to 100", &clip)
    read("held", in: 0...1, "a fraction from 0 to 1", &held)
    read("spread_prior_days", in: 0...10_000, weight, &spreadPriorDays)
    read("spread_floor", in: 0.01...1, "a fraction from 0.01 to 1", &spreadFloor)
    read("weekday_prior_days", in: 0.1...10_000, "a number from 0.1 to 10000", &weekdayPriorDays)
    read("rho_prior_days", in: 1...10_000, "a number from 1 to 10000", &autocorrelationPriorDays)
    read("rho_max", in: 0...0.99, "a fraction from 0 to 0.99", &mostAutocorrelation)
    read("noise_prior_days", in: 1...10_000, "a number from 1 to 10000", &noisePriorDays)
  }

  private mutating func readEpisode(_ reader: JSONReader) {
    guard let episode = reader.object("episode") else { return }
    episode.allowOnly(["adopt_after_days", "max_unknown_days"])
    episode.integer("adopt_after_days", in: 7...3650, into: &adoptAfterDays)
    episode.integer("max_unknown_days", in: 1...365, into: &maxUnknownDays)
    // An episode is replayed from its opening, which must be loaded.
    if adoptAfterDays + maxUnknownDays > horizonDays {
      episode.complain(
        "adopt_after_days",
        "with max_unknown_days \(adoptAfterDays + maxUnknownDays), cannot be more than horizon_days "
          + "(\(horizonDays))")
    }
  }
}

/// The days of a baseline, which all detectors of evidence read alike.
protocol BaselineDays {
  var horizonDays: Int { get }
  var baselineDays: Int { get set }
  var minBaselineDays: Int { get set }
  var guardDays: Int { get set }
  var fewestObservations: Int { get }
}

extension EvidenceSettings: BaselineDays {}
extension DoseEvidenceSettings: BaselineDays {}

extension BaselineDays {
  /// Reads the object `baseline`.
  mutating func readBaseline(_ reader: JSONReader) {
    guard let baseline = reader.object("baseline") else { return }
    baseline.allowOnly(["max_days", "min_days", "guard_days"])
    baseline.integer("max_days", in: 2...3650, into: &baselineDays)
    baseline.integer("min_days", in: 2...365, into: &minBaselineDays)
    baseline.integer("guard_days", in: 3...365, into: &guardDays)
    if minBaselineDays > baselineDays {
      baseline.complain(
        "min_days", "\(minBaselineDays) cannot be more than max_days (\(baselineDays))")
    }
    if fewestObservations > horizonDays + 1 {
      baseline.complain(
        "min_days",
        "a baseline of \(minBaselineDays) needs \(fewestObservations) observations, more than "
          + "horizon_days + 1 (\(horizonDays + 1))")
    }
  }
}

extension EvidenceSettings.Recovery {
  /// Reads an object `recovery`.
  mutating func read(_ object: JSONReader) {
    object.allowOnly(["recent_days", "evidence", "calm_days", "level_min", "level_max"])
    object.integer("recent_days", in: 1...30, into: &recentDays)
    object.integer("calm_days", in: 1...60, into: &calmDays)
    let spreads = "must be a number of personal spreads from 0.1 to 10"
    if let evidence = object.number(
      "evidence", in: 0.1...100, what: "must be a number from 0.1 to 100")
    {
      self.evidence = evidence
    }
    let low = object.number("level_min", in: 0.1...10, what: spreads) ?? levels.lowerBound
    let high = object.number("level_max", in: 0.1...10, what: spreads) ?? levels.upperBound
    if low <= high {
      levels = low...high
    } else {
      object.complain(
        "level_min",
        "\(JSONReader.shown(.number(low))) cannot be more than level_max "
          + "(\(JSONReader.shown(.number(high))))")
    }
  }
}

extension MetricEvidence {
  /// The keys of a metric that only `evidence` has.
  static let keys = ["transform", "prior_spread", "prior_autocorrelation", "thresholds"]

  /// Reads the settings of one metric; nil where they cannot be used, which the reader then knows.
  init?(reading reader: JSONReader) {
    var transform = Transform.none
    if reader.value("transform") == nil {
      reader.complain("transform", "is missing; \"none\", \"sqrt\" or \"log\"")
    }
    reader.word("transform", into: &transform)
    for key in ["prior_spread", "prior_autocorrelation"] where reader.value(key) == nil {
      reader.complain(key, "is missing; the detector \"evidence\" needs it")
    }
    let spread = reader.number(
      "prior_spread", in: 1e-9...1e9, what: "must be a number above 0, in the unit of the transform"
    )
    let autocorrelation = reader.number(
      "prior_autocorrelation", in: 0...0.99, what: "must be a fraction from 0 to 0.99")
    guard let thresholds = EvidenceThresholds(reading: reader), let spread, let autocorrelation
    else { return nil }
    self.init(
      transform: transform, priorSpread: spread, priorAutocorrelation: autocorrelation,
      thresholds: thresholds)
  }
}

extension EvidenceThresholds {
  /// Reads the object `thresholds` of a metric; nil where it cannot be used, which the reader then knows.
  init?(reading reader: JSONReader) {
    guard let object = reader.object("thresholds") else {
      if reader.value("thresholds") == nil {
        reader.complain(
          "thresholds",
          "is missing; an object of the evidence needed by size of the baseline, "
            + "such as { \"10\": 4.5, \"60\": 4.3 }")
      }
      return nil
    }
    var thresholds: [Int: Double] = [:]
    for key in object.keys {
      guard let size = Int(key), size > 0, String(size) == key else {
        object.complain(key, "must be a size of the baseline, a whole number from 1")
        continue
      }
      thresholds[size] = object.number(
        key, in: 0.1...100, what: "must be a number from 0.1 to 100")
    }
    if object.keys.isEmpty { object.complain(nil, "must have at least one size of the baseline") }
    guard !thresholds.isEmpty else { return nil }
    self.init(thresholds)
  }
}

extension Calibration {
  /// Reads the object `calibration`; nil where the file has none.
  init?(reading reader: JSONReader) {
    guard let object = reader.object("calibration") else { return nil }
    object.allowOnly([
      "false_episodes_per_person_year", "openings_per_series_year",
      "combined_openings_per_person_year", "simulated_series", "seed", "digest", "source",
      "metrics", "pauses", "doses",
    ])
    for key in ["openings_per_series_year", "simulated_series"] where object.value(key) == nil {
      object.complain(key, "is missing")
    }
    var series = 0
    var seed: Int?
    object.integer("simulated_series", in: 1...1_000_000_000, into: &series)
    object.optionalInteger("seed", in: 0...Int(Int32.max), into: &seed)
    let rate = object.number(
      "openings_per_series_year", in: 0...366, what: "must be a number from 0 to 366")
    guard let rate, series > 0 else { return nil }
    self.init(
      openingsPerSeriesYear: rate, simulatedSeries: series, seed: seed,
      digest: object.string("digest"), source: object.string("source"))
    budget = object.number(
      "false_episodes_per_person_year", in: 0...3660, what: "must be a number from 0 to 3660")
    combinedOpeningsPerPersonYear = object.number(
      "combined_openings_per_person_year", in: 0...366, what: "must be a number from 0 to 366")
    if let metrics = object.object("metrics") {
      for name in metrics.keys {
        people[MetricType(name)] = metrics.object(name).map(FittedPeople.init(reading:))
      }
    }
    pauses = object.object("pauses").map(FittedPeople.init(reading:))
    doses = object.object("doses").map(FittedPeople.init(reading:))
  }
}

extension Calibration.FittedPeople {
  fileprivate init(reading reader: JSONReader) {
    reader.allowOnly(["people", "fitted"])
    for key in ["people", "fitted"] where reader.value(key) == nil {
      reader.complain(key, "is missing")
    }
    self.init(count: 0, areEnough: false)
    reader.integer("people", in: 0...1_000_000_000, into: &count)
    reader.boolean("fitted", into: &areEnough)
  }
}
