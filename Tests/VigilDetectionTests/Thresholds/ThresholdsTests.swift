import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

@Suite struct ThresholdsTests {
  private func problems(of text: String) throws -> [ThresholdsError.Problem] {
    let error = #expect(throws: ThresholdsError.self) {
      try Thresholds(json: Data(text.utf8), file: "test.json", digest: "")
    }
    return try #require(error).problems
  }

  // MARK: Good files

  @Test func v1IsTheDocumentedProfile() throws {
    let v1 = try Profiles.named("v1")
    #expect(v1.version == "v1")
    #expect(v1.digest == "v1")
    #expect(v1.horizonDays == 60)
    #expect(v1.warmupDays == 40)
    #expect(v1.merge == .max)
    #expect(v1.nonWear == nil)
    #expect(v1.recentDays == 3)
    #expect(v1.baseline == BaselineSettings())
    #expect(v1.baseline.mode == .rolling)
    #expect(v1.baseline.statistic == .mean)
    #expect((v1.baseline.minDays, v1.baseline.maxDays, v1.baseline.minTotalDays) == (4, 21, 7))
    #expect(v1.baseline.rebaseAfterDays == nil)
    #expect(v1.recovery.within == 0.05)
    #expect(AlertLevel.allCases.map { v1.recovery.cleanDays(at: $0) } == [2, 2, 3, 3])
    #expect(v1.episode.onInterruption == .restart)
    #expect(v1.episode.maxUnknownDays == nil)
    #expect(v1.episode.levelMayFall)
    #expect(!v1.notify.onRecovery)
  }

  @Test func v2DiffersOnlyWhereDocumented() throws {
    let v1 = try Profiles.named("v1")
    var expected = v1
    expected.version = "v2"
    expected.digest = "v2"
    var onlyZeros = NonWearSettings()
    (onlyZeros.stillSleepPercent, onlyZeros.partShare) = (nil, nil)
    onlyZeros.leastWornMinutes = nil
    expected.nonWear = onlyZeros
    expected.baseline.mode = .anchored
    expected.baseline.rebaseAfterDays = 60
    expected.episode.onInterruption = .continue
    expected.episode.maxUnknownDays = 14
    expected.episode.levelMayFall = false
    let plausible: [String: ClosedRange<Double>] = [
      "sleep_minutes": 0...1440, "steps": 0...200_000, "hrv_ms": 1...500, "resting_hr": 20...250,
      "sleep_efficiency_pct": 0...100, "movement_minutes": 0...1440,
      "deep_sleep_minutes": 0...1440, "dose_adherence_pct": 0...100,
    ]
    for index in expected.metrics.indices {
      expected.metrics[index].plausible = plausible[expected.metrics[index].metric.rawValue]
    }
    #expect(try Profiles.named("v2") == expected)
  }

  @Test func theMetricsOfV1AreTheDocumentedOnes() throws {
    func drop(
      _ name: String, _ unit: String, suppressed: Bool = false,
      source: MetricThresholds.Source = .wearable, _ rules: MetricRule...
    ) -> MetricThresholds {
      MetricThresholds(
        metric: MetricType(name), unit: unit, pattern: .drop, source: source, rules: rules,
        isSuppressedOnWorkoutDays: suppressed)
    }
    let plausible: [String: ClosedRange<Double>] = [
      "sleep_minutes": 0...1440, "steps": 0...1_000_000, "hrv_ms": 0...3000, "resting_hr": 0...600,
      "sleep_efficiency_pct": 0...100, "movement_minutes": 0...1440,
      "deep_sleep_minutes": 0...1440, "dose_adherence_pct": 0...100,
    ]
    let v1 = try Profiles.named("v1")
    let documented = [
      drop(
        "deep_sleep_minutes", "min", .init(.percentDropAtLeast, 0.25),
        .init(.absoluteDropAtLeast, 15)),
      drop(
        "dose_adherence_pct", "%", source: .adherence, .init(.percentDropAtLeast, 0.2),
        .init(.absoluteDropBelow, 80)),
      drop("hrv_ms", "ms", suppressed: true, .init(.percentDropAtLeast, 0.15)),
      drop(
        "movement_minutes", "min", .init(.percentDropAtLeast, 0.3),
        .init(.absoluteDropAtLeast, 20)),
      MetricThresholds(
        metric: MetricType("resting_hr"), unit: "bpm", pattern: .rise,
        rules: [.init(.percentRiseAtLeast, 0.1), .init(.absoluteRiseAtLeast, 5)],
        isSuppressedOnWorkoutDays: true),
      drop(
        "sleep_efficiency_pct", "%", .init(.percentDropAtLeast, 0.1),
        .init(.absoluteDropBelow, 85)),
      drop(
        "sleep_minutes", "min", .init(.percentDropAtLeast, 0.1), .init(.absoluteDropAtLeast, 45)),
      drop("steps", "count", .init(.percentDropAtLeast, 0.25)),
    ]
    #expect(
      v1.metrics
        == documented.map { metric in
          var metric = metric
          metric.plausible = plausible[metric.metric.rawValue]
          return metric
        })
    #expect(v1.wearableMetrics == v1.metrics.filter { $0.metric.rawValue != "dose_adherence_pct" })
  }

  @Test func whatAFileLeavesOutHasTheDefaultsOfV1() throws {
    var expected = try Profiles.named("v1")
    expected.version = "test"
    expected.metrics = [
      MetricThresholds(
        metric: MetricType("steps"), unit: "", pattern: .drop,
        rules: [.init(.percentDropAtLeast, 0.25)])
    ]
    let found = try Thresholds(
      json: Data(BadThresholdsFile.file().utf8), file: "test.json", digest: "v1")
    #expect(found == expected)
  }

  @Test func aListOfSourcesIsAPreference() throws {
    let text = BadThresholdsFile.file("\"merge\": [\"ring\", \"watch\"]")
    let found = try Thresholds(json: Data(text.utf8), file: "test.json", digest: "")
    #expect(found.merge == .prefer(["ring", "watch"]))
  }

  @Test func theEndsOfEveryRangeAreAllowed() throws {
    let text = BadThresholdsFile.file(
      """
      "horizon_days": 7, "warmup_days": 3650, "recent_days": 30,
      "baseline": {
        "mode": "anchored", "max_days": 365, "min_days": 365, "min_total_days": 8,
        "rebase_after_days": 3650
      },
      "recovery": { "within": 1, "clean_days": { "3": 1, "21": 60 } },
      "episode": { "max_unknown_days": 365 }
      """,
      metrics: """
        "a": {
          "pattern_type": "rise_vs_baseline", "plausible": null,
          "rules": [{ "percent_rise_at_least": 1 }, { "absolute_rise_at_least": 0 }]
        }
        """)
    let found = try Thresholds(json: Data(text.utf8), file: "test.json", digest: "")
    #expect(found.baseline.minDays == 365)
    #expect(AlertLevel.allCases.map { found.recovery.cleanDays(at: $0) } == [1, 2, 3, 60])
  }

  // MARK: Bad files

  @Test(arguments: BadThresholdsFile.all)
  func aBadFileIsRefusedWithPathAndReason(_ file: BadThresholdsFile) throws {
    let found = try problems(of: file.text).map { "\($0.path): \($0.message)" }
    #expect(found == ["\(file.path): \(file.message)"])
  }

  @Test(arguments: ["1e999", "-1e999"])
  func aNumberTooLargeForADoubleIsRefusedAtItsPath(number: String) throws {
    let files = [
      (
        BadThresholdsFile.rules("[{ \"absolute_drop_below\": \(number) }]"),
        "$.metrics.steps.rules[0].absolute_drop_below"
      ),
      (BadThresholdsFile.file("\"recovery\": { \"within\": \(number) }"), "$.recovery.within"),
      (BadThresholdsFile.file("\"horizon_days\": \(number)"), "$.horizon_days"),
      (BadThresholdsFile.metric("\"plausible\": [0, \(number)]"), "$.metrics.steps.plausible"),
    ]
    for (text, path) in files {
      #expect(try problems(of: text).map(\.path) == [path])
    }
  }

  /// Every combination of the two keys, each absent or with each of its values.
  @Test(arguments: [nil, "rolling", "anchored"], [nil, "false", "true"])
  func aRecoveryNeedsAnAnchoredBaseline(mode: String?, notifies: String?) throws {
    let sections = [
      mode.map { "\"baseline\": { \"mode\": \"\($0)\" }" },
      notifies.map { "\"notify\": { \"on_recovery\": \($0) }" },
    ]
    let text = BadThresholdsFile.file(sections.compactMap(\.self).joined(separator: ", "))
    if notifies == "true" && mode != "anchored" {
      #expect(try problems(of: text).map(\.path) == ["$.notify.on_recovery"])
    } else {
      let found = try Thresholds(json: Data(text.utf8), file: "test.json", digest: "")
      #expect(found.notify.onRecovery == (notifies == "true"))
    }
  }

  @Test func allProblemsOfAFileAreReportedAtOnce() throws {
    let text = """
      {
        "horizon": 60, "recent_days": 0,
        "baseline": { "mode": "fixed", "min_days": 30 },
        "recovery": { "within": 2, "clean_days": { "7": "two" } },
        "notify": { "on_recovery": 1 },
        "metrics": {
          "hrv_ms": { "pattern_type": "drop_vs_baseline", "rules": [] },
          "steps": {
            "plausible": [1, 0],
            "rules": [{ "percent_drop_at_least": 25 }, { "absolute_rise_at_least": 5 }]
          }
        }
      }
      """
    #expect(
      try problems(of: text).map(\.path) == [
        "$.horizon", "$.version", "$.recent_days", "$.baseline.mode", "$.baseline.min_days",
        "$.recovery.within", "$.recovery.clean_days.7", "$.notify.on_recovery",
        "$.metrics.hrv_ms.rules", "$.metrics.steps.pattern_type",
        "$.metrics.steps.rules[0].percent_drop_at_least", "$.metrics.steps.rules[1]",
        "$.metrics.steps.plausible",
      ])
  }

  @Test func anErrorNamesTheFileAndItsProblems() throws {
    func text(_ keys: String) throws -> String? {
      let error = #expect(throws: ThresholdsError.self) {
        try Thresholds(
          json: Data(BadThresholdsFile.file(keys).utf8), file: "my.json", digest: "")
      }
      return error?.description
    }
    #expect(
      try text("\"recent_days\": 0")
        == "my.json: $.recent_days: must be a whole number from 1 to 30, is 0")
    #expect(
      try text("\"recent_days\": 0, \"baseline\": 1")
        == "my.json: 2 problems: $.recent_days: must be a whole number from 1 to 30, is 0; "
        + "$.baseline: must be an object, is a number")
  }
}
