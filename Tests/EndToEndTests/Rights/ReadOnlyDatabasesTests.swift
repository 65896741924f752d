import Foundation
import PostgresTestServer
import TestDatabases
import Testing

/// Databases that may only be read, and roles that may not write: every command that writes says so
/// in one line, and changes nothing.
@Suite struct ReadOnlyDatabasesTests {
  private static let backfill = ["backfill", "--from", "2026-06-01", "--to", "2026-06-29"]
  private static let night = ["run", "--date", "2026-06-30", "--live"]

  /// The sample with alerts, and a live run that holds its notifications back.
  private struct Prepared {
    let folder: TemporaryFolder
    let held: String

    init(_ kind: DatabaseKind) async throws {
      folder = try SampleDatabase.imported(kind)
      let run = try await CommandRun.vigil(
        "run", "--date", "2026-06-30", "--live", "--max-notified-persons", "0", in: folder)
      try #require(run.status == 75, "\(run.errors)")
      held = try #require(try folder.database.rows("SELECT id FROM batch_runs").first)
    }

    var commands: [[String]] {
      [
        night, backfill, ["run", "--date", "2026-06-30"], ["golive"], ["runs", "release", held],
        ["runs", "discard", held],
      ]
    }

    func everything() throws -> [String] {
      try folder.database.outcome()
        + ["batch_runs", "run_shards", "batch_checkpoints", "held_notifications"].flatMap {
          try folder.database.rows("SELECT * FROM \($0)").sorted()
        }
    }

    /// Expects that the same command succeeds once the fault is gone.
    func expectEnd() async throws {
      let released = try await CommandRun.vigil("runs", "release", held, in: folder)
      #expect(released.status == 0, "\(released.errors)")
      #expect(try folder.database.count("notification_queue") > 0)
      let night = try await CommandRun.vigil(arguments: night, in: folder)
      #expect(night.status == 0, "\(night.errors)")
      #expect(night.output.contains("0 enqueued"), "\(night.output)")
    }
  }

  @Test(arguments: [0o000, 0o200])
  func fileThatMayNotBeReadIsNotCalledUnwritable(mode: Int) async throws {
    let launcher = try Self.launcherOfAnotherUser()
    let folder = try TemporaryFolder()
    _ = try await CommandRun.vigil("migrate", in: folder)
    try folder.setPermissions(0o777, of: ".")
    try folder.setPermissions(mode, of: "vigil.sqlite")
    for command in [Self.night, ["runs"], ["migrate"], ["golive"]] {
      let run = try await CommandRun.vigil(arguments: command, in: folder, launcher: launcher)
      run.expectFailure(69, mentioning: "sqlite:vigil.sqlite cannot be read by this user")
    }
    let doctor = try await CommandRun.vigil(arguments: ["doctor"], in: folder, launcher: launcher)
    #expect(doctor.status == 69 && doctor.output.contains("cannot be read by this user"))
    #expect(!doctor.output.contains("cannot be written"))
  }

  /// Nothing is read-only for root, so the commands get another user; empty for anybody else.
  private static func launcherOfAnotherUser() throws -> [String] {
    guard getuid() == 0 else { return [] }
    let launcher = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    guard FileManager.default.isExecutableFile(atPath: launcher[0]) else {
      try Test.cancel("runs as root and there is no setpriv to become another user")
    }
    return launcher
  }

  @Test(arguments: ["vigil.sqlite", "."])
  func fileOrFolderThatMayOnlyBeReadEndsEveryWriterWith73(readOnly: String) async throws {
    let launcher = try Self.launcherOfAnotherUser()
    let prepared = try await Prepared(.sqlite)
    let folder = prepared.folder
    let before = try prepared.everything()
    let modes = ["vigil.sqlite": (0o444, 0o777), ".": (0o666, 0o555)]
    let (file, parent) = try #require(modes[readOnly])
    try folder.setPermissions(file, of: "vigil.sqlite")
    try folder.setPermissions(parent, of: ".")
    for command in prepared.commands {
      let run = try await CommandRun.vigil(
        arguments: command, in: folder, launcher: launcher)
      run.expectFailure(
        73, mentioning: "sqlite:vigil.sqlite cannot be written to", "make the file and its folder")
    }
    try folder.setPermissions(0o755, of: ".")
    try folder.setPermissions(0o644, of: "vigil.sqlite")
    #expect(try folder.names == ["vigil.sqlite"])
    #expect(try prepared.everything() == before)
    try await prepared.expectEnd()
  }

  @Test func serverThatOnlyReadsEndsEveryWriterWith73() async throws {
    let prepared = try await Prepared(.postgres)
    let before = try prepared.everything()
    let environment = try environment(
      of: prepared, as: "e2e_standby", "IN ROLE vigil_engine",
      "ALTER ROLE e2e_standby SET default_transaction_read_only = on")
    for command in prepared.commands {
      let run = try await CommandRun.vigil(
        arguments: command, in: prepared.folder, environment: environment)
      run.expectFailure(
        73, mentioning: "can only be read", "(SQLSTATE 25006)", "connect to the primary",
        "default_transaction_read_only")
    }
    #expect(try prepared.everything() == before)
    for command in [["alerts", "list"], ["runs"], ["doctor"]] {
      let run = try await CommandRun.vigil(
        arguments: command, in: prepared.folder, environment: environment)
      #expect(run.status == 0, "\(command): \(run.output)\(run.errors)")
    }
    try await prepared.expectEnd()
  }

  @Test func roleThatMayOnlyReadEndsEveryWriterWith77() async throws {
    let prepared = try await Prepared(.postgres)
    let before = try prepared.everything()
    let environment = try environment(
      of: prepared, as: "e2e_looker", "IN ROLE vigil_reader", "SELECT 1")
    for command in prepared.commands {
      let run = try await CommandRun.vigil(
        arguments: command, in: prepared.folder, environment: environment)
      run.expectFailure(77, mentioning: "does not permit this", "(SQLSTATE 42501)", "vigil doctor")
    }
    #expect(try prepared.everything() == before)
    try await prepared.expectEnd()
  }

  /// A backfill's role may write everything but notifications.
  @Test func liveRunOfARoleThatMayNotNotifyEndsWith77AndDisturbsNothing() async throws {
    let folder = try SampleDatabase.imported(.postgres)
    let undisturbed = try folder.copyOfDatabase()
    _ = try await CommandRun.vigil(arguments: Self.night, in: undisturbed)
    guard case .postgres(let schema) = folder.database else { return }
    try schema.session().execute(Self.makingRole("e2e_history", "IN ROLE vigil_backfill"))
    let run = try await CommandRun.vigil(
      arguments: Self.night, in: folder,
      environment: ["VIGIL_DATABASE": schema.url(as: "e2e_history")])
    run.expectFailure(77, mentioning: "held_notifications", "vigil_engine", "vigil doctor")
    let expected = try undisturbed.database.outcome()
    #expect(try folder.database.count("notification_queue") == 0)
    #expect(try folder.database.count("batch_runs") == 0)
    let again = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.database.outcome() == expected)
    #expect(try folder.database.count("notification_queue") > 0)
  }

  /// A run that waits for a decision stays as it is.
  @Test func liveRunOfARoleThatMayNotNotifyLeavesAHeldRunAlone() async throws {
    let folder = try SampleDatabase.imported(.postgres)
    let held = try await CommandRun.vigil(
      arguments: Self.night + ["--max-notified-persons", "1"], in: folder)
    #expect(held.status == 75, "\(held.errors)")
    guard case .postgres(let schema) = folder.database else { return }
    try schema.session().execute(Self.makingRole("e2e_deaf", "IN ROLE vigil_backfill"))
    let tables = ["batch_runs", "run_shards", "batch_checkpoints", "held_notifications"]
    func everything() throws -> [[String]] {
      try tables.map { try folder.database.rows("SELECT to_jsonb(t) FROM \($0) AS t ORDER BY 1") }
    }
    let before = try everything()
    let run = try #require(folder.database.rows("SELECT id FROM batch_runs").first)
    for command in [Self.night, ["runs", "release", run], ["golive"]] {
      let run = try await CommandRun.vigil(
        arguments: command, in: folder,
        environment: ["VIGIL_DATABASE": schema.url(as: "e2e_deaf")])
      run.expectFailure(77, mentioning: "held_notifications", "vigil_engine")
    }
    #expect(try everything() == before)
  }

  /// The environment of commands that log in as a role of this suite.
  private func environment(
    of prepared: Prepared, as role: String, _ attributes: String, _ statement: String
  ) throws -> [String: String] {
    guard case .postgres(let schema) = prepared.folder.database else { return [:] }
    try schema.session().execute(Self.makingRole(role, attributes) + ";" + statement)
    return ["VIGIL_DATABASE": schema.url(as: role)]
  }

  /// Roles are those of the server, which all tests share.
  private static func makingRole(_ role: String, _ attributes: String) -> String {
    "DROP ROLE IF EXISTS \(role); CREATE ROLE \(role) LOGIN \(attributes)"
  }
}

extension TemporaryFolder {
  fileprivate func setPermissions(_ mode: Int, of name: String) throws {
    let path = name == "." ? url.path : url.appending(path: name).path
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
