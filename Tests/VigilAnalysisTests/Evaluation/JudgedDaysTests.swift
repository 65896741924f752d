import Foundation
import ShippedThresholds
import Testing
import VigilDetection
import VigilModel

@testable import VigilAnalysis

@Suite struct JudgedDaysTests {
  private let anna = UUID(name: "anna")
  private let ben = UUID(name: "ben")
  private let steps = MetricType("steps")

  private func first() throws -> Day { try #require(Day("2026-05-01")) }

  /// A block of steps from 60 days before the first day on, with values on some days of each person.
  private func block(
    _ values: [[Int]], days: ClosedRange<Day>
  ) throws -> (block: ObservationBlock, metric: MetricThresholds, thresholds: Thresholds) {
    let thresholds = try Thresholds(
      json: Data(#require(ShippedThresholds.named("v1"))), file: "v1.json", digest: "")
    let metric = try #require(thresholds.metrics.first { $0.metric == steps })
    let loaded = (days.lowerBound - 60)...days.upperBound
    let block = ObservationBlock(personCount: values.count, metricCount: 1, days: loaded)
    let builder = ObservationBuilder(block: block, metrics: [metric], thresholds: thresholds)
    builder.begin()
    let source = builder.index(ofSource: "watch")
    for (person, offsets) in values.enumerated() {
      for offset in offsets.sorted() {
        [5000.0].withUnsafeBufferPointer {
          builder.append(
            person: person, day: days.lowerBound + offset, source: source, values: $0,
            isOtherPositive: true, updatedAt: nil)
        }
      }
    }
    builder.finish()
    return (block, metric, thresholds)
  }

  @Test func daysCountWithAValueAndEnoughBefore() throws {
    let first = try first()
    let days = first...first + 29
    // Seven values are needed, that of the day among them. Ben has so many before the first day.
    let input = try block([Array(0..<10), Array(-7 ..< -0) + [0, 5]], days: days)
    var judged = JudgedDays(of: [input.metric], by: input.thresholds, over: days, labels: [])
    judged.add(input.block, of: [anna, ben])
    #expect(judged.personDays == 4 + 2)
    #expect(judged.persons == 2)
  }

  @Test func valuesBeforeTheHorizonDoNotCount() throws {
    let first = try first()
    let days = first...first + 29
    let input = try block([Array(-60 ..< -54) + [0, 1, 2]], days: days)
    var judged = JudgedDays(of: [input.metric], by: input.thresholds, over: days, labels: [])
    judged.add(input.block, of: [anna])
    // One value of 60 days ago leaves the horizon on each day, and one comes.
    #expect(judged.personDays == 3)
    let sparse = try block([Array(-60 ..< -54) + [0, 2]], days: days)
    var fewer = JudgedDays(of: [input.metric], by: input.thresholds, over: days, labels: [])
    fewer.add(sparse.block, of: [anna])
    #expect(fewer.personDays == 1)
  }

  @Test func aLabelIsJudgedByADayOfItsMetricUntilTheGraceIsOver() throws {
    let first = try first()
    let days = first...first + 29
    let input = try block([Array(-7..<0) + [12]], days: days)
    func label(_ person: UUID, _ metric: MetricType?, _ range: ClosedRange<Int>) -> LabelledChange {
      LabelledChange(
        person: person, metric: metric, days: first + range.lowerBound...first + range.upperBound)
    }
    let labels = [
      label(anna, steps, 0...5), label(anna, steps, 0...4), label(anna, nil, 12...12),
      label(anna, steps, 13...20), label(anna, MetricType("hrv_ms"), 0...20),
      label(ben, steps, 0...20), label(ben, .doseAdherence, 0...20),
    ]
    var judged = JudgedDays(of: [input.metric], by: input.thresholds, over: days, labels: labels)
    judged.add(input.block, of: [anna])
    #expect(judged.isJudged == [true, false, true, false, false, false, true])
  }
}
