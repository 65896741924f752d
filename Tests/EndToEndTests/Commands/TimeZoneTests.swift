import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilZones

/// Commands on systems with new, old, damaged and no time zone rules.
@Suite struct TimeZoneTests {
  private static let none = ["TZDIR": "/nonexistent"]

  /// A folder that holds `zones` with these rules, of the release `version`.
  private func folder(
    version: String, files: [String: [UInt8]] = [:]
  ) throws -> (folder: TemporaryFolder, environment: [String: String]) {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "zones/Europe"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "zones/Asia"), withIntermediateDirectories: false)
    for name in ["Europe/Berlin", "Asia/Tokyo", "UTC"] {
      let bytes = try files[name] ?? ZoneFolder.ofThisMachine?.file(of: name)
      try Data(#require(bytes)).write(to: folder.url.appending(path: "zones/\(name)"))
    }
    try folder.write("# version \(version)\n", to: "zones/tzdata.zi")
    return (folder, ["TZDIR": folder.url.appending(path: "zones").path])
  }

  /// Medications of a person in Madrid, and the doses of a week; nothing in it is wrong.
  private func dosesInMadrid(_ kind: DatabaseKind) throws -> ImportFolder {
    let input = try ImportFolder(kind)
    let tables = [
      "medications": [
        "id,user_id,name,dosage,form,start_date", "m1,anna,Secretol,10mg,pill,2026-01-01",
      ],
      "schedules": [
        "id,medication_id,type,reference_timezone,start_date,time_based_times",
        #"s1,m1,timeBased,Europe/Madrid,2026-01-01,"[""08:00""]""#,
      ],
      "dose_history": [
        "id,medication_id,schedule_id,status,scheduled_time,actual_time,recorded_timezone",
        "d1,m1,s1,taken,2026-01-10T07:00:00Z,2026-01-10T07:10:00Z,Europe/Madrid",
      ],
      "users": ["id", "anna"],
    ]
    for (name, lines) in tables { try input.write(lines.joined(separator: "\n"), to: name) }
    return input
  }

  private func timeZones(_ run: CommandRun) throws -> [String: Any] {
    let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let findings = report?["findings"] as? [[String: Any]]
    return try #require(findings?.first { $0["check"] as? String == "time zones" })
  }

  // MARK: Doctor

  @Test func doctorSaysWhichRulesThereAre() async throws {
    let folder = try TemporaryFolder()
    let finding = try timeZones(
      try await CommandRun.vigil("doctor", "--format", "json", in: folder))
    let system = try #require(ZoneFolder.ofThisMachine)
    let version = try #require(system.version)
    #expect(
      finding["detail"] as? String == "rules \(version) in \(system.place); runs use UTC"
        || finding["status"] as? String == "warning")
  }

  @Test func doctorWarnsOfRulesThatAreMoreThanTwoYearsOld() async throws {
    // The clock of tests shows 2026.
    let (old, oldRules) = try folder(version: "2023d")
    _ = try await CommandRun.vigil("migrate", in: old)
    let run = try await CommandRun.vigil("doctor", in: old, environment: oldRules)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("rules 2023d in"))
    #expect(run.output.contains("more than two years old"))
    #expect(run.output.contains("apt-get install tzdata"))
    let (new, newRules) = try folder(version: "2024a")
    let finding = try timeZones(
      try await CommandRun.vigil("doctor", "--format", "json", in: new, environment: newRules))
    #expect(finding["status"] as? String == "ok")
  }

  @Test func doctorFindsMissingRules() async throws {
    let folder = try TemporaryFolder()
    _ = try await CommandRun.vigil("migrate", in: folder)
    for zone in ["UTC", "Europe/Berlin"] {
      let environment = Self.none.merging(["VIGIL_TIME_ZONE": zone]) { $1 }
      let run = try await CommandRun.vigil(
        "doctor", "--format", "json", in: folder, environment: environment)
      #expect(run.status == 69, "\(run.errors)")
      let finding = try timeZones(run)
      #expect(finding["status"] as? String == "failure")
      #expect((finding["detail"] as? String)?.contains("no zone files in /nonexistent") == true)
      #expect((finding["remedy"] as? String)?.contains("apt-get install tzdata") == true)
    }
  }

  @Test func doctorFindsDamagedRules() async throws {
    let (folder, rules) = try folder(
      version: "2026a", files: ["Asia/Tokyo": Array("TZif2".utf8)])
    let finding = try timeZones(
      try await CommandRun.vigil("doctor", "--format", "json", in: folder, environment: rules))
    #expect(finding["status"] as? String == "failure")
    #expect((finding["detail"] as? String)?.contains("Asia/Tokyo") == true)
  }

  // MARK: Other commands

  @Test func aRunWithoutRulesForItsTimeZoneEndsWith69() async throws {
    let folder = try SampleDatabase.imported()
    let run = try await CommandRun.vigil(
      "run", "--time-zone", "Europe/Berlin", in: folder, environment: Self.none)
    #expect(run.status == 69)
    #expect(run.errors.contains("no zone files in /nonexistent"))
    #expect(run.errors.contains("apt-get install tzdata"))
    #expect(run.errors.split(separator: "\n").count == 1)
    let unknown = try await CommandRun.vigil("run", "--time-zone", "Europe/Atlantis", in: folder)
    #expect(unknown.status == 64)
  }

  @Test(arguments: DatabaseKind.allCases)
  func noRowIsQuarantinedForWhatTheSystemLacks(kind: DatabaseKind) async throws {
    let input = try dosesInMadrid(kind)
    let refused = try await CommandRun.vigil(
      "import", "csv", "in", in: input.folder, environment: Self.none)
    #expect(refused.status == 69, "\(refused.errors)")
    #expect(refused.errors.contains("no zone files in /nonexistent"))
    let imported = try await input.vigil("import", "csv", "in")
    #expect(imported.status == 0, "\(imported.errors)")
    for command in [
      ["run", "--date", "2026-01-19"], ["backfill", "--from", "2026-01-12", "--to", "2026-01-19"],
    ] {
      let run = try await CommandRun.vigil(
        arguments: command, in: input.folder, environment: Self.none)
      #expect(run.status == 69, "\(run.errors)")
      #expect(run.errors.contains("apt-get install tzdata"))
    }
    #expect(try input.database.count("quarantined_rows") == 0)
    #expect(try input.database.count("dose_analytics") == 0)
    let errors = try input.database.rows("SELECT DISTINCT status FROM batch_runs")
    #expect(errors == ["failed"])
    let run = try await input.vigil("run", "--date", "2026-01-19")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try input.database.count("dose_analytics") > 0)
  }

  @Test func whatNeedsNoRulesGoesOnWithoutThem() async throws {
    let input = try ImportFolder(.sqlite)
    let days = (1...30).map { "anna,2026-06-\($0 < 10 ? "0" : "")\($0),watch,8000" }
    try input.write(([ImportFolder.header] + days).joined(separator: "\n"))
    try input.write("user_id,timezone\nanna,GMT+0200\n", to: "user_profiles")
    for command in [["import", "csv", "in"], ["run", "--date", "2026-06-30"]] {
      let run = try await CommandRun.vigil(
        arguments: command, in: input.folder, environment: Self.none)
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test func formerNamesAreKnownWhereTheSystemHasOnlyPresentOnes() async throws {
    let (folder, rules) = try folder(version: "2026a")
    try folder.write("user_id,timezone\nanna,Japan\nben,Europe/Atlantis\n", to: "user_profiles.csv")
    let run = try await CommandRun.vigil(
      "import", "csv", ".", "--max-bad-rows", "100%", in: folder, environment: rules)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.database.rows("SELECT timezone FROM user_profiles") == ["Japan"])
  }
}
