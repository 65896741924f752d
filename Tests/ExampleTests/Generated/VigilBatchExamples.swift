// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import ShippedThresholds
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage
import VigilVitality

@Suite struct VigilBatchExamples {
  /// Sources/VigilBatch/Run/RunRequest.swift
  @Test func runRequestExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let thresholds = try Thresholds(
      json: Data(ShippedThresholds.named("v2") ?? []), file: "v2.json", digest: "")
    let vitality = try VitalitySettings(
      json: Data(ShippedThresholds.named("vitality.v2") ?? []), file: "vitality.v2.json", digest: "")
    let request = RunRequest(
      RunScope(
        kind: .run, days: day...day, mode: .shadow, thresholds: thresholds, vitality: vitality),
      origin: RunOrigin(runID: UUID(), host: "nas", engineVersion: "0.1.0"))
    checks.expect(0, "1/1 0.01", request.shard, request.options.maxBadRowFraction)
  }
}
