import VigilModel

extension MetricThresholds {
  /// Reads a metric; nil where its name cannot be that of a column.
  ///
  /// - Parameters:
  ///   - reader: The object of the metric, which gets complaints about it.
  ///   - name: The name of the metric in the file.
  ///   - detector: That of metrics that name none.
  init?(reading reader: JSONReader, name: String, detector: Detector) {
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
