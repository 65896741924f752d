import VigilModel

extension Thresholds {
  /// Reads and validates a thresholds file.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - file: The name of the file in messages.
  ///   - digest: SHA-256 of `data` in lower-case hexadecimal.
  /// - Throws: `ThresholdsError` with every problem the file has.
  public init(json data: some Sequence<UInt8>, file: String, digest: String) throws {
    self = try JSONReader.read(data, file: file) { Thresholds(reading: $0, digest: digest) }
  }

  private init(reading reader: JSONReader, digest: String) {
    self.init(version: "", digest: digest, metrics: [])
    var detector = FileDetector.means
    reader.word("detector", into: &detector)
    switch detector {
    case .means:
      reader.allowOnly([
        "$schema", "version", "detector", "horizon_days", "warmup_days", "merge", "non_wear",
        "recent_days", "baseline", "recovery", "episode", "evidence", "inactivity",
        "check_in_overdue", "critical_limits", "calibration", "notify", "metrics",
      ])
    case .evidence:
      reader.allowOnly([
        "$schema", "version", "detector", "horizon_days", "warmup_days", "merge", "non_wear",
        "baseline", "evidence", "recovery", "episode", "combined", "inactivity", "check_in_overdue",
        "critical_limits", "means", "calibration", "notify", "metrics",
      ])
    }
    version = reader.version(example: "v1")
    reader.integer("warmup_days", in: 1...3650, into: &warmupDays)
    nonWear = NonWearSettings(reading: reader)
    readMerge(reader)
    // Settings outside are those of the file's own detector; those of the other stand in an object.
    switch detector {
    case .means:
      readMeans(reader)
      if let other = reader.object("evidence") {
        other.allowOnly(
          EvidenceSettings.keys + ["horizon_days", "baseline", "recovery", "episode"])
        evidence.read(other, evidence: other)
      }
    case .evidence:
      let own = reader.object("evidence")
      own?.allowOnly(EvidenceSettings.keys)
      evidence.read(reader, evidence: own)
      if let other = reader.object("means") {
        other.allowOnly(["horizon_days", "recent_days", "baseline", "recovery", "episode"])
        readMeans(other)
      }
    }
    inactivity = InactivitySettings(reading: reader)
    checkInOverdue = OverdueSettings(reading: reader)
    calibration = Calibration(reading: reader)
    readNotify(reader)
    readMetrics(reader, detector: detector.detector)
    criticalLimits = CriticalLimit.all(reading: reader, metrics: metrics)
    checkRecoveryNotices(reader)
    if detector == .evidence {
      combined = CombinedSettings(reading: reader, evidence: evidence, allMetrics: metrics)
    }
  }

  /// The detectors that a file can have for all metrics that do not name another.
  private enum FileDetector: String, CaseIterable {
    case means
    case evidence

    var detector: Detector { self == .means ? .means : .evidence }
  }

  /// Reads the settings of the detector `means`.
  private mutating func readMeans(_ reader: JSONReader) {
    reader.integer("horizon_days", in: 7...3650, into: &horizonDays)
    reader.integer("recent_days", in: 1...30, into: &recentDays)
    readBaseline(reader)
    readRecovery(reader)
    guard let episode = reader.object("episode") else { return }
    episode.allowOnly(["on_interruption", "max_unknown_days", "level_may_fall"])
    episode.word("on_interruption", into: &self.episode.onInterruption)
    episode.optionalInteger("max_unknown_days", in: 1...365, into: &self.episode.maxUnknownDays)
    episode.boolean("level_may_fall", into: &self.episode.levelMayFall)
  }

  private mutating func readMerge(_ reader: JSONReader) {
    let allowed = "\"max\", \"min\", \"mean\" or a list of source names, best first"
    switch reader.value("merge") {
    case nil: break
    case .string("max"): merge = .max
    case .string("min"): merge = .min
    case .string("mean"): merge = .mean
    case .array(let items) where !items.isEmpty:
      var names: [String] = []
      for (index, item) in items.enumerated() {
        if case .string(let name) = item, !name.isEmpty, !names.contains(name) {
          names.append(name)
        } else {
          reader.complain(
            "merge[\(index)]",
            "must be a source name that is not in the list before, is "
              + JSONReader.shown(item))
        }
      }
      merge = .prefer(names)
    case let other?:
      reader.complain("merge", "must be \(allowed), is \(JSONReader.shown(other))")
    }
  }

  private mutating func readBaseline(_ reader: JSONReader) {
    guard let object = reader.object("baseline") else { return }
    object.allowOnly([
      "mode", "statistic", "max_days", "min_days", "min_total_days", "rebase_after_days",
    ])
    object.word("mode", into: &baseline.mode)
    object.word("statistic", into: &baseline.statistic)
    object.integer("max_days", in: 1...365, into: &baseline.maxDays)
    object.integer("min_days", in: 1...365, into: &baseline.minDays)
    object.integer("min_total_days", in: 1...3650, into: &baseline.minTotalDays)
    object.optionalInteger("rebase_after_days", in: 1...3650, into: &baseline.rebaseAfterDays)
    if baseline.minDays > baseline.maxDays {
      object.complain(
        "min_days", "\(baseline.minDays) cannot be more than max_days (\(baseline.maxDays))")
    }
    if baseline.minTotalDays > horizonDays + 1 {
      object.complain(
        "min_total_days",
        "\(baseline.minTotalDays) cannot be more than horizon_days + 1 (\(horizonDays + 1))")
    }
    if baseline.rebaseAfterDays != nil, baseline.mode == .rolling {
      object.complain("rebase_after_days", "has a meaning only with \"mode\": \"anchored\"")
    }
  }

  private mutating func readRecovery(_ reader: JSONReader) {
    guard let object = reader.object("recovery") else { return }
    object.allowOnly(["within", "clean_days"])
    if let within = object.number("within", in: 0...1, what: "must be a fraction from 0 to 1") {
      recovery.within = within
    }
    guard let days = object.object("clean_days") else { return }
    days.allowOnly(AlertLevel.allCases.map { String($0.rawValue) })
    for level in AlertLevel.allCases {
      var count = recovery.cleanDays(at: level)
      days.integer(String(level.rawValue), in: 1...60, into: &count)
      recovery.cleanDays[level] = count
    }
  }

  private mutating func readNotify(_ reader: JSONReader) {
    guard let object = reader.object("notify") else { return }
    object.allowOnly(["on_recovery", "group", "payload_detail"])
    object.boolean("on_recovery", into: &notify.onRecovery)
    object.boolean("group", into: &notify.groupsByRecipient)
    object.word("payload_detail", into: &notify.payloadDetail)
  }

  /// A rolling baseline follows a lasting change until it seems to have ended.
  private func checkRecoveryNotices(_ reader: JSONReader) {
    let comparesMeans = metrics.contains { $0.detector == .means }
    if notify.onRecovery, baseline.mode == .rolling, comparesMeans {
      reader.object("notify")?.complain(
        "on_recovery",
        "cannot be true with \"baseline\": { \"mode\": \"rolling\" }: a rolling baseline follows a "
          + "lasting change, so families would be notified of a recovery that never came; set it "
          + "to false, or the mode to \"anchored\"")
    }
  }

  private mutating func readMetrics(_ reader: JSONReader, detector: Detector) {
    guard let object = reader.object("metrics") else {
      if reader.value("metrics") == nil {
        reader.complain("metrics", "is missing; an object of at least one metric")
      }
      return
    }
    if object.keys.isEmpty { object.complain(nil, "must name at least one metric") }
    for name in object.keys {
      guard let metric = object.object(name) else { continue }
      if let thresholds = MetricThresholds(reading: metric, name: name, detector: detector) {
        metrics.append(thresholds)
      }
    }
  }
}

extension MetricThresholds {
  fileprivate init?(reading reader: JSONReader, name: String, detector: Detector) {
    var detector = detector
    reader.word("detector", into: &detector)
    let ofValues = ["rules", "suppress_on_workout_days", "plausible"]
    reader.allowOnly(
      ["unit", "pattern_type", "source"] + (detector == .doseEvidence ? [] : ofValues)
        + ["detector"] + (detector == .evidence ? MetricEvidence.keys : [])
        + (detector == .doseEvidence ? DoseEvidenceSettings.keys : []))
    guard Self.isColumnName(name) else {
      reader.complain(nil, "a metric is named by its column: lower-case letters, digits and _")
      return nil
    }
    self.init(
      metric: MetricType(name), unit: reader.string("unit") ?? "", pattern: .drop, rules: [])
    if reader.value("pattern_type") == nil {
      reader.complain("pattern_type", "is missing; \"drop_vs_baseline\" or \"rise_vs_baseline\"")
    }
    var direction = Direction.drop
    reader.word("pattern_type", into: &direction)
    pattern = direction == .drop ? .drop : .rise
    reader.word("source", into: &source)
    if detector == .doseEvidence {
      readDoses(reader)
      return
    }
    reader.boolean("suppress_on_workout_days", into: &isSuppressedOnWorkoutDays)
    readRules(reader)
    readPlausible(reader)
    if detector == .evidence { evidence = MetricEvidence(reading: reader) }
  }

  private mutating func readDoses(_ reader: JSONReader) {
    if pattern != .drop {
      reader.complain(
        "pattern_type", "must be \"drop_vs_baseline\" with the detector \"dose_evidence\"")
    }
    if source != .adherence {
      reader.complain(
        "source", "must be \"dose_history\" with the detector \"dose_evidence\"")
    }
    doses = DoseEvidenceSettings(reading: reader)
  }

  /// Whether a text is `[a-z][a-z0-9_]{0,62}`.
  private static func isColumnName(_ name: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = name.utf8.first, letters.contains(first), name.utf8.count <= 63 else {
      return false
    }
    return name.utf8.allSatisfy {
      letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_")
    }
  }

  /// The patterns that one metric can have.
  private enum Direction: String, CaseIterable {
    case drop = "drop_vs_baseline"
    case rise = "rise_vs_baseline"
  }

  private mutating func readRules(_ reader: JSONReader) {
    guard let value = reader.value("rules") else {
      reader.complain("rules", "is missing; a list of at least one rule")
      return
    }
    guard case .array(let items) = value, !items.isEmpty else {
      reader.complain("rules", "must be a list of at least one rule, is \(Self.shown(value))")
      return
    }
    let kinds = MetricRule.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    for (index, item) in items.enumerated() {
      let key = "rules[\(index)]"
      guard case .object(let fields) = item, fields.count == 1, let (name, amount) = fields.first
      else {
        reader.complain(key, "must be an object with one of \(kinds) and its number")
        continue
      }
      guard let kind = MetricRule.Kind(rawValue: name) else {
        reader.complain(key, "unknown rule \"\(name)\"; allowed are \(kinds)")
        continue
      }
      guard kind.pattern == pattern else {
        reader.complain(key, "\"\(name)\" does not fit pattern_type \"\(pattern.rawValue)\"")
        continue
      }
      let limit = kind.isPercent ? 1 : Double.greatestFiniteMagnitude
      guard case .number(let number) = amount, number.isFinite, number >= 0, number <= limit else {
        let allowed =
          kind.isPercent ? "a fraction from 0 to 1 (0.25 is 25 %)" : "a number from 0 up"
        reader.complain("\(key).\(name)", "must be \(allowed), is \(JSONReader.shown(amount))")
        continue
      }
      rules.append(MetricRule(kind, number))
    }
  }

  private mutating func readPlausible(_ reader: JSONReader) {
    guard let value = reader.value("plausible"), value != .null else { return }
    guard case .array(let items) = value, items.count == 2, case .number(let low) = items[0],
      case .number(let high) = items[1], low.isFinite, high.isFinite, low < high
    else {
      reader.complain("plausible", "must be [lowest, highest] with lowest < highest, or null")
      return
    }
    plausible = low...high
  }

  private static func shown(_ value: JSONValue) -> String {
    value == .array([]) ? "an empty list" : value.kind
  }
}
