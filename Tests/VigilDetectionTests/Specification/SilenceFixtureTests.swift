import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The worked cases of silence.md, through the public API, and their slow twin.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct SilenceFixtureTests {
  private struct History {
    let signs: SignsOfLife
    let window: FoldWindow
    let broken: BrokenFeedDays
    var twin = ReferenceInactivity()

    init(_ fixture: SilenceFixture) throws {
      var thresholds = Thresholds(version: "test", digest: "", metrics: [])
      thresholds.warmupDays = 1
      thresholds.inactivity = InactivitySettings()
      window = FoldWindow(evaluating: fixture.first...fixture.last, thresholds: thresholds)
      // The thresholds of days of interest look back from before the first evaluated day.
      signs = SignsOfLife(
        personCount: 1, days: (window.loaded.lowerBound - 400)...window.loaded.upperBound)
      for range in try #require(fixture.signs) {
        for day in range[0]...range[1] {
          let came = fixture.arrived?[day.description]
          signs.addWorn(person: 0, day: day, came: came)
          twin.worn.append((day, came))
        }
      }
      twin.broken = Set(try #require(fixture.broken_feed))
      broken = BrokenFeedDays(twin.broken, among: signs.days)
    }
  }

  @Test func fixturesAreRead() {
    #expect(SilenceFixture.silences.count >= 51 && SilenceFixture.feeds.count >= 12)
  }

  @Test(arguments: SilenceFixture.silences)
  func thresholds(_ fixture: SilenceFixture) throws {
    let history = try History(fixture)
    let settings = InactivitySettings().adjusted(to: try #require(fixture.sensitivity))
    var twin = history.twin
    twin.settings = settings
    for expected in try #require(fixture.expected.thresholds) {
      let habit = try #require(
        SilenceHabit(
          ofPerson: 0, silentSince: expected.silent_since, signs: history.signs,
          broken: history.broken, settings: settings))
      #expect(habit.pauses == expected.pauses)
      #expect(habit.days == expected.days)
      #expect(abs(habit.expected(atLeast: 4, settings) - expected.expected_at_4) < 1e-9)
      #expect(habit.threshold(settings) == expected.threshold)
      let slow = try #require(twin.habit(before: expected.silent_since))
      #expect(slow.pauses == expected.pauses && slow.days == expected.days)
      #expect(slow.threshold == expected.threshold)
    }
  }

  @Test(arguments: SilenceFixture.silences)
  func alerts(_ fixture: SilenceFixture) throws {
    let history = try History(fixture)
    let sensitivity = try #require(fixture.sensitivity)
    var result = FoldResult()
    BlockSilenceFold([.inactivity(InactivitySettings())]).fold(
      signs: history.signs, over: history.window, brokenFeed: history.twin.broken,
      sensitivity: [0: PersonalSensitivity([.inactivity: sensitivity])], into: &result)
    let expected = try #require(fixture.expected.alerts)
    #expect(result.episodes.count == expected.count)
    for (index, (folded, alert)) in zip(result.episodes, expected).enumerated() {
      let episode = folded.episode
      #expect(episode.activeSince == alert.active_since)
      #expect(episode.openedOn == alert.opened_on)
      #expect(episode.silence?.threshold == alert.threshold)
      #expect(episode.level.rawValue == alert.current_level)
      #expect(episode.isActive == (alert.status == "active"))
      #expect(episode.resolution?.day == alert.resolved_on)
      #expect(episode.resolution?.reason.rawValue == alert.resolution_reason)
      let notes = result.newLevels.filter { $0.episode == index }
        .map { (String($0.level.rawValue), $0.day) }
      #expect(Dictionary(uniqueKeysWithValues: notes) == alert.level_days)
    }
    guard sensitivity != .off else { return }
    var twin = history.twin
    twin.settings = InactivitySettings().adjusted(to: sensitivity)
    let slow = twin.alerts(in: history.window.folded)
    #expect(slow.map(\.activeSince) == expected.map(\.active_since))
    #expect(slow.map(\.openedOn) == expected.map(\.opened_on))
    #expect(slow.map(\.resolution?.day) == expected.map(\.resolved_on))
  }

  @Test(arguments: SilenceFixture.feeds)
  func feed(_ fixture: SilenceFixture) throws {
    let counts = try #require(fixture.persons_with_rows)
    let judged = fixture.first...fixture.last
    let days = FeedHistory.days(for: judged)
    let history = FeedHistory(days: days, counts: days.map { counts[$0.description] ?? 0 })
    #expect(history.brokenDays(in: judged, limit: 0.3) == fixture.expected.broken_feed)
  }
}
