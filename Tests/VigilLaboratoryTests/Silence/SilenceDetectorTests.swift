import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@testable import VigilLaboratory

@Suite struct SilenceDetectorTests {
  private static let thresholds: Thresholds = {
    var thresholds = Thresholds(version: "silence", digest: "", metrics: [])
    thresholds.inactivity = InactivitySettings()
    return thresholds
  }()

  private func detector() throws -> SilenceDetector {
    try #require(SilenceDetector("silence", thresholds: Self.thresholds))
  }

  private func quiet(_ kind: WearHabit.Kind, people: Int = 200) async throws -> QuietHabitStudy {
    let corpus = await WearCorpus(kind.habit, seed: 12, people: 0..<people, dayCount: 430)
    return await QuietHabitStudy(corpus, detector: try detector())
  }

  @Test func whoHasPausesOftenIsLeftAlone() async throws {
    for kind in [WearHabit.Kind.always, .singleDays, .weekends, .syncing] {
      let rate = try await quiet(kind).rate(confidence: 0.99)
      #expect(rate.lower <= 0.1, "\(kind.rawValue): \(rate.estimate)")
    }
  }

  @Test func longPausesAlertAboutAsOftenAsTheRateAllows() async throws {
    for kind in [WearHabit.Kind.holidays, .pausing] {
      let rate = try await quiet(kind).rate()
      #expect((0.1...1.5).contains(rate.estimate), "\(kind.rawValue): \(rate.estimate)")
    }
    let halved = try #require(
      SilenceDetector(
        "lower",
        thresholds: {
          var thresholds = Self.thresholds
          thresholds.inactivity?.rate = 0.25
          return thresholds
        }()))
    let corpus = await WearCorpus(
      WearHabit.Kind.pausing.habit, seed: 12, people: 0..<200, dayCount: 430)
    let calm = await QuietHabitStudy(corpus, detector: halved)
    #expect(calm.episodes < (try await quiet(.pausing)).episodes)
  }

  /// A row that comes a day late counts as on time, so that nights see one silent day more than the habit has.
  @Test func aWeekInTheEveningNeedsTheLowerSensitivity() async throws {
    let corpus = await WearCorpus(
      WearHabit.Kind.syncingInTheEvening.habit, seed: 12, people: 0..<50, dayCount: 430)
    var lower = Self.thresholds
    lower.inactivity = lower.inactivity?.adjusted(to: .lower)
    let careful = try #require(SilenceDetector("lower", thresholds: lower))
    #expect(await QuietHabitStudy(corpus, detector: try detector()).rate().lower > 20)
    #expect(await QuietHabitStudy(corpus, detector: careful).rate().estimate < 3)
  }

  @Test func eachAlertNotifiesAndRemindsOnce() async throws {
    let corpus = await WearCorpus(
      WearHabit.Kind.always.habit, seed: 1, people: 0..<10, dayCount: 260, stop: { _ in 200 })
    let found = await corpus.episodes(of: try detector()).joined()
    #expect(found.count == 10)
    #expect(found.allSatisfy { $0.opened == 203 && $0.notifications == 2 && $0.level == 7 })
    // Left after 30 silent days.
    #expect(found.allSatisfy { $0.resolved == 229 })
  }

  @Test func lateRowsEndAnAlert() async throws {
    // One who has synchronised at once so far, and then after ten days.
    var days = SimulatedWear.Days(
      isWorn: Array(repeating: true, count: 120), comings: Array(0..<120), nights: Array(0..<120))
    for day in 80..<90 {
      days.comings[day] = 90
      days.nights[day] = 90
    }
    let found = try detector().episodes(in: [days])[0]
    #expect(found.count == 1)
    #expect(found.first?.opened == 83)
    #expect(found.first?.notifications == 2 || found.first?.notifications == 1)
    #expect(found.first?.resolved != nil)
  }

  @Test func aProfileWithoutSilenceHasNoDetector() {
    let none = Thresholds(version: "none", digest: "", metrics: [])
    #expect(SilenceDetector("none", thresholds: none) == nil)
  }
}
