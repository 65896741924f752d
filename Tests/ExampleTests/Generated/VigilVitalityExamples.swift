// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import ShippedThresholds
import Testing
import VigilModel
import VigilVitality

@Suite struct VigilVitalityExamples {
  /// Sources/VigilVitality/Scores/ScoreBlock.swift
  @Test func scoreBlockExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let block = ScoreBlock(personCount: 1, days: day...day)
    let row = VitalityScore(
      user: UUID(name: "anna"), day: day, total: 70, sleep: 58, movement: nil, stress: 88,
      schemaVersion: "v1", source: "app")
    checks.expect(0, "true", block.takeForeign(row, person: 0))
    checks.expect(1, "70 0", block.total(person: 0, day: day) ?? 0, block.computedRowCount)
  }

  /// Sources/VigilVitality/Scores/VitalityScorer.swift
  @Test func vitalityScorerExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let file = Data(ShippedThresholds.named("vitality.v1") ?? [])
    let settings = try VitalitySettings(json: file, file: "vitality.v1.json", digest: "")
    let days = (day - 13)...day
    let block = ObservationBlock.forVitality(personCount: 1, days: days)
    for metric in VitalityMetric.allCases {
      for index in 0..<block.dayCount {
        block.series(person: 0, metric: metric.rawValue)[index] =
          switch metric.column.rawValue {
          case "sleep_minutes": 450
          case "steps": 6_000
          case "hrv_ms": 45
          case "resting_hr": 60
          default: .nan
          }
      }
    }
    let scores = ScoreBlock(personCount: 1, days: day...day)
    VitalityScorer(settings: settings.scores).score(block, birthDates: [day - 70 * 365], into: scores)
    checks.expect(0, "86", scores.score(of: .sleep, person: 0, day: day) ?? -1)
    checks.expect(1, "83", scores.total(person: 0, day: day) ?? -1)
  }

  /// Sources/VigilVitality/Settings/ScoreSettings.swift
  @Test func scoreSettingsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    var settings = ScoreSettings()
    settings.ageGroups = [AgeGroup(name: "adult", below: 65), AgeGroup(name: "senior", below: nil)]
    checks.expect(0, "1", settings.ageGroup(born: day - 70 * 366, on: day))
  }

  /// Sources/VigilVitality/Settings/ScoreSettings.swift
  @Test func scoreBandsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let sleep = ScoreBands(optimal: 7...9, acceptable: 6...10, poor: 4...12)
    checks.expect(0, "true false", sleep.optimal.contains(7.5), sleep.poor.contains(3))
  }

  /// Sources/VigilVitality/Settings/VitalitySettings.swift
  @Test func vitalitySettingsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let file = Data(ShippedThresholds.named("vitality.v1") ?? [])
    let settings = try VitalitySettings(json: file, file: "vitality.v1.json", digest: "")
    checks.expect(0, "vitality.v1 7 21", settings.version, settings.scores.windowDays, settings.trends.windowDays)
  }

  /// Sources/VigilVitality/Trends/SlopeEstimator.swift
  @Test func slopeEstimatorExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let values: [Double] = (0..<28).map { index in
      let noise = index.isMultiple(of: 2) ? 1.0 : -1.0
      return 90 - 0.5 * Double(index) + noise
    }
    let estimator = SlopeEstimator(settings: SlopeSettings())
    if let slope = estimator.estimates(of: values, smoothingDays: 1, from: first)[0] {
      checks.expect(0, "-0.51", (slope.perDay * 100).rounded() / 100)
      checks.expect(1, "true", slope.upper < 0)
    }
  }

  /// Sources/VigilVitality/Trends/TrendEvaluator.swift
  @Test func trendEvaluatorExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let anna = UUID(name: "anna")
    let scores = ScoreBlock(personCount: 1, days: (day - 20)...day)
    for back in 0...20 {
      let sleep = back < 3 ? 55 : 80
      _ = scores.takeForeign(
        VitalityScore(
          user: anna, day: day - back, total: nil, sleep: sleep, movement: nil, stress: nil,
          schemaVersion: "v1", source: "app"), person: 0)
    }
    let trends = TrendEvaluator(settings: TrendSettings()).evaluate(scores, users: [anna], on: day)
    checks.expect(0, "21", trends[0].coverage)
    checks.expect(1, "[\"low_streak\"]", trends[0].insights.map(\.rule.rawValue))
  }
}
