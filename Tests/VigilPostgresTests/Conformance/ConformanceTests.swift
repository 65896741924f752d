import StorageConformance
import Testing

@Suite("PostgreSQL keeps the contract of a storage")
struct ConformanceTests {
  @Test(arguments: ConformanceCheck.all)
  func contract(_ check: ConformanceCheck) throws {
    try check.run(PostgresFixture())
  }
}
