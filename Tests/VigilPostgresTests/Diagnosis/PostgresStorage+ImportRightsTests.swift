import Foundation
import PostgresTestServer
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("Who may import on PostgreSQL")
struct PostgresStorageImportRightsTests {
  private let now = Timestamp(microseconds: 1_790_000_000_000_000)
  private let columns = ["user_id", "metric_date", "source", "steps"]

  /// A login role of this test's own, and the schema opened as that role.
  private func storage(
    of fixture: PostgresFixture, as role: String, _ attributes: String
  ) throws -> PostgresStorage {
    try fixture.execute("CREATE ROLE \(role) LOGIN \(attributes)")
    return try PostgresStorage(
      url: fixture.schema.url(as: role), schema: fixture.schema.name)
  }

  private func findings(_ check: String, _ storage: any Storage) -> [Finding] {
    storage.diagnose().filter { $0.check == check && $0.status != .ok }
  }

  /// The SQL that a remedy ends in.
  private func statements(of remedy: Remedy?) throws -> String {
    let words = if case .importOrMakeView(let rights) = remedy { rights } else { remedy?.advice }
    let remedy = try #require(words)
    let start = try #require(remedy.firstRange(of: "GRANT SELECT, INSERT, UPDATE"))
    let end = try #require(remedy.lastIndex(of: ";"))
    return String(remedy[start.lowerBound...end])
  }

  /// Writes a row of every kind that imports write.
  private func importSomething(into storage: any Storage) throws {
    try storage.importRows { writer in
      let person = UUID(name: "p")
      _ = try writer.ensureUser(person, externalID: "p", now: now)
      let metrics = try writer.inserter(into: .wearableDailyMetrics, columns: columns, now: now)
      try metrics.upsert([.uuid(person), .day(Day(ordinal: 20_000)), .text("watch"), .real(1)])
      let scores = try writer.inserter(
        into: .vitalityScores,
        columns: ["user_id", "score_date", "source", "schema_version", "total_score"], now: now)
      try scores.upsert([
        .uuid(person), .day(Day(ordinal: 20_000)), .text("app"), .text("1"), .integer(50),
      ])
    }
  }

  @Test("a nightly role learns how it may import, and following that is enough")
  func nightlyRole() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let engine = try storage(of: fixture, as: "nightly", "IN ROLE vigil_engine")
    let refused = #expect(throws: StorageError.self) { try importSomething(into: engine) }
    #expect(refused?.code == .permissionDenied)
    let advice = try #require(refused?.remedy?.advice)
    #expect(advice.contains("run the import as vigil, the owner of the tables"))

    let empty = try #require(findings("metrics", engine).first)
    #expect(try statements(of: empty.remedy) == statements(of: refused?.remedy))
    try fixture.execute(try statements(of: empty.remedy))
    #expect(findings("metrics", engine).first?.remedy == .importOrMakeView(rights: nil))
    try importSomething(into: engine)
    #expect(findings("metrics", engine).isEmpty && findings("import rights", engine).isEmpty)
  }

  @Test("a role that runs every night and does not import needs no remedy")
  func fullDatabase() throws {
    let fixture = try PostgresFixture(on: .migrated())
    try importSomething(into: fixture.storage)
    let engine = try storage(of: fixture, as: "nightly", "IN ROLE vigil_engine")
    let findings = engine.diagnose().filter { $0.check != "connections" }
    #expect(findings.allSatisfy { $0.status == .ok }, "\(findings)")
  }

  @Test("a role that may write to a part of the tables learns what it lacks")
  func partialRole() throws {
    let fixture = try PostgresFixture(on: .migrated())
    try importSomething(into: fixture.storage)
    let loader = try storage(of: fixture, as: "loader", "IN ROLE vigil_engine")
    try fixture.execute("GRANT INSERT ON wearable_daily_metrics TO loader")
    let finding = try #require(findings("import rights", loader).first)
    #expect(finding.status == .warning)
    try fixture.execute(try statements(of: finding.remedy))
    #expect(findings("import rights", loader).isEmpty)
    try importSomething(into: loader)
  }
}
