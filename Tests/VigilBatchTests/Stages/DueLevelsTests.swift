import Foundation
import Testing
import VigilDetection
import VigilModel
import VigilStorage

@testable import VigilBatch

/// The levels of one alert that are to be notified of.
@Suite struct DueLevelsTests {
  private let first = Day(ordinal: 20_600)
  private let profile = Profile(version: "v1", digest: String(repeating: "a", count: 64))

  private func episode(endedOn end: Int? = nil, _ reason: Episode.Resolution.Reason = .recovered)
    -> Episode
  {
    let baseline = EpisodeFigures.Window(value: 50, start: first - 30, end: first - 2, count: 28)
    let recent = EpisodeFigures.Window(value: 40, start: first - 2, end: first, count: 3)
    return Episode(
      activeSince: first - 2, lastEvaluated: first + 30, duration: 33, level: .day21,
      figures: EpisodeFigures(baseline: baseline, recent: recent),
      resolution: end.map { .init(day: first + $0, reason: reason) })
  }

  private func stored(
    _ metric: String = "steps", _ change: (inout PatternAlertState) -> Void = { _ in }
  ) -> PatternAlertState {
    var row = PatternAlertState(
      profile: profile,
      series: SeriesKey(user: UUID(name: "person"), metric: MetricType(metric), pattern: .drop),
      episode: episode(), runID: UUID(name: "run"), computedAt: Timestamp(microseconds: 0),
      createdAt: Timestamp(microseconds: 0), updatedAt: Timestamp(microseconds: 0))
    change(&row)
    return row
  }

  private func due(
    _ reached: (Int, AlertLevel)..., of episode: Episode? = nil, stored: PatternAlertState? = nil,
    isRead: Bool = false, after earlier: DueLevels? = nil, last: Int = 30
  ) -> DueLevels {
    DueLevels(
      of: episode ?? self.episode(),
      reached.map {
        FoldedLevel(episode: 0, day: first + $0.0, level: $0.1, duration: $0.0 + 1)
      }[...],
      stored: stored, isRead: isRead, after: earlier, mode: .live,
      window: FoldWindow(wholeHistory: first...(first + last)))
  }

  private func days(_ due: DueLevels) -> [Int] { due.levels.map { $0.day - first } }

  @Test func aLevelThatWasNotifiedIsNotDue() {
    #expect(days(due((0, .day3), (4, .day7))) == [0, 4])
    let known = stored { $0.lastNotifiedLevel = .day3 }
    #expect(days(due((0, .day3), (4, .day7), stored: known)) == [4])
    #expect(days(due((9, .day3), stored: known)).isEmpty)
    // What a shadow run has notified is no notification of a live one.
    #expect(days(due((0, .day3), stored: stored { $0.shadowNotifiedLevel = .day21 })) == [0])
  }

  @Test func aSnoozedLevelIsDueAgainWhenTheSnoozeEnds() {
    let known = stored { $0.snoozeUntil = first + 9 }
    #expect(days(due((0, .day3), (4, .day7), stored: known)) == [0, 4, 9])
    #expect(due((0, .day3), (4, .day7), stored: known).levels.last?.level == .day7)
    // The days of the sentence are those up to then, and no more than the episode has lasted.
    let ended = episode(endedOn: 30)
    let resumed = due((0, .day3), (4, .day7), of: ended, stored: known).levels.last
    #expect(resumed?.duration == min(10, ended.duration))
    // On the day of a rise the higher level takes its place.
    #expect(days(due((4, .day7), (9, .day14), stored: known)) == [4, 9])
    // Not after the last day, and not of an episode that has ended.
    #expect(days(due((4, .day7), stored: known, last: 8)) == [4])
    #expect(days(due((4, .day7), of: episode(endedOn: 9), stored: known)) == [4])
    #expect(days(due((4, .day7), of: episode(endedOn: 10), stored: known)) == [4, 9])
  }

  @Test func aCoveredLevelIsWithheldAndNeverDueAgain() {
    let covered = FoldedLevel(
      episode: 0, day: first + 4, level: .day7, duration: 5, isCovered: true)
    let later = FoldedLevel(episode: 0, day: first + 11, level: .day14, duration: 12)
    let due = DueLevels(
      of: episode(), [covered, later][...], stored: stored { $0.snoozeUntil = first + 9 },
      isRead: false, after: nil, mode: .live,
      window: FoldWindow(wholeHistory: first...(first + 30)))
    #expect(days(due) == [4, 11])
  }

  @Test func aDismissedAlertStaysSo() {
    let known = stored {
      $0.dismissedAt = Timestamp(microseconds: 0)
      $0.snoozeUntil = first + 9
    }
    #expect(days(due((4, .day7), stored: known)) == [4])
  }

  @Test func whoHasSeenAnAlertOfSilenceIsNotReminded() {
    let known = stored("inactivity") { $0.lastNotifiedLevel = .day3 }
    #expect(days(due((7, .day7), stored: known)) == [7])
    #expect(days(due((7, .day7), stored: known, isRead: true)).isEmpty)
    let answered = stored("inactivity") {
      $0.lastNotifiedLevel = .day3
      $0.acknowledgedAt = Timestamp(microseconds: 0)
    }
    #expect(days(due((7, .day7), stored: answered)).isEmpty)
    // Overdue check-ins rise like any other alert.
    #expect(days(due((7, .day7), stored: stored("check_in_overdue"), isRead: true)) == [7])
  }

  @Test func anEpisodeInheritsWhatWasNotifiedOfTheOneThatItContinues() {
    let superseded = due((0, .day3), (4, .day7), of: episode(endedOn: 6, .superseded))
    let next = due((6, .day3), (10, .day7), (17, .day14), after: superseded)
    #expect(days(next) == [17] && next.notifiedBefore == .day7)
    // Of a snoozed one nothing was notified.
    let snoozed = due(
      (0, .day3), of: episode(endedOn: 6, .superseded),
      stored: stored { $0.snoozeUntil = first + 20 })
    #expect(days(due((6, .day3), after: snoozed)) == [6])
    // Any other one notifies by itself, also where it supersedes one.
    #expect(days(due((6, .day3))) == [6])
  }
}
