import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// The scores of LifeSnaps, whose distribution the README of the data sets describes.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct PublicScoresTests {
  private struct Distribution: Equatable {
    var count: Int
    /// The lowest, 5, 25, 50, 75 and 95 %, and the highest.
    var values: [Int]
    /// In tenths.
    var mean: Int

    init(count: Int, values: [Int], mean: Int) {
      self.count = count
      self.values = values
      self.mean = mean
    }

    init(of scores: [Int]) {
      let sorted = scores.sorted()
      count = sorted.count
      values =
        [sorted[0]]
        + [5, 25, 50, 75, 95].map { sorted[(sorted.count * $0 + 99) / 100 - 1] }
        + [sorted[sorted.count - 1]]
      mean = Int((Double(sorted.reduce(0, +)) / Double(sorted.count) * 10).rounded())
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func distribution(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try database.importFiles(of: try #require(SharedFolder.url("datasets/lifesnaps")))
    let days = try #require(try database.storage.metricDays())
    // A score reaches thirteen days beyond the last metric.
    try database.run(
      days.lowerBound...(days.upperBound + 13), thresholds: BatchDatabase.thresholds("v1"),
      parts: [.vitality], workers: 2)
    let scores = try database.storage.vitalityScores(
      of: nil, in: days.lowerBound...(days.upperBound + 30))
    #expect(Set(scores.map(\.user)).count == 43)
    #expect(
      scores.allSatisfy { [$0.sleep, $0.movement, $0.stress].compactMap(\.self).count >= 2 })
    #expect(
      Distribution(of: scores.compactMap(\.sleep))
        == .init(count: 3154, values: [23, 31, 37, 61, 78, 85, 95], mean: 587))
    #expect(
      Distribution(of: scores.compactMap(\.movement))
        == .init(count: 3577, values: [0, 0, 27, 75, 96, 100, 100], mean: 607))
    #expect(
      Distribution(of: scores.compactMap(\.stress))
        == .init(count: 3563, values: [0, 40, 50, 67, 81, 92, 99], mean: 660))
    #expect(
      Distribution(of: scores.compactMap(\.total))
        == .init(count: 3577, values: [0, 32, 47, 64, 75, 87, 94], mean: 616))
  }
}
