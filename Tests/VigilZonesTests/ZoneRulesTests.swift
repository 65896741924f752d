import TestSupport
import Testing
import VigilModel

@Suite struct ZoneRulesTests {
  @Test(arguments: ["Europe/Madrid", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Apia"])
  func theFirstInstantShowsTheTimeAndNoneBeforeItDoes(name: String) throws {
    let rules = try #require(ZoneCatalog.system.rules(of: name))
    let minute: Int64 = 60_000_000
    // Every 13 minutes of two years from 2026 on.
    var local: Int64 = 1_767_225_600_000_000
    while local < 1_830_297_600_000_000 {
      let instant = rules.firstInstant(showing: local, from: local - 26 * 60 * minute)
      #expect(rules.local(instant) >= local)
      for earlier in 1...180 where rules.local(instant - Int64(earlier) * minute) >= local {
        Issue.record("\(name): \(local) was on the clock \(earlier) minutes earlier")
      }
      local += 13 * minute
    }
  }

  /// The period is found by cells from 1970 on: here it is held against the list itself.
  @Test(arguments: ["Europe/Madrid", "Africa/Casablanca", "America/Phoenix", "UTC"])
  func everyInstantLiesInThePeriodThatTheStartsSay(name: String) throws {
    let rules = try #require(ZoneCatalog.system.rules(of: name))
    // About every two months from 1850 to 2130, and around each change.
    var instants: [Int64] = Array(
      stride(from: -3_786_912_000_000_000, to: 5_049_216_000_000_000, by: 5_000_000_000_001))
    instants += rules.starts.dropFirst().flatMap { [$0 - 1, $0, $0 + 1] }
    for instant in instants + [ZoneRules.beforeAll, ZoneRules.afterAll] {
      let expected = rules.starts.lastIndex { $0 <= instant }
      #expect(rules.period(at: instant) == expected, "\(instant)")
    }
  }

  @Test func theRuleOfAFileIsAppliedToTheEndOf2100() throws {
    let rules = try #require(ZoneCatalog.system.rules(of: "Europe/Berlin"))
    let summer = try #require(Timestamp("2100-07-01T00:00:00Z")).microseconds
    #expect(rules.local(summer) - summer == 7_200_000_000)
    let later = try #require(Timestamp("2101-07-01T00:00:00Z")).microseconds
    #expect(rules.local(later) - later == 3_600_000_000)
  }

  @Test func aZoneHasOneNumberAndAnUnknownNameNone() throws {
    let catalog = ZoneCatalog(source: ZoneCatalog.system.source)
    let madrid = catalog.id(of: "Europe/Madrid")
    #expect(madrid != nil)
    #expect(catalog.id(of: "Europe/Atlantis") == nil)
    #expect(catalog.id(of: "Europe/Atlantis") == nil)
    #expect(catalog.id(of: "Asia/Tokyo") != madrid)
    #expect(catalog.id(of: "Europe/Madrid") == madrid)
    #expect(catalog.zones().count == 2)
    try catalog.requireNoFault()
  }
}
