import Testing
import VigilModel

@Suite struct MedicationExpiryTests {
  private static let start = Day(ordinal: 20_500)
  private static let year = start...(start + 364)

  private func due(
    expires day: Int?, ends end: Int? = nil, starts first: Int = 0, isActive: Bool = true,
    isDeleted: Bool = false, in days: ClosedRange<Day> = year
  ) -> ClosedRange<Int>? {
    let medication = Medication(
      id: UUID(name: "drops"), user: UUID(name: "anna"), isActive: isActive, isDeleted: isDeleted,
      startDate: Self.start + first, endDate: end.map { Self.start + $0 },
      expiresOn: day.map { Self.start + $0 })
    return medication.expiryDays(in: days).map {
      ($0.lowerBound - Self.start)...($0.upperBound - Self.start)
    }
  }

  @Test(
    "a new package is due from seven days before the date on, and until another date is written")
  func sevenDays() {
    #expect(due(expires: 100) == 93...364)
    #expect(due(expires: 100, in: Self.start...(Self.start + 92)) == nil)
    #expect(due(expires: 100, in: Self.start...(Self.start + 93)) == 93...93)
    #expect(due(expires: -50) == 0...364)
    #expect(due(expires: nil) == nil)
  }

  @Test("none is due before the first day, after the last, or where the treatment ends first")
  func treatment() {
    #expect(due(expires: 100, starts: 98) == 98...364)
    #expect(due(expires: 100, ends: 100) == nil)
    #expect(due(expires: 100, ends: 101) == 93...101)
    #expect(due(expires: 100, ends: 101, in: (Self.start + 102)...(Self.start + 110)) == nil)
    #expect(due(expires: 100, isActive: false) == nil)
    #expect(due(expires: 100, isDeleted: true) == nil)
  }

  @Test("dates at both ends of the calendar do not trap")
  func extremes() throws {
    let (first, last) = (try #require(Day("0001-01-01")), try #require(Day("9999-12-31")))
    for day in [first, last] {
      let medication = Medication(
        id: UUID(name: "drops"), user: UUID(name: "anna"), startDate: first, expiresOn: day)
      #expect(medication.expiryDays(in: Self.year) == (day == first ? Self.year : nil))
    }
  }
}
