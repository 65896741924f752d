import Testing
import VigilDetection
import VigilModel

@Suite struct PersonLimitFaultTests {
  private let thresholds: Thresholds
  private let today: Day
  private let limit: PersonLimit

  init() throws {
    thresholds = try Profiles.named("v3")
    today = try #require(Day("2026-07-01"))
    limit = PersonLimit(
      CriticalLimit(metric: MetricType("resting_hr"), .above, 110, days: 3),
      on: today...(today + 30), setBy: "Dr. Lee")
  }

  private func fault(
    beside others: [PersonLimit] = [], _ change: (inout PersonLimit) -> Void = { _ in }
  ) -> LimitFault? {
    var changed = limit
    change(&changed)
    return changed.fault(under: thresholds, on: today, beside: others)
  }

  @Test func aLimitThatHoldsHasNone() {
    #expect(fault() == nil)
    #expect(fault { $0.days = (today - 30)...today } == nil)
    #expect(fault { $0.limit.value = 250 } == nil)
  }

  @Test func othersOfTheSameSideAreNoneUnlessTheyHaveTheSameKey() {
    var other = limit
    other.limit.days = 1
    #expect(fault(beside: [other]) == nil)
    other = limit
    other.limit.value = 130
    #expect(fault(beside: [other]) == .taken(other))
    other.days = (today + 1)...(today + 30)
    #expect(fault(beside: [other]) == nil)
  }

  @Test func metricsWithoutAnEffectAreFaults() {
    #expect(fault { $0.limit.metric = .doseAdherence } == .notMeasured)
    #expect(fault { $0.limit.metric = .missedStreak } == .notMeasured)
    let followed = thresholds.wearableMetrics.map(\.metric)
    #expect(fault { $0.limit.metric = MetricType("spo2_avg_pct") } == .notFollowed(followed))
  }

  @Test func valuesThatNoDayCanHaveAreFaults() throws {
    #expect(fault { $0.limit.value = 900 } == .impossible(20...250))
    #expect(fault { $0.limit.value = .nan } == .impossible(20...250))
    // A profile may know better than the metric alone, also of a metric that an operator has added.
    var own = thresholds
    let place = try #require(own.metrics.firstIndex { $0.metric == limit.limit.metric })
    own.metrics[place].plausible = 30...100
    #expect(limit.fault(under: own, on: today, beside: []) == .impossible(30...100))
  }

  @Test func aLimitNeedsANameAndAnEndThatIsNotOver() {
    #expect(fault { $0.days = (today - 30)...(today - 1) } == .over)
    #expect(fault { $0.setBy = " \t" } == .unnamed)
  }

  @Test(arguments: ["v2", "v3", "v3-strict", "v3-plus"])
  func shippedProfilesHaveTheRangesOfLimits(profile: String) throws {
    for metric in try Profiles.named(profile).wearableMetrics {
      #expect(metric.plausible == metric.metric.possibleValues, "\(metric.metric)")
    }
  }
}
