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
