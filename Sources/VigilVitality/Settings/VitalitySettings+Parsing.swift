public import Foundation
import VigilModel

extension VitalitySettings {
  /// Reads and validates a vitality file.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - file: How messages name the file.
  ///   - digest: SHA-256 of `data` in lower-case hexadecimal.
  /// - Throws: `ThresholdsError` with every problem the file has.
  public init(json data: Data, file: String, digest: String) throws {
    self = try JSONReader.read(data, file: file) { VitalitySettings(reading: $0, digest: digest) }
  }

  /// Whether a file is meant to be a vitality file and no thresholds file: it says how to score.
  public static func isMeant(byJSON data: Data) -> Bool {
    guard case .object(let fields) = try? JSONDecoder().decode(JSONValue.self, from: data) else {
      return false
    }
    return fields["metrics"] == nil && (fields["scores"] != nil || fields["trends"] != nil)
  }

  private init(reading reader: JSONReader, digest: String) {
    self.init(
      version: reader.version(example: "vitality.v1"), digest: digest, scores: .init(),
      trends: .init())
    reader.allowOnly(["$schema", "version", "scores", "trends"])
    if let object = reader.requiredObject("scores", "how pillars are scored") {
      scores = ScoreSettings(reading: object)
    }
    if let object = reader.object("trends") { trends = TrendSettings(reading: object) }
  }
}

extension ScoreSettings {
  fileprivate init(reading reader: JSONReader) {
    self.init()
    reader.allowOnly([
      "window_days", "lookback_days", "min_pillars", "age_groups", "unknown_age", "pillars",
    ])
    reader.integer("window_days", in: 1...30, into: &windowDays)
    reader.integer("lookback_days", in: 0...30, into: &lookbackDays)
    reader.integer("min_pillars", in: 1...Pillar.scored.count, into: &minPillars)
    readAgeGroups(reader)
    guard let object = reader.requiredObject("pillars", "sleep, movement and stress") else {
      return
    }
    object.allowOnly(Pillar.scored.map(\.rawValue))
    for pillar in Pillar.scored {
      let what = "a weight and its sub-metrics"
      guard let fields = object.requiredObject(pillar.rawValue, what) else { continue }
      pillars.append(PillarSettings(reading: fields, pillar: pillar, ageGroups: ageGroups))
    }
  }

  private mutating func readAgeGroups(_ reader: JSONReader) {
    guard let value = reader.value("age_groups") else {
      return reader.complain("age_groups", "is missing; a list of at least one group")
    }
    guard case .array(let items) = value, !items.isEmpty else {
      return reader.complain("age_groups", "must be a list of at least one group")
    }
    for (index, item) in items.enumerated() {
      let key = "age_groups[\(index)]"
      guard let group = reader.object(item, at: key) else { continue }
      group.allowOnly(["name", "below"])
      if let name = group.requiredString("name", "a short word such as \"young\"") {
        if ageGroups.contains(where: { $0.name == name }) {
          group.complain("name", "\"\(name)\" is the name of a group before")
        }
        ageGroups.append(AgeGroup(name: name, below: nil))
        readUpperEnd(group, isLast: index == items.count - 1)
      }
    }
    guard let unknown = reader.requiredString("unknown_age", "the name of an age group") else {
      return
    }
    let names = ageGroups.map(\.name)
    if let index = names.firstIndex(of: unknown) {
      groupOfUnknownAge = index
    } else if !names.isEmpty {
      let allowed = names.map { "\"\($0)\"" }.joined(separator: ", ")
      reader.complain("unknown_age", "\"\(unknown)\" is not one of \(allowed)")
    }
  }

  /// Reads `below` of the group that was appended last.
  private mutating func readUpperEnd(_ group: JSONReader, isLast: Bool) {
    let last = ageGroups.count - 1
    guard !isLast else {
      if group.value("below") != nil {
        group.complain("below", "has no place in the last group, which has no upper end")
      }
      return
    }
    guard group.value("below") != nil else {
      return group.complain("below", "is missing; only the last group has no upper end")
    }
    var years = -1
    group.integer("below", in: 1...150, into: &years)
    guard years > 0 else { return }
    if let before = ageGroups.dropLast().compactMap(\.below).last, before >= years {
      group.complain("below", "must be above \(before), that of the group before, is \(years)")
    }
    ageGroups[last].below = years
  }
}

extension PillarSettings {
  fileprivate init(reading reader: JSONReader, pillar: Pillar, ageGroups: [AgeGroup]) {
    self.init(pillar: pillar, weight: reader.weight(), subMetrics: [])
    reader.allowOnly(["weight", "sub_metrics"])
    guard let object = reader.requiredObject("sub_metrics", "at least one sub-metric") else {
      return
    }
    let known = SubMetric.allCases.filter { $0.pillar == pillar }
    object.allowOnly(known.map(\.rawValue))
    if object.keys.isEmpty { object.complain(nil, "must name at least one sub-metric") }
    for subMetric in known {
      guard let fields = object.object(subMetric.rawValue) else { continue }
      subMetrics.append(
        SubMetricSettings(reading: fields, subMetric: subMetric, ageGroups: ageGroups))
    }
  }
}

extension SubMetricSettings {
  fileprivate init(reading reader: JSONReader, subMetric: SubMetric, ageGroups: [AgeGroup]) {
    self.init(
      subMetric: subMetric, weight: reader.weight(), direction: .optimalRange, bands: [])
    reader.allowOnly(["weight", "direction", "bands"])
    if reader.value("direction") == nil {
      let words = ScoreDirection.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      reader.complain("direction", "is missing; one of \(words)")
    }
    reader.word("direction", into: &direction)
    guard let object = reader.requiredObject("bands", "one entry for each age group") else {
      return
    }
    object.allowOnly(ageGroups.map(\.name))
    for group in ageGroups {
      guard let value = object.value(group.name) else {
        object.complain(group.name, "is missing; each age group needs its bands")
        continue
      }
      if let found = ScoreBands(reading: value, direction: direction, of: object, key: group.name) {
        bands.append(found)
      }
    }
  }
}

extension ScoreBands {
  fileprivate init?(
    reading value: JSONValue, direction: ScoreDirection, of reader: JSONReader, key: String
  ) {
    let ends = [
      "optimal low", "optimal high", "acceptable low", "acceptable high", "poor low", "poor high",
    ]
    let numbers = value.numbers
    guard let numbers, numbers.count == ends.count else {
      reader.complain(key, "must be a list of 6 numbers: \(ends.joined(separator: ", "))")
      return nil
    }
    var isGood = true
    func require(_ low: Int, _ high: Int, isStrict: Bool) {
      guard isStrict ? numbers[low] >= numbers[high] : numbers[low] > numbers[high] else { return }
      let relation = isStrict ? "must be below" : "must not be above"
      reader.complain(
        key,
        "\(ends[low]) (\(JSONReader.shown(.number(numbers[low])))) \(relation) "
          + "\(ends[high]) (\(JSONReader.shown(.number(numbers[high]))))")
      isGood = false
    }
    // Where the score depends on the distance between two ends, they must be two.
    require(0, 1, isStrict: true)
    require(2, 0, isStrict: direction != .lower)
    require(1, 3, isStrict: direction != .higher)
    require(4, 5, isStrict: true)
    guard isGood else { return nil }
    self.init(
      optimal: numbers[0]...numbers[1], acceptable: numbers[2]...numbers[3],
      poor: numbers[4]...numbers[5])
  }
}

extension TrendSettings {
  fileprivate init(reading reader: JSONReader) {
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
  fileprivate func requiredObject(_ key: String, _ what: String) -> JSONReader? {
    if value(key) == nil { complain(key, "is missing; \(what)") }
    return object(key)
  }

  fileprivate func requiredString(_ key: String, _ what: String) -> String? {
    if value(key) == nil { complain(key, "is missing; \(what)") }
    guard let text = string(key) else { return nil }
    guard !text.isEmpty else {
      complain(key, "must not be empty")
      return nil
    }
    return text
  }

  /// The share of this object in what it is a part of; 1 after a complaint.
  fileprivate func weight() -> Double {
    if value("weight") == nil { complain("weight", "is missing; a share from 0.001 to 1") }
    return number("weight", in: 0.001...1, what: "must be a share from 0.001 to 1") ?? 1
  }

  fileprivate func change(
    _ key: String, baselinePoints: Int, into change: inout TrendSettings.Change
  ) {
    guard let object = object(key) else { return }
    object.allowOnly(["min_baseline_points", "at_least"])
    object.integer("min_baseline_points", in: 1...30, into: &change.minBaselinePoints)
    if change.minBaselinePoints > baselinePoints {
      object.complain(
        "min_baseline_points",
        "\(change.minBaselinePoints) cannot be more than baseline_points (\(baselinePoints))")
    }
    let what = "must be a fraction from 0 to 1 (0.2 is 20 %)"
    if let value = object.number("at_least", in: 0...1, what: what) { change.atLeast = value }
  }
}

extension JSONValue {
  /// The numbers of a list of finite numbers; nil for anything else.
  fileprivate var numbers: [Double]? {
    guard case .array(let items) = self else { return nil }
    let numbers = items.compactMap { item -> Double? in
      guard case .number(let number) = item, number.isFinite else { return nil }
      return number
    }
    return numbers.count == items.count ? numbers : nil
  }
}
