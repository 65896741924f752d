import Foundation
import TestDatabases
import TestSupport
import Testing

/// Erased persons do not come back: by an import, or by a backup that is restored.
@Suite struct PersonCheckTests {
  private static let sample = SharedFolder.repository.appending(path: "datasets/sample").path

  @Test(arguments: DatabaseKind.allCases)
  func anImportLeavesErasedPersonsOut(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    #expect(try await data.vigil("person", "erase", data.person, "--yes").status == 0)
    let unkeyed = try await data.vigil("import", "csv", Self.sample, key: false)
    #expect(unkeyed.status == 64, "\(unkeyed.errors)")
    try data.folder.write("another key of the operator", to: "other.key")
    let other = try await data.vigil(
      arguments: ["import", "csv", Self.sample],
      environment: ["VIGIL_ERASURE_KEY_FILE": "other.key"])
    #expect(other.status == 64 && other.errors.contains("another key"), "\(other.errors)")
    let before = try data.database.count("dose_history")
    let imported = try await data.vigil("import", "csv", Self.sample)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.errors.contains("erased were left out"), "\(imported.errors)")
    #expect(try data.tables(holding: data.person) == [])
    #expect(try data.database.count("dose_history") == before)
    #expect(try data.database.count("quarantined_rows") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRestoredBackupIsChecked(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let restored = try data.folder.copyOfDatabase()
    try restored.write("0123456789abcdef0123456789abcdef\n", to: PersonalDatabase.secret)
    #expect(try await data.vigil("person", "erase", data.person, "--yes").status == 0)
    let list = try await data.vigil("person", "erased", "--format", "csv")
    #expect(list.status == 0 && !list.output.contains(data.person))
    let none = try await data.vigil("person", "check")
    #expect(
      none.status == 0 && none.output.hasPrefix("None of the 1 erased person"), "\(none.output)")

    try restored.write(list.output, to: "erased.csv")
    func check(_ arguments: String...) async throws -> CommandRun {
      try await CommandRun.vigil(
        arguments: ["person", "check"] + arguments, in: restored,
        environment: ["VIGIL_ERASURE_KEY_FILE": PersonalDatabase.secret])
    }
    #expect(try await check().status == 0)
    let found = try await check("--list", "erased.csv")
    #expect(found.status == 65 && found.output.contains(data.person), "\(found.output)")
    #expect(try restored.database.count("users WHERE id = '\(data.person)'") == 1)
    let erased = try await check("--list", "erased.csv", "--yes")
    #expect(erased.status == 0, "\(erased.errors)")
    #expect(try restored.database.count("users WHERE id = '\(data.person)'") == 0)
    #expect(try await check().status == 0)
    try restored.write("id,name\n", to: "wrong.csv")
    #expect(try await check("--list", "wrong.csv").status == 65)
    #expect(try await check("--list", "missing.csv").status == 64)
  }
}
