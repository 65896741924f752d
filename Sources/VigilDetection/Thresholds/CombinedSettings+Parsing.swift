import VigilModel

extension CombinedSettings {
  /// Reads the object `combined`; nil where the file has none or turns it off.
  ///
  /// - Parameter allMetrics: Those of the file, already read.
  init?(reading reader: JSONReader, evidence: EvidenceSettings, allMetrics: [MetricThresholds]) {
    guard let object = reader.object("combined") else { return nil }
    self.init()
    object.allowOnly([
      "enabled", "metrics", "windows_days", "metric_evidence", "evidence_cap", "matter_share",
      "min_groups", "max_age_days", "groups", "thresholds", "correlation", "recovery",
    ])
    var isEnabled = true
    object.boolean("enabled", into: &isEnabled)
    readMetrics(object, of: allMetrics)
    readWindows(object)
    func read(_ key: String, in range: ClosedRange<Double>, _ what: String, _ target: inout Double)
    {
      if let number = object.number(key, in: range, what: "must be \(what)") { target = number }
    }
    read("metric_evidence", in: 0.1...100, "a number from 0.1 to 100", &metricEvidence)
    read("evidence_cap", in: 0.1...100, "a number from 0.1 to 100", &evidenceCap)
    read("matter_share", in: 0...1, "a fraction from 0 to 1", &matterShare)
    object.integer("min_groups", in: 2...10, into: &minGroups)
    object.integer("max_age_days", in: 0...365, into: &maxAgeDays)
    if evidenceCap < metricEvidence {
      object.complain(
        "evidence_cap",
        "cannot be less than metric_evidence (\(JSONReader.shown(.number(metricEvidence))))")
    }
    readGroups(object)
    readThresholds(object)
    readCorrelations(object)
    if let recovery = object.object("recovery") { self.recovery.read(recovery) }
    if !isEnabled { return nil }
    if (windowsDays.last ?? 0) > evidence.horizonDays {
      object.complain(
        "windows_days", "cannot be longer than horizon_days (\(evidence.horizonDays))")
    }
  }

  private mutating func readMetrics(_ reader: JSONReader, of allMetrics: [MetricThresholds]) {
    let known = allMetrics.filter { $0.evidence != nil && $0.source == .wearable }.map(\.metric)
    guard let value = reader.value("metrics") else {
      metrics.removeAll { !known.contains($0) }
      metrics += known.filter { !metrics.contains($0) }
      metrics = Array(metrics.prefix(Self.mostMetrics))
      return
    }
    let allowed = "a list of 2 to \(Self.mostMetrics) different metrics that evidence follows"
    guard case .array(let items) = value, (2...Self.mostMetrics).contains(items.count) else {
      reader.complain("metrics", "must be \(allowed), is \(JSONReader.shown(value))")
      return
    }
    metrics = []
    for (index, item) in items.enumerated() {
      if case .string(let name) = item, known.contains(MetricType(name)),
        !metrics.contains(MetricType(name))
      {
        metrics.append(MetricType(name))
      } else {
        reader.complain("metrics[\(index)]", "must be \(allowed), is \(JSONReader.shown(item))")
      }
    }
  }

  /// All sets of so many metrics are looked at.
  private static let mostMetrics = 10

  private mutating func readWindows(_ reader: JSONReader) {
    guard let value = reader.value("windows_days") else { return }
    let allowed = "a list of different whole numbers from 2 to 365, ascending"
    guard case .array(let items) = value, !items.isEmpty else {
      reader.complain("windows_days", "must be \(allowed), is \(JSONReader.shown(value))")
      return
    }
    windowsDays = []
    for (index, item) in items.enumerated() {
      guard case .number(let number) = item, let length = Int(exactly: number),
        (2...365).contains(length), length > windowsDays.last ?? 0
      else {
        reader.complain(
          "windows_days[\(index)]", "must be \(allowed), is \(JSONReader.shown(item))")
        return
      }
      windowsDays.append(length)
    }
  }

  private mutating func readGroups(_ reader: JSONReader) {
    guard let object = reader.object("groups") else { return }
    groups = []
    for name in object.keys {
      guard case .array(let items)? = object.value(name), !items.isEmpty else {
        object.complain(name, "must be a list of metrics")
        continue
      }
      var group: [MetricType] = []
      for (index, item) in items.enumerated() {
        if case .string(let metric) = item, metrics.contains(MetricType(metric)),
          !(groups + [group]).contains(where: { $0.contains(MetricType(metric)) })
        {
          group.append(MetricType(metric))
        } else {
          object.complain(
            "\(name)[\(index)]",
            "must be a metric of combined that is in no other group, is \(JSONReader.shown(item))")
        }
      }
      groups.append(group)
    }
  }

  private mutating func readThresholds(_ reader: JSONReader) {
    guard let object = reader.object("thresholds") else { return }
    thresholds = [:]
    for key in object.keys {
      guard let count = Int(key), (2...Self.mostMetrics).contains(count), String(count) == key
      else {
        object.complain(key, "must be a number of metrics, from 2 to \(Self.mostMetrics)")
        continue
      }
      thresholds[count] = object.number(
        key, in: 0.1...100, what: "must be a number from 0.1 to 100")
    }
    for count in 2...max(2, metrics.count) where object.value(String(count)) == nil {
      object.complain(
        String(count), "is missing; the evidence needed where \(count) metrics take part")
    }
  }

  private mutating func readCorrelations(_ reader: JSONReader) {
    guard let object = reader.object("correlation") else { return }
    correlations = [:]
    for name in object.keys {
      guard let others = object.object(name) else { continue }
      if !metrics.contains(MetricType(name)) {
        object.complain(name, "is no metric of combined")
      }
      for other in others.keys {
        let pair = MetricPair(MetricType(name), MetricType(other))
        if !metrics.contains(MetricType(other)) || name == other {
          others.complain(other, "must be another metric of combined")
        } else if correlations[pair] != nil {
          others.complain(other, "is given twice for these two metrics")
        }
        // Below 0 the evidence of two metrics would be more than that of two that are independent.
        correlations[pair] = others.number(
          other, in: 0...0.99, what: "must be a number from 0 to 0.99")
      }
    }
  }
}
