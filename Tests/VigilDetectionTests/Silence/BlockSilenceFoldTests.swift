import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// Silence by habit: its rules by example, its slow twin, and nights against one backfill.
@Suite struct BlockSilenceFoldTests {
  private let first = Day(ordinal: 20_000)

  private func thresholds(
    _ settings: InactivitySettings = InactivitySettings(), warmupDays: Int = 40
  ) -> Thresholds {
    var thresholds = Thresholds(version: "test", digest: "", metrics: [])
    thresholds.warmupDays = warmupDays
    thresholds.inactivity = settings
    return thresholds
  }

  private func fold(
    _ history: ReferenceInactivity, _ window: FoldWindow, stored: [Episode] = []
  ) -> FoldResult {
    let signs = SignsOfLife(personCount: 1, days: window.loaded)
    for (day, came) in history.worn { signs.addWorn(person: 0, day: day, came: came) }
    for day in history.others { signs.add(person: 0, day: day) }
    var result = FoldResult()
    BlockSilenceFold([.inactivity(history.settings)]).fold(
      signs: signs, over: window, stored: stored.isEmpty ? [:] : [0: stored],
      brokenFeed: history.broken, into: &result)
    return result
  }

  /// Folds a history that is worn on `wornDays` days, and then silent, until `lastDay`.
  private func folded(
    worn wornDays: Int, until lastDay: Int, others: [Int] = [], stored: [Episode] = []
  ) -> FoldResult {
    var history = ReferenceInactivity()
    history.worn = (0..<wornDays).map { (first + $0, nil) }
    history.others = Set(others.map { first + $0 })
    return fold(history, FoldWindow(wholeHistory: first...(first + lastDay)), stored: stored)
  }

  // MARK: Examples

  @Test func anAlertOpensOnceRemindsOnceAndEndsWhenThePersonHasLeft() throws {
    let result = folded(worn: 90, until: 200)
    let episode = try #require(result.episodes.first).episode
    #expect(result.episodes.count == 1)
    #expect(episode.activeSince == first + 90 && episode.openedOn == first + 93)
    #expect(episode.resolution == .init(day: first + 119, reason: .left))
    #expect(episode.duration == 29 && episode.level == .day7)
    #expect(episode.figures.baseline.end == first + 89 && episode.figures.recent.value == 29)
    #expect(result.newLevels.map { $0.day - first } == [93, 100])
    #expect(result.newLevels.map(\.level) == [.day3, .day7])
  }

  @Test func aTabletAWeekOpensNothing() {
    let weekly = Array(stride(from: 0, to: 200, by: 7))
    #expect(folded(worn: 0, until: 200, others: weekly).episodes.isEmpty)
    // A device that was worn within the last three weeks before the silence makes it one.
    #expect(folded(worn: 100, until: 140, others: [110, 120]).episodes.count == 1)
    #expect(
      folded(worn: 100, until: 145, others: [110, 121]).episodes.map(\.episode.activeSince)
        == [first + 100])
  }

  @Test func aStoredAlertGoesOnWithItsOwnDates() throws {
    let evidence = SilenceEvidence(openedOn: first + 95, threshold: 6, longestPause: 5)
    let stored = Episode(
      activeSince: first + 88, lastEvaluated: first + 97, duration: 10, level: .day3,
      silence: evidence)
    var history = ReferenceInactivity()
    history.worn = (0..<90).map { (first + $0, nil) }
    let night = first + 102
    let result = fold(
      history, FoldWindow(evaluating: night...night, thresholds: thresholds(warmupDays: 5)),
      stored: [stored])
    let episode = try #require(result.episodes.first).episode
    #expect(episode.activeSince == first + 88 && episode.silence == evidence)
    #expect(episode.level == .day7 && result.newLevels.map(\.level) == [.day7])
  }

  @Test func aSilenceThatHadAnAlertGetsNoSecond() throws {
    let ended = Episode(
      activeSince: first + 90, lastEvaluated: first + 96, duration: 6, level: .day3,
      silence: SilenceEvidence(openedOn: first + 93, threshold: 4, longestPause: 0),
      resolution: .init(day: first + 96, reason: .profileChanged))
    var history = ReferenceInactivity()
    history.worn = (0..<90).map { (first + $0, nil) }
    let night = first + 102
    let window = FoldWindow(evaluating: night...night, thresholds: thresholds(warmupDays: 5))
    var stored = ended
    #expect(fold(history, window, stored: [stored]).episodes.isEmpty)
    stored.resolution?.reason = .retracted
    #expect(fold(history, window, stored: [stored]).episodes.count == 1)
  }

  // MARK: Random histories

  private struct Case {
    var history = ReferenceInactivity()
    var thresholds: Thresholds
    var nights: ClosedRange<Day>

    init(seed: Int, first: Day) {
      var random = SeededGenerator(seed: seed)
      history.settings.habitDays = random.pick([60, 180])
      history.settings.remindAfterDays = random.pick([7, 7, 3, nil])
      history.settings.rate = random.pick([0.5, 1, 1, 2])
      history.settings.minDays = random.pick([2, 4, 4])
      if random.chance(0.3) { history.settings.leftAfterDays = 22 }
      thresholds = Thresholds(version: "test", digest: "", metrics: [])
      thresholds.warmupDays = Int.random(in: 1...40, using: &random)
      thresholds.inactivity = history.settings
      nights = (first + 250)...(first + 250 + Int.random(in: 0...60, using: &random))
      let arrivals = Int.random(in: 0...3, using: &random)
      let imported = first + Int.random(in: 0...200, using: &random)
      var day = first + Int.random(in: 0...240, using: &random)
      let steadiness = random.pick([3, 10, 60])
      while day <= nights.upperBound {
        let length = Int.random(in: 1...steadiness, using: &random)
        for worn in day...(day + length) where worn <= nights.upperBound {
          let came: Day? =
            switch arrivals {
            case 0: nil
            case 1: max(worn, imported)
            case 2: worn + Int(6 - worn.ordinal % 7)
            default: worn + Int.random(in: -1...30, using: &random)
            }
          history.worn.append((worn, came))
          if random.chance(0.1) { history.worn.append((worn, random.chance(0.5) ? nil : worn + 2)) }
        }
        day = day + length + 1 + Int.random(in: 0...(random.chance(0.3) ? 45 : 8), using: &random)
        if random.chance(0.2) { history.others.insert(day - 1) }
      }
      history.others = history.others.filter { $0 <= nights.upperBound }
      if random.chance(0.3) {
        let broken = first + Int.random(in: 0...300, using: &random)
        history.broken = Set(broken...(broken + Int.random(in: 0...12, using: &random)))
      }
    }
  }

  private func found(_ episode: Episode, _ levelDays: [Int: Day]) -> ReferenceInactivity.Found? {
    guard let silence = episode.silence else { return nil }
    return ReferenceInactivity.Found(
      activeSince: episode.activeSince, openedOn: silence.openedOn, threshold: silence.threshold,
      longestPause: silence.longestPause, levelDays: levelDays, resolution: episode.resolution)
  }

  @Test func theFoldDoesAsItsSlowTwin() {
    var opened = 0
    for seed in 1...Repetitions.count(fast: 200, long: 10_000) {
      let one = Case(seed: seed, first: first)
      // All folded days notify: a backfill that begins with them, and folds none before.
      var thresholds = one.thresholds
      thresholds.warmupDays = 1
      let window = FoldWindow(evaluating: one.nights, thresholds: thresholds)
      let result = fold(one.history, window)
      let twin = one.history.alerts(in: window.folded)
      opened += twin.count
      let all = result.episodes.enumerated().map { index, folded in
        let notes = result.newLevels.filter { $0.episode == index }
          .map { ($0.level.rawValue, $0.day) }
        return found(folded.episode, Dictionary(uniqueKeysWithValues: notes))
      }
      #expect(all == twin, "seed \(seed)")
    }
    #expect(opened > 100)
  }

  @Test func nightsLeaveWhatABackfillLeaves() {
    for seed in 1...Repetitions.count(fast: 40, long: 2_000) {
      let one = Case(seed: seed, first: first)
      var stored: [Episode] = []
      var notified: [Day: AlertLevel] = [:]
      var reached: [Day: AlertLevel] = [:]
      for night in one.nights {
        let window = FoldWindow(evaluating: night...night, thresholds: one.thresholds)
        let result = fold(one.history, window, stored: stored)
        // Each night has the level of an alert that goes on.
        for level in result.levels {
          let since = result.episodes[level.episode].episode.activeSince
          if let known = reached[since], known >= level.level { continue }
          (reached[since], notified[level.day]) = (level.level, level.level)
        }
        for folded in result.episodes {
          stored.removeAll { $0.activeSince == folded.episode.activeSince }
          stored.append(folded.episode)
        }
        stored.sort { $0.activeSince < $1.activeSince }
      }
      let window = FoldWindow(evaluating: one.nights, thresholds: one.thresholds)
      let result = fold(one.history, window)
      #expect(stored == result.episodes.map(\.episode), "seed \(seed)")
      #expect(
        notified
          == Dictionary(uniqueKeysWithValues: result.newLevels.map { ($0.day, $0.level) }),
        "seed \(seed)")
    }
  }

  @Test func theOrderOfRowsDoesNotMatter() {
    for seed in 1...Repetitions.count(fast: 50, long: 1_000) {
      var one = Case(seed: seed, first: first)
      let window = FoldWindow(evaluating: one.nights, thresholds: one.thresholds)
      let expected = fold(one.history, window).episodes
      var random = SeededGenerator(seed: seed)
      one.history.worn.shuffle(using: &random)
      #expect(fold(one.history, window).episodes == expected, "seed \(seed)")
    }
  }
}
