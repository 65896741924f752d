import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Days without data decide nothing: no gap opens, resolves or advances an episode, except that v2 ends
/// one for want of data.
@Suite struct GapTests {
  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func aNightInAGapChangesNothingOfItsSeries(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    var histories = try RandomHistories(
      seed: 31, persons: kind == .sqlite ? 60 : 30, days: 170)
    #expect(histories.seriesCount > 200)
    let nights = (histories.days.upperBound - 23)...histories.days.upperBound
    let gaps = removeGaps(from: &histories, around: nights, metrics: thresholds.wearableMetrics)
    let database = try histories.database(kind)
    var before: [SeriesKey: [PatternAlertState]] = [:]
    var queued: Set<String> = []
    var (active, ended) = (0, 0)
    for night in nights {
      try database.run(night...night, thresholds: thresholds, kind: .run)
      let after = Dictionary(
        grouping: try database.storage.alertStates(matching: AlertFilter()), by: \.series)
      let queue = Set(
        try database.database.rows("SELECT dedupe_key FROM shadow_notification_queue"))
      // Which alert a key is about is its second part.
      let notified = Set(queue.subtracting(queued).map { $0.split(separator: ":")[1] })
      for (key, gap) in gaps where gap.contains(night) && night > nights.lowerBound {
        let label: Comment = "\(key.metric) of \(key.user) on \(night), gap \(gap)"
        let old = before[key] ?? []
        var new = after[key] ?? []
        active += old.filter(\.episode.isActive).count
        if let index = old.firstIndex(where: \.episode.isActive), index < new.count,
          new[index].episode.resolution == .init(day: night, reason: .noData)
        {
          #expect(thresholds.episode.maxUnknownDays != nil, label)
          var episode = new[index].episode
          #expect(episode.lastEvaluated == night, label)
          episode.lastEvaluated = old[index].episode.lastEvaluated
          episode.resolution = nil
          #expect(episode == old[index].episode, label)
          new[index] = old[index]
          ended += 1
        }
        let isUnchanged = new == old
        #expect(isUnchanged, label)
        #expect(!new.contains { notified.contains(Substring($0.id.lowercased)) }, label)
      }
      (before, queued) = (after, queue)
    }
    #expect(active > 100)
    #expect((ended > 5) == (profile == "v2"))
  }

  /// Removes 1 to 60 days in a row from every series, some of them at the end, and returns the
  /// days.
  private func removeGaps(
    from histories: inout RandomHistories, around nights: ClosedRange<Day>,
    metrics: [MetricThresholds]
  ) -> [SeriesKey: ClosedRange<Day>] {
    var random = SeededGenerator(seed: 31)
    var gaps: [SeriesKey: ClosedRange<Day>] = [:]
    for (index, person) in histories.persons.enumerated() {
      for (offset, metric) in metrics.enumerated() {
        let length = Int.random(in: 1...60, using: &random)
        let latest = nights.upperBound - (length - 1)
        let earliest = nights.lowerBound - (length - 1)
        let start =
          random.chance(0.2)
          ? latest : earliest + Int.random(in: 0...(nights.upperBound - earliest), using: &random)
        let gap = start...min(start + (length - 1), nights.upperBound)
        histories.removeValues(ofPerson: index, metric: offset, on: gap)
        gaps[SeriesKey(user: person, metric: metric.metric, pattern: metric.pattern)] = gap
      }
    }
    return gaps
  }
}
