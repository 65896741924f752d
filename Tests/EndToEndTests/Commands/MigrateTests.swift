import Foundation
import TestDatabases
import TestSupport
import Testing

/// `vigil migrate --down`, which drops tables.
@Suite struct MigrateTests {
  @Test(arguments: DatabaseKind.allCases)
  func rowsAreDroppedOnDemandOnly(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind, then: [["run", "--date", "2026-06-30"]])
    let database = folder.database
    let scores = try database.count("vitality_scores")
    try #require(scores > 0)
    // The newest migration has copies of other rows alone, and is taken back without a question.
    let number = try database.count("schema_migrations")
    let first = try await CommandRun.vigil("migrate", "--down", "1", in: folder)
    #expect(first.status == 0, "\(first.errors)")
    let all = ["migrate", "--down", "\(number)"]
    let refused = try await CommandRun.vigil(arguments: all, in: folder)
    refused.expectFailure(64, mentioning: "vitality_scores (\(scores))", "users", "--drop-data")
    #expect(try database.count("vitality_scores") == scores)
    #expect(try database.count("schema_migrations") == number - 1)
    let dropping = try await CommandRun.vigil(arguments: all + ["--drop-data"], in: folder)
    switch kind {
    case .sqlite:
      #expect(dropping.status == 0, "\(dropping.errors)")
      #expect(dropping.output.contains("The file as it was: "))
    case .postgres:
      dropping.expectFailure(64, mentioning: "pg_dump", "--no-backup", "vitality_scores")
      #expect(try database.count("vitality_scores") == scores)
      let forced = try await CommandRun.vigil(
        arguments: all + ["--drop-data", "--no-backup"], in: folder)
      #expect(forced.status == 0, "\(forced.errors)")
    }
    #expect(try database.count("schema_migrations") == 0)
  }

  @Test(arguments: [["--drop-data"], ["--down", "1", "--no-backup"]])
  func optionsThatSayNothingAreRefused(options: [String]) async throws {
    let folder = try TemporaryFolder(.sqlite)
    let run = try await CommandRun.vigil(arguments: ["migrate"] + options, in: folder)
    #expect(run.status == 64, "\(run.errors)")
  }
}
