import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilModel
import VigilVitality

@Suite struct VitalitySettingsTests {
  private func text(_ name: String = "v1") throws -> String {
    String(decoding: try #require(ShippedThresholds.named("vitality.\(name)")), as: UTF8.self)
  }

  private func problems(of text: String) throws -> [String] {
    let error = #expect(throws: ThresholdsError.self) {
      try VitalitySettings(json: Data(text.utf8), file: "test.json", digest: "")
    }
    return try #require(error).problems.map { "\($0.path): \($0.message)" }
  }

  @Test func rulesThatCouldNeverMatchAreRefused() throws {
    let start = try #require(text().range(of: "\"trends\""))
    let head = try String(text()[..<start.lowerBound])
    #expect(
      try problems(of: head + #""trends": {"baseline_points": 3}}"#)
        == [
          "drop_vs_baseline", "rebound",
        ].map { "$.trends.\($0).min_baseline_points: 5 cannot be more than baseline_points (3)" })
    #expect(
      try problems(
        of: head
          + #""trends": {"window_days": 7, "low_streak": {"consecutive_days": 8}}}"#)
        == ["$.trends.low_streak.consecutive_days: 8 cannot be more than window_days (7)"])
  }

  // MARK: Good files

  @Test func v1HasTheDocumentedNumbers() throws {
    let v1 = try ShippedSettings.named("v1")
    #expect(v1.version == "vitality.v1")
    #expect(v1.digest == "v1")
    #expect(v1.trends == TrendSettings())
    #expect((v1.scores.windowDays, v1.scores.lookbackDays, v1.scores.minPillars) == (7, 7, 2))
    #expect(v1.scores.ageGroups.map(\.name) == ["young", "middle", "senior", "elderly"])
    #expect(v1.scores.ageGroups.map(\.below) == [40, 60, 75, nil])
    #expect(v1.scores.groupOfUnknownAge == 1)
    #expect(v1.scores.pillars.map(\.weight) == [0.33, 0.33, 0.34])
    #expect(
      v1.scores.pillars.map { $0.subMetrics.map(\.weight) } == [
        [0.4, 0.3, 0.2, 0.1], [0.4, 0.3, 0.3], [0.4, 0.4, 0.2],
      ])
    #expect(
      v1.scores.pillars.flatMap { $0.subMetrics.map(\.subMetric) } == SubMetric.allCases)
    let senior = v1.scores.pillars[2].subMetrics[1].bands[2]
    #expect(senior == ScoreBands(optimal: 55...70, acceptable: 45...80, poor: 45...90))
    #expect((senior.effectivePoorLow, senior.effectivePoorHigh) == (35, 90))
  }

  @Test func v2DiffersOnlyInItsSlope() throws {
    var expected = try ShippedSettings.named("v1")
    expected.version = "vitality.v2"
    expected.digest = "v2"
    expected.trends.slope = SlopeSettings()
    #expect(try ShippedSettings.named("v2") == expected)
  }

  @Test func trendsMayBeLeftOut() throws {
    let whole = try text()
    let start = try #require(whole.range(of: ",\n  \"trends\"")).lowerBound
    let found = try VitalitySettings(
      json: Data((whole[..<start] + "}").utf8), file: "", digest: "v1")
    #expect(found == (try ShippedSettings.named("v1")))
  }

  @Test func aVitalityFileIsRecognised() throws {
    for name in ShippedThresholds.vitalityNames {
      #expect(VitalitySettings.isMeant(byJSON: Data(try #require(ShippedThresholds.named(name)))))
    }
    for name in ShippedThresholds.names {
      #expect(!VitalitySettings.isMeant(byJSON: Data(try #require(ShippedThresholds.named(name)))))
    }
    #expect(!VitalitySettings.isMeant(byJSON: Data("[".utf8)))
  }

  // MARK: Bad files

  /// Replacements in v1 (v2 for the slope), and the problem that each of them causes.
  private static let mistakes: [(old: String, new: String, problem: String)] = [
    (
      "\"window_days\": 7", "\"window_days\": 0",
      "$.scores.window_days: must be a whole number from 1 to 30, is 0"
    ),
    (
      "\"min_pillars\"", "\"minimum_pillars\"",
      "$.scores.minimum_pillars: unknown key; allowed are window_days, lookback_days, min_pillars, "
        + "age_groups, unknown_age, pillars"
    ),
    (
      "\"below\": 60", "\"below\": 40",
      "$.scores.age_groups[1].below: must be above 40, that of the group before, is 40"
    ),
    (
      "{ \"name\": \"elderly\" }", "{ \"name\": \"elderly\", \"below\": 90 }",
      "$.scores.age_groups[3].below: has no place in the last group, which has no upper end"
    ),
    (
      "\"unknown_age\": \"middle\"", "\"unknown_age\": \"midle\"",
      "$.scores.unknown_age: \"midle\" is not one of \"young\", \"middle\", \"senior\", \"elderly\""
    ),
    (
      "\"weight\": 0.34", "\"weight\": 34",
      "$.scores.pillars.stress.weight: must be a share from 0.001 to 1, is 34"
    ),
    (
      "\"optimal_range\"", "\"range\"",
      "$.scores.pillars.sleep.sub_metrics.sleep_duration_h.direction: \"range\" is not one of "
        + "\"optimal_range\", \"higher\", \"lower\""
    ),
    (
      "[7, 8.5, 6.5, 9, 6.5, 9]", "[7, 8.5, 6.5, 9]",
      "$.scores.pillars.sleep.sub_metrics.sleep_duration_h.bands.senior: must be a list of 6 "
        + "numbers: optimal low, optimal high, acceptable low, acceptable high, poor low, poor high"
    ),
    (
      "[7, 8.5, 6.5, 9, 6.5, 9]", "[8.5, 7, 6.5, 9, 6.5, 9]",
      "$.scores.pillars.sleep.sub_metrics.sleep_duration_h.bands.senior: optimal low (8.5) must be "
        + "below optimal high (7)"
    ),
    (
      "[7, 8.5, 6.5, 9, 6.5, 9]", "[7, 8.5, 7, 9, 6.5, 9]",
      "$.scores.pillars.sleep.sub_metrics.sleep_duration_h.bands.senior: acceptable low (7) must be "
        + "below optimal low (7)"
    ),
    (
      "\"min_days\": 7", "\"min_days\": 30",
      "$.trends.min_days: 30 cannot be more than window_days (21)"
    ),
    (
      "\"min_points\": 5", "\"min_points\": 3",
      "$.trends.min_points: 3 must be more than recent_points (3), or there is no baseline"
    ),
    (
      "\"at_least\": 0.15", "\"at_least\": 15",
      "$.trends.rebound.at_least: must be a fraction from 0 to 1 (0.2 is 20 %), is 15"
    ),
    (
      "\"min_points\": 21", "\"min_points\": 29",
      "$.trends.slope.min_points: 29 cannot be more than window_days (28)"
    ),
    (
      "\"autocorrelation\": 0.65", "\"autocorrelation\": 1",
      "$.trends.slope.autocorrelation: must be a correlation from 0 to 0.95, is 1"
    ),
  ]

  @Test(arguments: mistakes.indices)
  func aMistakeIsNamedWithItsPathAndWhatIsAllowed(index: Int) throws {
    let mistake = Self.mistakes[index]
    let good = try text("v2")
    let place = try #require(good.range(of: mistake.old))
    #expect(
      try problems(of: good.replacingCharacters(in: place, with: mistake.new))
        == [mistake.problem])
  }

  @Test func allProblemsOfAFileAreReportedAtOnce() throws {
    let found = try problems(
      of: """
        {
          "scores": {
            "age_groups": [{ "name": "all" }],
            "pillars": {
              "sleep": { "weight": 1, "sub_metrics": {} },
              "movement": {
                "weight": "x",
                "sub_metrics": {
                  "steps": { "weight": 1, "direction": "higher", "bands": { "old": [] } },
                  "hrv_ms": {}
                }
              }
            }
          },
          "trends": { "recovered_at": 101, "slope": [] }
        }
        """)
    #expect(
      found.map { $0.prefix { $0 != ":" } } == [
        "$.version", "$.scores.unknown_age", "$.scores.pillars.sleep.sub_metrics",
        "$.scores.pillars.movement.weight", "$.scores.pillars.movement.sub_metrics.hrv_ms",
        "$.scores.pillars.movement.sub_metrics.steps.bands.old",
        "$.scores.pillars.movement.sub_metrics.steps.bands.all", "$.scores.pillars.stress",
        "$.trends.recovered_at", "$.trends.slope",
      ])
  }

  // MARK: The schema, which editors read

  private func schema() throws -> JSONSchema {
    try JSONSchema(
      contentsOf: SharedFolder.repository.appending(path: "thresholds/vitality.schema.json"))
  }

  @Test(arguments: ["v1", "v2"])
  func theShippedFilesFitTheSchema(name: String) throws {
    #expect(try schema().problems(of: JSON(text: text(name))) == [])
  }

  /// A schema cannot compare two numbers or names of a file.
  @Test func theSchemaRefusesWhatTheParserRefusesButForComparisons() throws {
    let good = try text("v2")
    let accepted = try Self.mistakes.filter { mistake in
      let place = try #require(good.range(of: mistake.old))
      let bad = good.replacingCharacters(in: place, with: mistake.new)
      return try schema().problems(of: JSON(text: bad)).isEmpty
    }
    #expect(
      accepted.allSatisfy {
        [
          "must be above", "has no place", "is not one of \"young\"", "must be below", "cannot be",
          "must be more than",
        ].contains(where: $0.problem.contains)
      })
    #expect(accepted.count == 8)
  }

  @Test func theWordsOfTheSchemaAreThoseOfTheParser() throws {
    let definitions = try #require(try schema().root["$defs"])
    #expect(
      definitions["subMetric"]?["properties"]?["direction"]?["enum"]?.elements
        .compactMap(\.string) == ScoreDirection.allCases.map(\.rawValue))
    for pillar in Pillar.scored {
      let known = SubMetric.allCases.filter { $0.pillar == pillar }.map(\.rawValue)
      let fields = definitions[pillar.rawValue]?["properties"]?["sub_metrics"]?["properties"]
      #expect(Set(try #require(fields).members.keys) == Set(known))
    }
  }
}
