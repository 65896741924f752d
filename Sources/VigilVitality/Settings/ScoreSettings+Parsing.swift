import VigilModel

extension ScoreSettings {
  init(reading reader: JSONReader) {
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
    let what = "a list of at least one group"
    if reader.value("age_groups") == nil { reader.complain("age_groups", "is missing; \(what)") }
    if case .array(let items) = reader.value("age_groups"), !items.isEmpty {
      readAgeGroups(items, reader)
    } else if reader.value("age_groups") != nil {
      reader.complain("age_groups", "must be \(what)")
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

  private mutating func readAgeGroups(_ items: [JSONValue], _ reader: JSONReader) {
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
    if !ageGroups.isEmpty { object.allowOnly(ageGroups.map(\.name)) }
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

extension JSONReader {
  fileprivate func requiredString(_ key: String, _ what: String) -> String? {
    if value(key) == nil { complain(key, "is missing; \(what)") }
    guard let text = string(key) else { return nil }
    guard !text.isEmpty else {
      complain(key, "must not be empty")
      return nil
    }
    return text
  }

  /// The share of this object in its parent; 1 after a complaint.
  fileprivate func weight() -> Double {
    if value("weight") == nil { complain("weight", "is missing; a share from 0.001 to 1") }
    return number("weight", in: 0.001...1, what: "must be a share from 0.001 to 1") ?? 1
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
