import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The schema, which editors read, and the parser, which decides, agree.
@Suite struct ThresholdsSchemaTests {
  private let schema: JSONSchema

  init() throws {
    schema = try JSONSchema(
      contentsOf: SharedFolder.repository.appending(path: "thresholds/thresholds.schema.json"))
  }

  private func definition(_ names: String...) throws -> JSON {
    try names.reduce(schema.root) { try #require($0[$1]) }
  }

  private func words(_ path: String...) throws -> [String] {
    try #require(path.reduce(schema.root) { $0[$1] ?? .null }["enum"])
      .elements.compactMap(\.string)
  }

  @Test(arguments: ShippedThresholds.names)
  func theShippedFilesFitTheSchema(name: String) throws {
    let file = try #require(ShippedThresholds.named(name))
    #expect(schema.problems(of: try JSON(text: String(decoding: file, as: UTF8.self))) == [])
  }

  @Test(arguments: BadThresholdsFile.all.filter(\.isRefusedBySchema))
  func whatTheParserRefusesTheSchemaRefuses(_ file: BadThresholdsFile) throws {
    guard let value = try? JSON(text: file.text) else { return }
    #expect(schema.problems(of: value) != [])
  }

  @Test func whatTheSchemaCannotSayIsLittle() throws {
    let accepted = try BadThresholdsFile.all.filter { !$0.isRefusedBySchema }.map { file in
      (file.reason, schema.problems(of: try JSON(text: file.text)))
    }
    #expect(accepted.allSatisfy { $0.1.isEmpty })
    #expect(
      accepted.map(\.0) == [
        "check-ins that never open", "inactivity with its bounds reversed",
        "left before the greatest threshold", "a prior that rises",
        "more days with a heart rate than days", "whole days shorter than days at all",
        "min_days above max_days",
        "min_total_days above the horizon", "plausible reversed",
        "horizon too short for a baseline under evidence",
        "least baseline above the largest under evidence", "windows that fall",
        "least level above the largest", "episodes longer than the horizon",
        "unknown metric together", "windows of metrics together that fall",
        "windows of metrics together beyond the horizon", "cap below the evidence that counts",
        "a metric in two groups", "no threshold for two metrics",
        "correlation of a metric with itself", "correlation given twice",
        "least baseline of doses above the largest", "horizon too short for a baseline of doses",
        "shortest window of doses above the longest", "windows of doses in the baseline",
        "fall of few doses above that of many", "episodes of doses longer than the horizon",
        "limit of an unknown metric", "limit that no value can reach",
      ])
  }

  /// A file that has every key of the schema, each with its default or some value that fits.
  @Test(arguments: [("meansFile", "metricUnderMeans"), ("evidenceFile", "metricUnderEvidence")])
  func theParserTakesEveryKeyOfTheSchema(file: String, metric: String) throws {
    func sample(_ schema: JSON) throws -> String {
      if let name = schema["$ref"]?.string?.split(separator: "/").last {
        return try sample(definition("$defs", String(name)))
      }
      if let word = schema["enum"]?.elements.last?.string { return "\"\(word)\"" }
      if schema["anyOf"] != nil { return "[\"ring\"]" }
      let type = schema["type"]?.string ?? schema["type"]?.elements.first?.string
      switch type {
      case "string": return "\"x\""
      case "boolean": return "true"
      case "integer": return "\(Int(schema["minimum"]?.number ?? 1))"
      case "number": return "\(schema["minimum"]?.number ?? 1)"
      case "array":
        let count = Int(schema["minItems"]?.number ?? 1)
        return "[\(Array(repeating: "1", count: count).joined(separator: ", "))]"
      case "object":
        let members = try schema["properties"]?.members.map { key, value in
          "\"\(key)\": \(key == "windows" ? "[2, 3]" : try sample(value))"
        }
        return "{ \((members ?? []).sorted().joined(separator: ", ")) }"
      default:
        Issue.record("no sample of \(schema)")
        return "null"
      }
    }
    let kinds = try definition("$defs", "rule", "properties").members.keys.sorted()
    let metrics = try kinds.map { kind in
      let pattern = kind.contains("rise") ? "rise_vs_baseline" : "drop_vs_baseline"
      let keys = try definition("$defs", metric, "properties").members.map { key, value in
        switch key {
        case "thresholds": "\"thresholds\": { \"10\": 4.5 }"
        case "rules": "\"rules\": [{ \"\(kind)\": 0.5 }]"
        case "pattern_type": "\"pattern_type\": \"\(pattern)\""
        case "plausible": "\"plausible\": [0, 1]"
        // Metrics that are followed together, or have a limit, come from wearables.
        case "source": "\"source\": \"wearable_daily_metrics\""
        default: "\"\(key)\": \(try sample(value))"
        }
      }
      return "\"m_\(kind)\": { \(keys.joined(separator: ", ")) }"
    }
    let (one, other) = ("m_percent_drop_at_least", "m_percent_rise_at_least")
    let combined = try definition("$defs", "combined", "properties").members.map { key, value in
      let text =
        switch key {
        case "enabled": "true"
        case "metrics": "[\"\(one)\", \"\(other)\"]"
        case "windows_days": "[2, 3]"
        case "groups": "{ \"alone\": [\"\(one)\"] }"
        case "thresholds": "{ \"2\": 3.5 }"
        case "correlation": "{ \"\(one)\": { \"\(other)\": 0.5 } }"
        default: try sample(value)
        }
      return "\"\(key)\": \(text)"
    }
    let sections = try definition("$defs", file, "properties").members.map { key, value in
      switch key {
      case "metrics": "\"metrics\": { \(metrics.joined(separator: ", ")) }"
      case "combined": "\"combined\": { \(combined.joined(separator: ", ")) }"
      case "critical_limits":
        """
        "critical_limits": [{ "metric": "\(one)", "below": 0.5, "days": 2, "severity": "watch" }]
        """
      default: "\"\(key)\": \(try sample(value))"
      }
    }
    let text = "{ \(sections.joined(separator: ", ")) }"
    #expect(schema.problems(of: try JSON(text: text)) == [])
    let found = try Thresholds(json: Data(text.utf8), file: "every-key.json", digest: "")
    #expect(found.metrics.count == MetricRule.Kind.allCases.count)
    #expect(found.merge == .prefer(["ring"]))
    #expect(found.notify.onRecovery)
    #expect(found.criticalLimits.map(\.days) == [2])
    #expect(found.metrics.allSatisfy { $0.detector == (file == "meansFile" ? .means : .evidence) })
    #expect(found.evidence.windows == [2, 3])
    #expect(found.calibration?.simulatedSeries == 1)
    #expect(found.calibration?.pauses?.count == found.calibration?.doses?.count)
    #expect(found.calibration?.pauses != nil)
    #expect(found.combined?.windowsDays == (file == "meansFile" ? nil : [2, 3]))
  }

  @Test func theWordsOfTheSchemaAreThoseOfTheParser() throws {
    let baseline = try definition("$defs", "baselineOfMeans", "properties")
    #expect(
      baseline["mode"]?["enum"]?.elements.compactMap(\.string)
        == BaselineSettings.Mode.allCases.map(\.rawValue))
    #expect(
      baseline["statistic"]?["enum"]?.elements.compactMap(\.string)
        == BaselineSettings.Statistic.allCases.map(\.rawValue))
    #expect(
      try words("$defs", "episodeOfMeans", "properties", "on_interruption")
        == EpisodeSettings.Interruption.allCases.map(\.rawValue))
    #expect(
      try words("$defs", "metricUnderMeans", "properties", "pattern_type")
        == [PatternType.drop, .rise].map(\.rawValue))
    #expect(
      try words("$defs", "metricUnderMeans", "properties", "source")
        == MetricThresholds.Source.allCases.map(\.rawValue))
    #expect(
      try Set(definition("$defs", "rule", "properties").members.keys)
        == Set(MetricRule.Kind.allCases.map(\.rawValue)))
    #expect(
      try Set(words("$defs", "dropRuleNames", "propertyNames"))
        == Set(MetricRule.Kind.allCases.filter { $0.pattern == .drop }.map(\.rawValue)))
    #expect(
      try Set(words("$defs", "riseRuleNames", "propertyNames"))
        == Set(MetricRule.Kind.allCases.filter { $0.pattern == .rise }.map(\.rawValue)))
    let levels = try definition(
      "$defs", "recoveryOfMeans", "properties", "clean_days", "properties")
    #expect(
      Set(levels.members.keys) == Set(AlertLevel.allCases.map { String($0.rawValue) }))
  }

  /// The least and the greatest value that the schema allows are allowed by the parser, and no more.
  @Test func theRangesOfTheSchemaAreThoseOfTheParser() throws {
    let paths = [
      ["horizon_days"], ["warmup_days"], ["recent_days"], ["baseline", "max_days"],
      ["baseline", "min_days"], ["baseline", "min_total_days"], ["baseline", "rebase_after_days"],
      ["recovery", "within"], ["episode", "max_unknown_days"],
    ]
    for path in paths {
      let key = try #require(path.last)
      let property = try property(path, of: "meansFile")
      let least = Int(try #require(property["minimum"]?.number))
      let greatest = Int(try #require(property["maximum"]?.number))
      for (value, isAllowed) in [
        (least, true), (greatest, true), (least - 1, false), (greatest + 1, false),
      ] {
        // Other keys are set so that only the range of this one can be wrong.
        var other = ["\"mode\": \"anchored\""]
        if key != "max_days" { other.append("\"max_days\": 365") }
        if key != "min_days" { other.append("\"min_days\": 1") }
        if key != "min_total_days" { other.append("\"min_total_days\": 1") }
        let setting = "\"\(key)\": \(value)"
        let horizon = key == "horizon_days" ? "" : "\"horizon_days\": 3650, "
        let keys =
          switch path.count {
          case 1: "\(horizon)\"baseline\": { \(other.joined(separator: ", ")) }, \(setting)"
          case _ where path[0] == "baseline":
            "\(horizon)\"baseline\": { \((other + [setting]).joined(separator: ", ")) }"
          default: "\(horizon)\"\(path[0])\": { \(setting) }"
          }
        let text = BadThresholdsFile.file(keys)
        let place = "$." + path.joined(separator: ".")
        do {
          _ = try Thresholds(json: Data(text.utf8), file: "", digest: "")
          #expect(isAllowed, "\(place) \(value)")
        } catch let error as ThresholdsError {
          #expect(!isAllowed && error.problems.map(\.path) == [place], "\(error)")
        }
        #expect(
          schema.problems(of: try JSON(text: text)).isEmpty == isAllowed, "\(place) \(value)")
      }
    }
  }

  /// The schema of a key, through references.
  private func property(_ path: [String], of file: String) throws -> JSON {
    try path.reduce(definition("$defs", file)) { schema, name in
      let property = try #require(schema["properties"]?[name], "\(path)")
      guard let reference = property["$ref"]?.string?.split(separator: "/").last else {
        return property
      }
      return try definition("$defs", String(reference))
    }
  }

  @Test func theRangesOfEvidenceAreThoseOfTheParser() throws {
    // Settings of which each can take its least and its greatest value beside the others.
    let settings: [String: [String: Double]] = [
      "baseline": ["max_days": 3650, "min_days": 2, "guard_days": 365],
      "evidence": [
        "span_factor": 2, "drift_allowance": 0, "clip": 3, "held": 0, "spread_prior_days": 1,
        "spread_floor": 1, "weekday_prior_days": 1, "rho_prior_days": 1, "rho_max": 0,
        "noise_prior_days": 1,
      ],
      "recovery": [
        "recent_days": 1, "evidence": 1, "calm_days": 1, "level_min": 0.1, "level_max": 10,
      ],
      "episode": ["adopt_after_days": 7, "max_unknown_days": 1],
    ]
    var compared = 0
    for (section, keys) in settings {
      for key in keys.keys {
        let property = try property([section, key], of: "evidenceFile")
        let least = try #require(property["minimum"]?.number)
        let greatest = try #require(property["maximum"]?.number)
        for (value, isAllowed) in [
          (least, true), (greatest, true), (least - 1, false), (greatest + 1, false),
        ] {
          var changed = settings
          changed[section]?[key] = value
          let sections = changed.map { name, keys in
            "\"\(name)\": { "
              + keys.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + " }"
          }
          let text = BadThresholdsFile.file(
            "\"detector\": \"evidence\", \"horizon_days\": 3650, "
              + sections.joined(separator: ", "), metrics: BadThresholdsFile.metricUnderEvidence)
          // The least horizon that an episode fits into is no range of one key.
          if key == "adopt_after_days", value == greatest { continue }
          let place = "$.\(section).\(key)"
          do {
            _ = try Thresholds(json: Data(text.utf8), file: "", digest: "")
            #expect(isAllowed, "\(place) \(value)")
          } catch let error as ThresholdsError {
            #expect(!isAllowed && error.problems.map(\.path) == [place], "\(error)")
          }
          #expect(
            schema.problems(of: try JSON(text: text)).isEmpty == isAllowed, "\(place) \(value)")
          compared += 1
        }
      }
    }
    #expect(compared == 79)
  }
}
