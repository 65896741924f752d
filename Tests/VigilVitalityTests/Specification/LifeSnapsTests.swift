import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilModel
import VigilVitality

/// Scores of the people of LifeSnaps (https://doi.org/10.1038/s41597-022-01764-x), against the twin.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct LifeSnapsTests {
  /// Rows by person, from the columns of the file that scores are computed from.
  private func rows() throws -> [[ReferenceScores.Row]] {
    let file = try #require(
      SharedFolder.url("datasets/lifesnaps/wearable_daily_metrics.csv"))
    let lines = try String(contentsOf: file, encoding: .utf8)
      .split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let header = try #require(lines.first)
    let user = try #require(header.firstIndex(of: "user_id"))
    let date = try #require(header.firstIndex(of: "metric_date"))
    let known = Set(VitalityMetric.columns.map(\.rawValue))
    var byUser: [String: [ReferenceScores.Row]] = [:]
    for line in lines.dropFirst() {
      let day: Day? = Day(line[date])
      var values: [String: Double] = [:]
      for (column, text) in zip(header, line) where known.contains(column) {
        values[column] = Double(text)
      }
      byUser[line[user], default: []].append(.init(day: try #require(day), values: values))
    }
    return byUser.sorted { $0.key < $1.key }.map(\.value)
  }

  @Test func everyPersonDayWithTwoPillarsHasAScore() throws {
    let settings = try ShippedSettings.named("v1")
    let persons = try rows()
    let all = persons.joined().map(\.day)
    let days = try #require(all.min())...(try #require(all.max()))
    let block = ObservationBlock.forVitality(personCount: persons.count, days: days)
    for (person, rows) in persons.enumerated() {
      for row in rows {
        let values = VitalityMetric.columns.map { row.values[$0.rawValue] ?? .nan }
        values.withUnsafeBufferPointer {
          block.keepLargest(person: person, day: row.day, values: $0)
        }
      }
    }
    let scores = ScoreBlock(personCount: persons.count, days: days)
    VitalityScorer(settings: settings.scores).score(
      block, birthDates: Array(repeating: nil, count: persons.count), into: scores)
    var found = 0
    for (person, rows) in persons.enumerated() {
      for day in days {
        let near = rows.filter { $0.day <= day && day - $0.day < settings.scores.reachDays }
        let expected = ReferenceScores(
          rows: near, day: day, birthDate: nil, settings: settings.scores)
        #expect(scores.total(person: person, day: day) == expected.total, "\(person) \(day)")
        if expected.total == nil {
          #expect(expected.pillars.count < 2)
          continue
        }
        #expect(
          Pillar.scored.map { scores.score(of: $0, person: person, day: day) }
            == Pillar.scored.map { expected.pillars[$0] })
        found += 1
      }
    }
    #expect(scores.computedRowCount == found)
    #expect(found > 3000)
  }
}
