import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline

/// Thresholds files with other values at random: each is refused in words, or follows persons without a trap.
@Suite struct DamagedThresholdsTests {
  @Test(arguments: ["v1", "v2", "v3", "v3-plus"])
  func isRefusedOrCanBeUsed(name: String) throws {
    let file = Data(try #require(ShippedThresholds.named(name)))
    var count = (used: 0, refused: 0)
    for seed in 0..<Repetitions.count(fast: 150, long: 5_000) {
      var random = SeededGenerator(seed: seed)
      let altered = FileDamage.altered(json: file, by: &random)
      do {
        let thresholds = try Thresholds(json: altered, file: "mine.json", digest: "")
        follow(thresholds, seed: seed, &random)
        count.used += 1
      } catch let error as ThresholdsError {
        let said = "\(error)"
        #expect(said.contains("mine.json") && said.count < 20_000, "seed \(seed)")
        count.refused += 1
      }
    }
    // Values that are never refused, or always, would mean that no other value was tried.
    #expect(count.used > 10 && count.refused > 50, "\(count)")
  }

  /// Follows two persons for forty days.
  private func follow(_ thresholds: Thresholds, seed: Int, _ random: inout SeededGenerator) {
    let first = Day(ordinal: 20_000)
    let plan = ProfilePlan(
      thresholds, window: FoldWindow(evaluating: first...first + 39, thresholds: thresholds),
      availableMetrics: nil, followsAdherence: true, followsCheckIns: true)
    let persons = [UUID(name: "anna"), UUID(name: "ben")]
    let input = BlockInput(plan)
    input.begin(persons)
    let days = plan.window.loaded
    let source = input.observations.index(ofSource: "watch")
    for person in persons.indices {
      let columns = input.observations.columns.map { _ in
        RandomSeries(seed: Int(random.next() >> 2), days: days.count).values
      }
      for (index, day) in days.enumerated() {
        columns.map { $0[index] }.withUnsafeBufferPointer {
          input.observations.append(
            person: person, day: day, source: source, values: $0, isOtherPositive: false,
            updatedAt: nil)
        }
      }
    }
    input.observations.finish()
    let fold = PatternFold(plan, evaluatedAt: nil)
    fold.fold(input, adherence: doses(of: plan, persons: persons.count, &random))
    for folded in fold.metrics.episodes + fold.silences.episodes + fold.medications.episodes {
      let episode = folded.episode
      // Where there is no evidence, the day of the opening is not kept.
      let opened = episode.opening?.openedOn ?? episode.activeSince
      #expect(
        plan.window.loaded.contains(opened) && episode.activeSince <= opened
          && episode.duration > 0, "seed \(seed), \(episode)")
    }
  }

  /// Two doses a day, some of which are missed.
  private func doses(
    of plan: ProfilePlan, persons: Int, _ random: inout SeededGenerator
  ) -> AdherenceFindings? {
    guard let metric = plan.adherenceMetric else { return nil }
    let days = plan.window.loaded
    let doses = DoseBlock(personCount: persons, days: days)
    let daily = ObservationBlock(personCount: persons, metricCount: 1, days: days)
    for person in 0..<persons {
      let ownDays = doses.days(ofPerson: person)
      let shares = daily.series(person: person, metric: 0)
      for index in ownDays.indices {
        let missed = UInt16.random(in: 0...2, using: &random)
        ownDays[index] = DoseCounts(expected: 2, missed: missed, inferred: 0)
        shares[shares.startIndex + index - ownDays.startIndex] = Double(2 - missed) * 50
      }
    }
    return AdherenceFindings(daily: daily, doses: metric.doses.map { [$0.rareDays: doses] } ?? [:])
  }
}
