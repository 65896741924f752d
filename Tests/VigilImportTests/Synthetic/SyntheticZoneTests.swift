import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilImport

@Suite struct SyntheticZoneTests {
  private func days() throws -> ClosedRange<Day> {
    try #require(Day("2012-01-01"))...(try #require(Day("2026-12-31")))
  }

  /// The table stands in the code so that bytes do not depend on a machine; here it is held against the
  /// database of this one.
  @Test(arguments: SyntheticPlace.allCases)
  func agreesWithTheTimeZoneDatabase(place: SyntheticPlace) throws {
    let zone = SyntheticZone(place, days: try days())
    let real = try #require(ZoneCatalog.system.rules(of: place.rawValue))
    let (first, last) = (try days().lowerBound.startSeconds, try days().upperBound.startSeconds)
    for instant in stride(from: first, to: last, by: 1800) {
      let shown = real.local(Int64(instant) * 1_000_000) / 1_000_000
      if Int64(instant + zone.offset(at: instant)) != shown {
        Issue.record("\(place.rawValue) at \(instant)")
        return
      }
    }
  }

  @Test func aTimeThatTheClockSkipsIsTheFirstSecondAfterTheGap() throws {
    let berlin = SyntheticZone(.berlin, days: try days())
    let spring = try #require(Day("2026-03-29")).startSeconds
    #expect(berlin.firstInstant(showing: spring + 9000) == spring + 3600)
    let autumn = try #require(Day("2026-10-25")).startSeconds
    // 02:30 comes twice; the first is at 00:30 UTC.
    #expect(berlin.firstInstant(showing: autumn + 9000) == autumn + 1800)
  }

  @Test func personsLiveInPlacesOfWhichAllRulesAreKnown() {
    #expect(Set(SyntheticPlace.homes).isSubset(of: SyntheticPlace.allCases))
    let zones = SyntheticZones(days: Day(ordinal: 0)...Day(ordinal: 1))
    for place in SyntheticPlace.allCases { #expect(zones[place].place == place) }
  }
}
