import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The fold of single medications, against twins that go day by day, and against itself.
@Suite struct BlockMedicationFoldTests {
  private static let seeds = 0..<Repetitions.count(fast: 400, long: 6000)

  /// A random medication, whose doses stop for some time.
  private struct Sample {
    var random: ReferenceDoseCase
    var lastDay: Int?
    var covered: [Range<Int>] = []

    init(seed: Int) {
      var generator = SeededGenerator(seed: seed)
      random = ReferenceDoseCase.random(using: &generator)
      let days = random.days
      if generator.chance(0.2) { lastDay = Int.random(in: days, using: &generator) }
      if let lastDay { random.doses.removeAll { $0.day > lastDay } }
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let first = Int.random(in: days, using: &generator)
        covered.append(first..<first + Int.random(in: 1...40, using: &generator))
      }
    }

    var medication: MedicationDays {
      var counts = [DoseCounts](repeating: .none, count: random.days.count)
      for dose in random.doses {
        counts[dose.day - random.days.lowerBound] = DoseCounts(
          expected: UInt16(dose.n), missed: UInt16(dose.k), inferred: UInt16(dose.i))
      }
      return MedicationDays(
        person: 0, medication: UUID(name: "tablets"), counts: counts,
        lastDay: lastDay.map { day($0) }, rare: [], firstTakenOn: nil, firstDueOn: nil)
    }

    func fold(_ days: ClosedRange<Int>, stored: [Episode] = []) -> FoldResult {
      let medication = medication
      var own = medication
      let window = FoldWindow(
        evaluating: day(days.lowerBound)...day(days.upperBound), thresholds: DoseRun.thresholds)
      own.counts = window.loaded.map { date in
        let index = date - day(random.days.lowerBound)
        return medication.counts.indices.contains(index) ? medication.counts[index] : .none
      }
      var result = FoldResult()
      BlockMedicationFold(DoseEvidenceSettings()).fold(
        MedicationDoseBlock(days: window.loaded, medications: [own]),
        unrecorded: UnrecordedDays(broken: Set(random.unrecorded.map { day($0) })), over: window,
        stored: stored.isEmpty ? [:] : [0: stored],
        covering: [0: covered.map { day($0.lowerBound)..<day($0.upperBound) }], into: &result)
      return result
    }
  }

  @Test func theFoldFindsTheStreaksOfTheTwin() {
    var reasons: [String: Int] = [:]
    var withheld = 0
    for seed in Self.seeds {
      let sample = Sample(seed: seed)
      let found = sample.fold(sample.random.days)
      let twin = ReferenceDoses(sample.random.doses, unrecorded: sample.random.unrecorded)
        .streaks(
          days: sample.random.days, lastDay: sample.lastDay,
          covered: Set(sample.covered.joined()))
      #expect(
        found.episodes.indices.map { text(found, $0) } == twin.map(text),
        "seed \(seed): \(sample.random.events) \(sample.covered)")
      for streak in twin {
        reasons[streak.episode.reason ?? "active", default: 0] += 1
        withheld += streak.withheld.count
      }
    }
    for reason in ["recovered", "no_data", "active"] {
      #expect(reasons[reason, default: 0] >= 3, "\(reason)")
    }
    #expect(withheld >= 5)
  }

  @Test func aFoldThatResumesOnAnyDayLeavesTheSame() {
    var resumed = 0
    for seed in Self.seeds {
      let sample = Sample(seed: 100_000 + seed)
      let days = sample.random.days
      let whole = sample.fold(days)
      var generator = SeededGenerator(seed: seed)
      let cut = Int.random(in: days.lowerBound..<days.upperBound, using: &generator)
      let before = sample.fold(days.lowerBound...cut)
      let stored = before.episodes.map(\.episode)
      let after = sample.fold(cut + 1...days.upperBound, stored: stored)
      var rows: [Day: Episode] = [:]
      for folded in before.episodes + after.episodes {
        rows[folded.episode.activeSince] = folded.episode
      }
      #expect(
        rows.values.sorted { $0.activeSince < $1.activeSince } == whole.episodes.map(\.episode),
        "seed \(seed), cut \(day(cut))")
      // A fold that resumes an episode finds its level again.
      let known = Dictionary(
        uniqueKeysWithValues: stored.map { ($0.activeSince, $0.level) })
      let notes = { (result: FoldResult, known: [Day: AlertLevel]) in
        result.levels.filter { level in
          let first = result.episodes[level.episode].episode.activeSince
          return known[first].map { $0 < level.level } ?? true
        }.map { "\($0.day) \($0.level) \($0.isCovered)" }
      }
      #expect(
        notes(before, [:]) + notes(after, known) == notes(whole, [:]),
        "seed \(seed), cut \(day(cut))")
      if before.episodes.last?.episode.isActive == true { resumed += 1 }
    }
    #expect(resumed >= 5)
  }

  /// An episode of more than the loaded days goes on, and ends with the first dose that is taken.
  @Test func aStreakOfYearsGoesOn() throws {
    let first = 20_000
    var doses = (0..<60).map { ReferenceDoses.Observation(day: first + $0, n: 1, k: 0, i: 0) }
    doses += (60..<900).map { .init(day: first + $0, n: 1, k: 1, i: 1) }
    doses.append(.init(day: first + 900, n: 1, k: 0, i: 0))
    var sample = Sample(seed: 0)
    sample.random.doses = doses
    sample.random.days = first...first + 900
    sample.random.unrecorded = []
    (sample.lastDay, sample.covered) = (nil, [])
    var stored: [Episode] = []
    for end in stride(from: first + 70, through: first + 900, by: 83) {
      let found = sample.fold(end - 82 < first ? first...end : end - 82...end, stored: stored)
      stored = found.episodes.map(\.episode)
      #expect(stored.count == 1)
    }
    let episode = try #require(stored.first)
    #expect(episode.activeSince == day(first + 60) && episode.openedOn == day(first + 62))
    #expect(episode.resolution == .init(day: day(first + 900), reason: .recovered))
    #expect(episode.duration == 840 && episode.doses?.recordedOn == day(first + 900))
  }

  // MARK: Rare doses

  private struct RareSample {
    var twin: ReferenceRareDoses
    var days: ClosedRange<Int>

    init(seed: Int) {
      var random = SeededGenerator(seed: seed)
      let start = 19_000
      days = start...start + 400
      let distance = random.pick([14, 28, 30, 90, 300])
      var doses: [ReferenceRareDoses.Dose] = []
      for due in stride(
        from: start + random.pick([0, 5, 20]), through: days.upperBound, by: distance)
      {
        // A record is at most seven days late, and half of the way early.
        let late = Int.random(in: -3...7, using: &random)
        let kind = Int.random(in: 0..<4, using: &random)
        doses.append(
          .init(day: due, recorded: kind < 2 ? due + late : nil, hasRecord: kind < 3))
      }
      let others = random.chance(0.3) ? [Int.random(in: days, using: &random)] : []
      let last = random.chance(0.3) ? Int.random(in: days, using: &random) : nil
      twin = ReferenceRareDoses(
        doses: doses.filter { $0.day <= last ?? .max }, otherTaken: others, lastDay: last,
        unrecorded: Set(doses.filter { _ in random.chance(0.1) }.map(\.day)))
    }

    func fold(_ folded: ClosedRange<Int>, stored: [Episode] = []) -> FoldResult {
      let window = FoldWindow(
        evaluating: day(folded.lowerBound)...day(folded.upperBound), thresholds: DoseRun.thresholds)
      let loaded = Int(window.loaded.lowerBound.ordinal)...folded.upperBound
      let taken = (twin.otherTaken + twin.doses.compactMap(\.recorded)).sorted()
      let due = twin.doses.map(\.day).filter(loaded.contains)
      let rare = twin.doses.filter { loaded.contains($0.day) }.map { dose in
        RareDose(
          day: day(dose.day), hasRecord: dose.hasRecord,
          recordedOn: [dose.recorded, taken.first { $0 >= dose.day }].compactMap(\.self).min()
            .map { day($0) },
          nextDueOn: due.first { $0 > dose.day }.map { day($0) })
      }
      let own = MedicationDays(
        person: 0, medication: UUID(name: "injection"),
        counts: Array(repeating: .none, count: loaded.count), lastDay: twin.lastDay.map { day($0) },
        rare: rare, firstTakenOn: taken.first(where: loaded.contains).map { day($0) },
        firstDueOn: due.first.map { day($0) })
      var result = FoldResult()
      BlockMedicationFold(DoseEvidenceSettings()).fold(
        MedicationDoseBlock(days: window.loaded, medications: [own]),
        unrecorded: UnrecordedDays(broken: Set(twin.unrecorded.map { day($0) })), over: window,
        stored: stored.isEmpty ? [:] : [1: stored], into: &result)
      return result
    }
  }

  private func rareText(_ episode: ReferenceRareDoses.Episode) -> String {
    "\(day(episode.due)) \(day(episode.opened)) \(episode.ended.map { "\(day($0))" } ?? "-") "
      + (episode.reason ?? "active")
  }

  private func rareText(_ episode: Episode) -> String {
    "\(episode.activeSince) \(episode.figures.recent.start) "
      + "\(episode.resolution.map { "\($0.day)" } ?? "-") "
      + (episode.resolution?.reason.rawValue ?? "active")
  }

  @Test func theFoldFindsTheOverdueDosesOfTheTwin() {
    var reasons: [String: Int] = [:]
    for seed in Self.seeds {
      let sample = RareSample(seed: seed)
      let whole = sample.fold(sample.days)
      let expected = sample.twin.episodes(days: sample.days)
      #expect(
        whole.episodes.map { rareText($0.episode) } == expected.map(rareText), "seed \(seed)")
      #expect(
        whole.levels.map(\.day) == expected.map { day($0.opened) }, "seed \(seed)")
      // An overdue dose goes on in no other one, also where the next takes its place.
      #expect(whole.episodes.allSatisfy { !$0.continuesEarlier }, "seed \(seed)")
      for episode in expected { reasons[episode.reason ?? "active", default: 0] += 1 }
      // Nights of which each knows what the one before has stored.
      var rows: [Day: FoldedEpisode] = [:]
      var notified: [Day] = []
      var start = sample.days.lowerBound
      while start <= sample.days.upperBound {
        let end = min(start + 60, sample.days.upperBound)
        let stored = rows.values.map(\.episode).sorted { $0.activeSince < $1.activeSince }
        let found = sample.fold(start...end, stored: stored)
        // A fold that resumes an episode finds its level again.
        notified += found.levels.filter {
          rows[found.episodes[$0.episode].episode.activeSince] == nil
        }.map(\.day)
        for folded in found.episodes { rows[folded.episode.activeSince] = folded }
        start = end + 1
      }
      #expect(
        rows.values.map(\.episode).sorted { $0.activeSince < $1.activeSince }
          == whole.episodes.map(\.episode), "seed \(seed)")
      #expect(notified == whole.levels.map(\.day), "seed \(seed)")
    }
    for reason in ["recovered", "superseded", "no_data", "active"] {
      #expect(reasons[reason, default: 0] >= 3, "\(reason)")
    }
  }

  @Test func aPersonMayHearOfLessOrNothing() {
    for (sensitivity, counts) in [
      ([MetricType: Sensitivity](), 1), ([.missedStreak: .off], 0), ([.doseAdherence: .off], 1),
    ] {
      var result = FoldResult()
      let days = day(20_000)...day(20_059)
      let own = MedicationDays(
        person: 0, medication: UUID(name: "tablets"),
        counts: (0..<60).map { .init(expected: 1, missed: $0 < 55 ? 0 : 1, inferred: 0) },
        lastDay: nil, rare: [], firstTakenOn: nil, firstDueOn: day(20_000))
      BlockMedicationFold(DoseEvidenceSettings()).fold(
        MedicationDoseBlock(days: days, medications: [own]),
        over: FoldWindow(wholeHistory: days),
        sensitivity: [0: PersonalSensitivity(sensitivity)], into: &result)
      #expect(result.episodes.count == counts)
    }
  }

  // MARK: Texts

  private func text(_ streak: ReferenceDoses.Streak) -> String {
    let episode = streak.episode
    return "\(day(episode.activeSince)) \(day(episode.openedOn)) "
      + "\(episode.resolvedOn.map { "\(day($0))" } ?? "-") \(episode.reason ?? "active") "
      + "\(episode.duration) \(episode.level) \(episode.window.j) "
      + "\(episode.recordedOn.map { "\(day($0))" } ?? "-") "
      + levels(streak.sent) + "/" + levels(streak.withheld)
  }

  private func levels(_ days: [Int: Int]) -> String {
    days.sorted { $0.key < $1.key }.map { "\($0.key):\(day($0.value))" }.joined(separator: " ")
  }

  private func text(_ result: FoldResult, _ index: Int) -> String {
    let episode = result.episodes[index].episode
    let notes = result.levels.filter { $0.episode == index }
    func levels(_ notes: [FoldedLevel]) -> String {
      notes.map { "\($0.level.rawValue):\($0.day)" }.joined(separator: " ")
    }
    return "\(episode.activeSince) \(episode.openedOn) "
      + "\(episode.resolution.map { "\($0.day)" } ?? "-") "
      + "\(episode.resolution?.reason.rawValue ?? "active") "
      + "\(episode.duration) \(episode.level.rawValue) \(episode.doses?.windowDays ?? 0) "
      + "\(episode.doses?.recordedOn.map { "\($0)" } ?? "-") "
      + levels(notes.filter { !$0.isCovered }) + "/"
      + levels(notes.filter(\.isCovered))
  }
}

private func day(_ number: Int) -> Day { Day(ordinal: Int32(number)) }
