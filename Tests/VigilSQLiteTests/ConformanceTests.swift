import StorageConformance
import Testing

@Suite("SQLite keeps the contract of a storage")
struct ConformanceTests {
  @Test(arguments: ConformanceCheck.all)
  func contract(_ check: ConformanceCheck) throws {
    try SQLiteFixture.with { try check.run($0) }
  }
}
