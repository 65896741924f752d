import Foundation
import Testing
import VigilModel

@testable import VigilAdherence

@Suite struct MedicationExpiryTests {
  @Test func whatItSaysOfLaterDaysBeginsWithThemAtTheEarliest() throws {
    let first = try #require(Day("2026-06-10"))
    let expiry = MedicationExpiry(user: UUID(), medication: UUID(), days: first...(first + 10))
    #expect(expiry.since(first - 5) == expiry)
    #expect(expiry.since(first) == expiry)
    let later = try #require(expiry.since(first + 4))
    #expect(later.days == (first + 4)...(first + 10))
    #expect(later.user == expiry.user && later.medication == expiry.medication)
    #expect(expiry.since(first + 10)?.days == (first + 10)...(first + 10))
    #expect(expiry.since(first + 11) == nil)
  }
}
