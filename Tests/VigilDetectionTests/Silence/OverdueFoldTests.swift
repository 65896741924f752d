import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The fold of overdue check-ins: its rules by example, its slow twin, and nights against one backfill.
@Suite struct OverdueFoldTests {
  private let first = Day(ordinal: 20_000)

  /// - Parameter signs: By day from the first one, `x` with a check-in, `.` with an overdue one.
  private func folded(
    _ signs: String, settings: OverdueSettings = OverdueSettings(openAfterDays: 3),
    stored: [Episode] = []
  ) -> FoldResult {
    let days = first...(first + (signs.count - 1))
    return fold(
      Set(zip(days, signs).filter { $0.1 == "x" }.map(\.0)), settings,
      FoldWindow(wholeHistory: days), stored: stored)
  }

  private func fold(
    _ signs: Set<Day>, _ settings: OverdueSettings, _ window: FoldWindow,
    stored: [Episode] = []
  ) -> FoldResult {
    let overdue = OverdueDays(personCount: 1, days: window.folded)
    for day in window.folded where !signs.contains(day) {
      if let last = signs.filter({ $0 < day }).max() {
        overdue.set(person: 0, day: day, since: last + 1)
      }
    }
    var result = FoldResult()
    BlockSilenceFold([.checkInOverdue(settings)]).fold(
      signs: nil, overdue: overdue, over: window, stored: stored.isEmpty ? [:] : [0: stored],
      into: &result)
    return result
  }

  // MARK: Examples

  @Test func threeFullDaysOpenAndTheFirstCheckInEnds() throws {
    let result = folded("xx....x.")
    let episode = try #require(result.episodes.first).episode
    #expect(result.episodes.count == 1)
    #expect(episode.activeSince == first + 2)
    #expect(episode.duration == 4)
    #expect(episode.resolution == .init(day: first + 6, reason: .recovered))
    #expect(episode.figures.baseline.end == first + 1)
    #expect(result.newLevels.map(\.day) == [first + 4])
  }

  @Test func twoDaysDoNotOpen() {
    #expect(folded("xx..x..x").episodes.isEmpty)
  }

  @Test func levelsFollowTheOverdueDaysAndNothingEndsThem() throws {
    let result = folded("x" + String(repeating: ".", count: 200))
    let episode = try #require(result.episodes.first).episode
    #expect(episode.isActive && episode.duration == 200 && episode.level == .day21)
    #expect(result.newLevels.map { $0.day - first } == [3, 7, 14, 21])
    #expect(result.newLevels.map(\.level) == [.day3, .day7, .day14, .day21])
  }

  @Test func aDayWithACheckInIsNeverOfTheNextEpisode() {
    let result = folded("x...x...x")
    #expect(result.episodes.map(\.episode.activeSince) == [first + 1, first + 5])
    #expect(result.episodes.map(\.episode.duration) == [3, 3])
  }

  // MARK: Random histories

  private struct Case {
    var signs: Set<Day> = []
    var settings: OverdueSettings
    var thresholds: Thresholds
    var nights: ClosedRange<Day>

    init(seed: Int, first: Day) {
      var random = SeededGenerator(seed: seed)
      let open = random.pick([1, 2, 3, 3, 3, 5, 10])
      settings = OverdueSettings(
        openAfterDays: open, watchedDays: open + Int.random(in: 0...40, using: &random))
      thresholds = Thresholds(version: "test", digest: "", metrics: [])
      thresholds.horizonDays = 60
      thresholds.warmupDays = Int.random(in: 1...40, using: &random)
      thresholds.checkInOverdue = settings
      nights = (first + 150)...(first + 150 + Int.random(in: 0...40, using: &random))
      var day = first + Int.random(in: 0...160, using: &random)
      while day <= nights.upperBound {
        let isWorn = random.chance(0.6)
        let length = Int.random(in: 1...(random.chance(0.2) ? 60 : 6), using: &random)
        if isWorn { signs.formUnion(day...(day + (length - 1))) }
        day = day + length
      }
      signs = signs.filter { $0 <= nights.upperBound }
    }
  }

  @Test func theFoldDoesAsItsSlowTwin() {
    var opened = 0
    for seed in 1...Repetitions.count(fast: 1_000, long: 30_000) {
      let one = Case(seed: seed, first: first)
      let window = FoldWindow(evaluating: one.nights, thresholds: one.thresholds)
      let result = fold(one.signs, one.settings, window)
      let twin = twin(of: one, window)
      opened += twin.episodes.count
      #expect(found(in: result) == twin.episodes, "seed \(seed)")
      #expect(notifications(of: result) == twin.notifications, "seed \(seed)")
    }
    #expect(opened > 500)
  }

  @Test func nightsLeaveWhatABackfillLeaves() {
    for seed in 1...Repetitions.count(fast: 1_000, long: 30_000) {
      let one = Case(seed: seed, first: first)
      var stored: [Episode] = []
      var notified: [ReferenceOverdue.Notification] = []
      for night in one.nights {
        let window = FoldWindow(evaluating: night...night, thresholds: one.thresholds)
        let result = fold(one.signs, one.settings, window, stored: stored)
        // Each night has the level of an episode that goes on.
        notified += notifications(of: result).filter { found in
          !notified.contains { $0.activeSince == found.activeSince && $0.level >= found.level }
        }
        for folded in result.episodes {
          stored.removeAll { $0.activeSince == folded.episode.activeSince }
          stored.append(folded.episode)
        }
        stored.sort { $0.activeSince < $1.activeSince }
      }
      let window = FoldWindow(evaluating: one.nights, thresholds: one.thresholds)
      let twin = twin(of: one, window)
      #expect(
        stored.map(found).sorted { $0.activeSince < $1.activeSince }
          == twin.episodes, "seed \(seed)")
      #expect(
        Set(notified) == Set(twin.notifications) && notified.count == twin.notifications.count,
        "seed \(seed)")
    }
  }

  private func twin(of one: Case, _ window: FoldWindow) -> ReferenceOverdue {
    ReferenceOverdue(
      signs: one.signs, openAfterDays: one.settings.openAfterDays,
      watchedDays: one.settings.watchedDays, days: window.folded,
      notifyingFrom: window.notifying.lowerBound)
  }

  private func found(_ episode: Episode) -> ReferenceOverdue.Found {
    ReferenceOverdue.Found(
      activeSince: episode.activeSince, duration: episode.duration, level: episode.level,
      resolvedOn: episode.resolution?.day)
  }

  private func found(in result: FoldResult) -> [ReferenceOverdue.Found] {
    result.episodes.map { found($0.episode) }
  }

  private func notifications(of result: FoldResult) -> [ReferenceOverdue.Notification] {
    result.newLevels.map { note in
      ReferenceOverdue.Notification(
        day: note.day, activeSince: result.episodes[note.episode].episode.activeSince,
        level: note.level)
    }
  }
}
