import Foundation
import Testing

@testable import VigilAdherence

/// The tables of zones against Foundation, which they are made from.
@Suite struct ZoneRulesTests {
  /// 2015-01-01 to 2036-01-01.
  private static let seconds: Range<Int64> = 1_420_070_400..<2_082_758_400

  private static let names: [String] = {
    let known = Set(TimeZone.knownTimeZoneIdentifiers)
    return known.union(["UTC", "Etc/GMT+12", "Etc/GMT-14"]).sorted()
  }()

  private static let chunkCount = 8

  @Test(arguments: 0..<chunkCount)
  func offsetsAreThoseOfFoundationAtEveryChangeAndOnAGrid(chunk: Int) throws {
    var compared = (zones: 0, changes: 0)
    for index in stride(from: chunk, to: Self.names.count, by: Self.chunkCount) {
      let zone = try #require(TimeZone(identifier: Self.names[index]))
      let rules = ZoneRules(zone)
      func isSame(_ second: Int64) -> Bool {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        return rules.local(second * 1_000_000) == (second + Int64(offset)) * 1_000_000
      }
      var wrong: [Int64] = []
      // Three and a half days and a bit: every hour of the day and day of the week comes by.
      for second in stride(from: Self.seconds.lowerBound, to: Self.seconds.upperBound, by: 305_431)
      where !isSame(second) { wrong.append(second) }
      // What the table knows, and what Foundation says are the changes.
      var changes = rules.starts.dropFirst().map { $0 / 1_000_000 }
      var date = Date(timeIntervalSince1970: Double(Self.seconds.lowerBound))
      let end = Date(timeIntervalSince1970: Double(Self.seconds.upperBound))
      while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
        changes.append(Int64(next.timeIntervalSince1970.rounded()))
        date = next
      }
      for change in changes where Self.seconds.contains(change) {
        compared.changes += 1
        wrong += [change - 1, change, change + 1].filter { !isSame($0) }
      }
      #expect(wrong == [], "\(zone.identifier)")
      compared.zones += 1
    }
    #expect(compared.zones > 40)
    #expect(compared.changes > 1000)
  }

  @Test(arguments: ["Europe/Madrid", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Apia"])
  func theFirstInstantShowsTheTimeAndNoneBeforeItDoes(name: String) throws {
    let rules = ZoneRules(try #require(TimeZone(identifier: name)))
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

  @Test func aZoneHasOneNumberAndAnUnknownNameNone() {
    let catalog = ZoneCatalog()
    let madrid = catalog.id(of: "Europe/Madrid")
    #expect(madrid != nil)
    #expect(catalog.id(of: "Europe/Atlantis") == nil)
    #expect(catalog.id(of: "Europe/Atlantis") == nil)
    #expect(catalog.id(of: "Asia/Tokyo") != madrid)
    #expect(catalog.id(of: "Europe/Madrid") == madrid)
    #expect(catalog.zones().count == 2)
  }
}
