import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The worked and random cases of limits.md, which another implementation has computed.
@Suite struct LimitFixtureTests {
  @Test func fixturesAreRead() {
    #expect(LimitFixture.all.count >= 77)
    #expect(LimitFixture.all.flatMap(\.expected).count > 100)
  }

  @Test(arguments: LimitFixture.all)
  func alertsAreThoseOfTheReference(_ fixture: LimitFixture) {
    let result = fixture.fold(over: FoldWindow(wholeHistory: fixture.first...fixture.last))
    #expect(LimitFixture.alerts(in: result) == fixture.expected, "\(fixture.name)")
  }

  /// Late values come in any order: the newest state follows from the values alone.
  @Test(arguments: LimitFixture.all)
  func nightsLeaveWhatABackfillLeaves(_ fixture: LimitFixture) {
    var thresholds = Thresholds(version: "test", digest: "", metrics: [])
    for warmup in [1, 3, 40] {
      thresholds.warmupDays = warmup
      var stored: [Episode] = []
      var levels: [Day: [String: Day]] = [:]
      for night in fixture.first...fixture.last {
        let window = FoldWindow(evaluating: night...night, thresholds: thresholds)
        // A night knows nothing of later days.
        let result = fixture.fold(over: window, through: night, stored: stored)
        for level in result.levels {
          let name = String(level.level.rawValue)
          let since = result.episodes[level.episode].episode.activeSince
          levels[since, default: [:]][name] = levels[since]?[name] ?? level.day
        }
        for folded in result.episodes {
          stored.removeAll { $0.activeSince == folded.episode.activeSince }
          stored.append(folded.episode)
        }
        stored.sort { $0.activeSince < $1.activeSince }
      }
      let alerts = stored.map {
        LimitFixture.alert(of: $0, levels: levels[$0.activeSince] ?? [:])
      }
      #expect(alerts == fixture.expected, "\(fixture.name), \(warmup)")
    }
  }
}
