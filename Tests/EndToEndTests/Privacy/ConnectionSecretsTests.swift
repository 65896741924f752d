import TestSupport
import Testing

@testable import vigil

@Suite struct ConnectionSecretsTests {
  @Test(arguments: [
    ("postgres//bob:s3cr3t@h", "postgres//bob:***@h"),
    ("postgres:/bob:s3cr3t@h", "postgres:/bob:***@h"),
    ("postgres:bob:s3cr3t@h", "postgres:bob:***@h"),
    ("//bob:s3cr3t@h", "//bob:***@h"),
    ("bob:s3cr3t@h/d", "bob:***@h/d"),
    ("postgrse://bob:s3cr3t@h/d", "postgrse://bob:***@h/d"),
    ("sqlite:postgres://bob:s3cr3t@h/d", "sqlite:postgres://bob:***@h/d"),
    ("postgres://bob:s3 cr3t@h/d", "postgres://bob:***@h/d"),
    ("postgres://bob:s3c:r3t@h:5432/d", "postgres://bob:***@h:5432/d"),
    ("postgres://bob:s3cr3t/d", "postgres://bob:***/d"),
    ("postgres://bob:s3cr3t", "postgres://bob:***"),
    ("postgres://h:5432/d", "postgres://h:5432/d"),
    ("postgres://[::1]:5432/d", "postgres://[::1]:5432/d"),
    ("postgres:///d?host=/run&password=s3cr3t", "postgres:///d?host=/run&password=***"),
    ("host=127.0.0.1 password=s3cr3t", "host=127.0.0.1 password=***"),
    ("password = s3cr3t host=h", "password = *** host=h"),
    ("password='s3 c\\'r3t' host=h", "password=*** host=h"),
    (#"password=s3\ cr3t host=h"#, "password=*** host=h"), (#"password=s3cr3t\"#, "password=***"),
    ("password=s3,cr3t;x host=h", "password=*** host=h"),
    ("PGPASSWORD=s3cr3t", "PGPASSWORD=***"),
    ("password=s3&cr'3t host=h", "password=*** host=h"),
    ("sqlite:clinic@home:1.sqlite", "sqlite:clinic@home:1.sqlite"),
  ])
  func valueIsShownWithoutSecrets(text: String, shown: String) {
    #expect(ConnectionSecrets.hidden(inValue: text) == shown)
    #expect(ConnectionSecrets.hidden(inValue: shown) == shown)
  }

  @Test(arguments: [
    ("vigil: no 'postgres//bob:s3 cr3t@h/x' here", "vigil: no 'postgres//bob:***@h/x' here"),
    ("file host=h password=s3cr3t is missing", "file host=h password=*** is missing"),
    ("(postgres://bob:s3cr3t@h)", "(postgres://bob:***@h)"),
    ("a 'password=s3'cr3t' b", "a 'password=***' b"),
    (
      "2026-06-30T00:00:00.000000Z warning Lost url=\"postgres://bob:s3cr3t@h\"",
      "2026-06-30T00:00:00.000000Z warning Lost url=\"postgres:***@h\""
    ),
    (
      "vigil: FATAL: password authentication failed", "vigil: FATAL: password authentication failed"
    ),
    (
      "write postgres://USER@HOST:PORT/NAME?sslmode=verify-full; keep the password in a passfile",
      "write postgres://USER@HOST:PORT/NAME?sslmode=verify-full; keep the password in a passfile"
    ),
  ])
  func lineIsShownWithoutSecrets(line: String, shown: String) {
    #expect(ConnectionSecrets.hidden(inLine: line) == shown)
  }

  /// Every way in which a connection can reach a message.
  @Test(arguments: [
    "host=127.0.0.1 password=s3cr3t", "postgres//bob:s3cr3t@h/x", "postgres://bob:s3cr3t/x",
    "postgres://bob:x@s3cr3t@127.0.0.1:1/x", "postgres://bob:12/s3cr3t@127.0.0.1:1/x",
    "postgres://bob:s3cr3t@127.0.0.1:1/x?wrong=1", "postgres://bob:s3cr3t@127.0.0.1:1/x",
    "postgres://bob@127.0.0.1:1/x?password=s3cr3t&sslmode=nonsense",
    "postgres://bob:s3cr3t@127.0.0.1:99999/x", "sqlite:postgres://bob:s3cr3t@h/x",
  ])
  func noCommandPrintsAPassword(location: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("database: \"\(location)\"\n", to: "settings.yaml")
    let environment = ["VIGIL_DATABASE": location, "VIGIL_DATABASE_RETRY": "0"]
    for (arguments, environment) in [
      (["runs", "list", "--database", location], ["VIGIL_DATABASE_RETRY": "0"]),
      (["runs", "list"], environment), (["doctor"], environment), (["config"], environment),
      (["doctor", "--format", "json"], environment), (["migrate"], environment),
      (["runs", "list", "--config", "settings.yaml"], ["VIGIL_DATABASE_RETRY": "0"]),
      (["runs", "list", location], [:]), (["runs", "list", "--databse=\(location)"], [:]),
      (["runs", "list", "--config", location], [:]), (["import", "csv", location], [:]),
      (["thresholds", "check", location], [:]), ([location], [:]),
      (["runs", "list", "--log-level", location], [:]),
      (["report", "--out", "\(location)/a"], [:]),
    ] {
      let run = try await CommandRun.vigil(
        arguments: arguments, in: folder, environment: environment)
      #expect(!run.errors.contains("s3cr3t"), "\(arguments): \(run.errors)")
      #expect(!run.output.contains("s3cr3t"), "\(arguments): \(run.output)")
    }
  }
}
