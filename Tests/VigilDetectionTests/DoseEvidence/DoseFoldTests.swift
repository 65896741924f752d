import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The fold of doses, against a twin that computes every day in full, and against itself.
@Suite struct DoseFoldTests {
  static let seeds = 0..<Repetitions.count(fast: 400, long: 6000)

  private func day(_ number: Int) -> Day { Day(ordinal: Int32(number)) }

  private func counts(_ random: ReferenceDoseCase) -> [Day: DoseCounts] {
    Dictionary(
      uniqueKeysWithValues: random.doses.map {
        (
          day($0.day),
          DoseCounts(expected: UInt16($0.n), missed: UInt16($0.k), inferred: UInt16($0.i))
        )
      })
  }

  private func window(_ days: ClosedRange<Int>) -> FoldWindow {
    FoldWindow(
      evaluating: day(days.lowerBound)...day(days.upperBound), thresholds: DoseRun.thresholds)
  }

  private func text(_ episode: ReferenceDoses.Episode) -> String {
    "\(day(episode.activeSince)) \(day(episode.openedOn)) "
      + "\(episode.resolvedOn.map { "\(day($0))" } ?? "-") \(episode.reason ?? "active") "
      + "\(episode.duration) \(episode.level) \(episode.window.j) \(episode.window.K) "
      + "\(episode.window.X) \(episode.recordedOn.map { "\(day($0))" } ?? "-") "
      + episode.levelDays.sorted { $0.key < $1.key }.map { "\($0.key):\(day($0.value))" }
      .joined(separator: " ")
  }

  private func text(_ result: FoldResult, _ index: Int) -> String {
    let episode = result.episodes[index].episode
    let doses = episode.doses
    return "\(episode.activeSince) \(episode.openedOn) "
      + "\(episode.resolution.map { "\($0.day)" } ?? "-") "
      + "\(episode.resolution?.reason.rawValue ?? "active") "
      + "\(episode.duration) \(episode.level.rawValue) \(doses?.windowDays ?? 0) "
      + "\(doses?.missed ?? 0) \(doses?.expected ?? 0) "
      + "\(doses?.recordedOn.map { "\($0)" } ?? "-") "
      + result.newLevels.filter { $0.episode == index }
      .map { "\($0.level.rawValue):\($0.day)" }.joined(separator: " ")
  }

  @Test func theFoldFindsWhatTheTwinFinds() throws {
    var reasons: [String: Int] = [:]
    for seed in Self.seeds {
      var generator = SeededGenerator(seed: seed)
      let random = ReferenceDoseCase.random(using: &generator)
      let found = DoseRun.fold(
        counts(random), over: window(random.days),
        unrecorded: Set(random.unrecorded.map(day)))
      // The order of rows is of no meaning.
      let twin = ReferenceDoses(
        random.doses.shuffled(using: &generator), unrecorded: random.unrecorded)
      let expected = twin.episodes(days: random.days)
      let label: Comment = "seed \(seed): \(random.events)"
      #expect(found.episodes.indices.map { text(found, $0) } == expected.map(text), label)
      for (folded, expected) in zip(found.episodes, expected) {
        let doses = try #require(folded.episode.doses)
        for (value, reference) in [
          (doses.evidence, expected.window.G), (doses.threshold, expected.threshold),
          (doses.heldLevel, expected.A), (doses.anchor.share, expected.baseline.p),
          (doses.anchor.withinDay, expected.baseline.day),
          (doses.anchor.run, expected.baseline.run),
          (doses.anchor.countedDoses, expected.baseline.N0),
          (folded.episode.figures.baseline.value, 100 * (1 - expected.baseline.base)),
        ] {
          #expect(abs(value - reference) <= 1e-9 * max(1, abs(reference)), label)
        }
        reasons[expected.reason ?? "active", default: 0] += 1
      }
    }
    for reason in ["recovered", "no_data", "rebased", "active"] {
      #expect(reasons[reason, default: 0] >= 3, "\(reason)")
    }
  }

  /// Folds in two parts, of which the second resumes from the rows of the first, leave the same as one fold.
  @Test func aFoldThatResumesOnAnyDayLeavesTheSame() throws {
    var resumed = 0
    for seed in Self.seeds {
      var generator = SeededGenerator(seed: 100_000 + seed)
      let random = ReferenceDoseCase.random(using: &generator)
      let counts = counts(random)
      let unrecorded = Set(random.unrecorded.map(day))
      let whole = DoseRun.fold(counts, over: window(random.days), unrecorded: unrecorded)
      let cut = Int.random(
        in: random.days.lowerBound..<random.days.upperBound, using: &generator)
      let before = DoseRun.fold(
        counts, over: window(random.days.lowerBound...cut), unrecorded: unrecorded)
      let stored = before.episodes.map(\.episode)
      let after = DoseRun.fold(
        counts, over: window(cut + 1...random.days.upperBound), unrecorded: unrecorded,
        stored: stored)
      var rows: [Day: FoldedEpisode] = [:]
      for folded in before.episodes + after.episodes { rows[folded.episode.activeSince] = folded }
      let found = rows.values.map(\.episode).sorted { $0.activeSince < $1.activeSince }
      #expect(found == whole.episodes.map(\.episode), "seed \(seed), cut \(day(cut))")
      // An episode that goes on has its level again on the first day after the cut.
      let level = before.episodes.last.flatMap { $0.episode.isActive ? $0.reachedLevel : nil }
      let rises = after.newLevels.filter { rise in
        rise.episode > 0 || level.map { $0 < rise.level } ?? true
      }
      #expect(
        (before.newLevels + rises).map { "\($0.day) \($0.level)" }
          == whole.newLevels.map { "\($0.day) \($0.level)" },
        "seed \(seed), cut \(day(cut))")
      if before.episodes.last?.episode.isActive == true { resumed += 1 }
    }
    #expect(resumed >= 5)
  }

  @Test func sensitivityMovesTheThreshold() throws {
    var expected: [Sensitivity: Int] = [:]
    for sensitivity in [Sensitivity.lower, .normal, .higher] {
      let metric = DoseRun.metric.adjusted(to: sensitivity)
      for seed in Self.seeds {
        var generator = SeededGenerator(seed: seed)
        let random = ReferenceDoseCase.random(using: &generator)
        expected[sensitivity, default: 0] +=
          DoseRun.fold(counts(random), over: window(random.days), by: metric).episodes.count
      }
    }
    let (lower, normal, higher) = (
      expected[.lower] ?? 0, expected[.normal] ?? 0, expected[.higher] ?? 0
    )
    #expect(lower < normal && normal < higher)
  }
}
