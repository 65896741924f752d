import PostgresTestServer
import Synchronization
import TestSupport
import Testing
import VigilSQL
import VigilStorage

@testable import VigilPostgres

@Suite("Opening a PostgreSQL database")
struct PostgresStorageTests {
  private func refusal(_ url: String, schema: String = "public") -> StorageError? {
    #expect(throws: StorageError.self) {
      _ = try PostgresStorage(url: url, schema: schema, retryTimeout: .zero)
    }
  }

  @Test("no server at that place is unreachable, at once")
  func noServer() throws {
    try TemporaryDirectory.with { directory in
      let error = refusal("postgres:///care?host=\(directory.path(""))")
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains("cannot be reached") == true)
      #expect(error?.remedy?.advice?.contains("PGPASSFILE") == true)
      // Not what is said where time ran out.
      #expect(error?.message.contains("did not answer") == false)
    }
  }

  @Test("a server that is away at the start is waited for, and it is said once")
  func serverComesBack() throws {
    let server = try PostgresServer()
    let schema = try PostgresSchema(on: server)
    try server.stop(immediately: true)
    let said = Mutex<[String]>([])
    let storage = try PostgresStorage(url: schema.url, schema: schema.name) { database, reason in
      said.withLock { $0.append("\(database): \(reason)") }
      #expect(throws: Never.self) { try server.start() }
    }
    #expect(try storage.migrations().allSatisfy { $0.state == .pending })
    #expect(said.withLock { $0.count } == 1)
    #expect(said.withLock { $0.first }?.contains("postgres:///vigil") == true)
  }

  @Test(
    "an error that waiting does not fix ends at once",
    arguments: [
      // No name server is asked for a name that cannot be.
      "postgres://\(String(repeating: "x", count: 64)).invalid/x",
      "postgres://127.0.0.1:1/x?sslmode=bogus",
    ])
  func noWaiting(url: String) throws {
    let error = #expect(throws: StorageError.self) {
      _ = try PostgresStorage(url: url) { _, reason in Issue.record("waits: \(reason)") }
    }
    #expect(error?.code == .unreachable)
  }

  @Test("a password that is wrong, or missing, is not waited for")
  func password() throws {
    let server = try PostgresServer()
    // Roles other than the superuser need a password from the next start on.
    try PostgresSession(url: server.url(as: "postgres")).execute(
      """
      ALTER ROLE vigil PASSWORD 'right';
      COPY (VALUES ('local all postgres trust'), ('local all all scram-sha-256'))
        TO '\(server.folder)/data/pg_hba.conf'
      """)
    try server.stop(immediately: false)
    try server.start()
    for url in [server.url(), server.url() + "&password=wrong"] {
      let error = #expect(throws: StorageError.self) {
        _ = try PostgresStorage(url: url) { _, reason in Issue.record("waits: \(reason)") }
      }
      #expect(error.map { [.unreachable, .permissionDenied].contains($0.code) } == true)
    }
  }

  @Test("a database that does not exist is named")
  func noDatabase() throws {
    let url = try PostgresServer.shared().url().replacing("/vigil?", with: "/nowhere?")
    let error = refusal(url)
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("nowhere") == true)
    #expect(error?.message.contains("3D000") == true)
  }

  @Test("a login that the server refuses is a matter of permission")
  func noRole() throws {
    let error = refusal(try PostgresServer.shared().url(as: "stranger"))
    #expect(error?.code == .permissionDenied)
    #expect(error?.message.contains("28000") == true)
  }

  @Test(
    "a schema name that PostgreSQL cannot have is refused",
    arguments: ["", "a\0b", String(repeating: "x", count: 64)])
  func badSchema(name: String) throws {
    #expect(refusal(try PostgresServer.shared().url(), schema: name)?.code == .notFound)
  }

  @Test("a schema that is not there has all migrations pending")
  func noSchema() throws {
    let storage = try PostgresStorage(
      url: PostgresServer.shared().url(), schema: "'; DROP SCHEMA public; --")
    #expect(try storage.migrations().allSatisfy { $0.state == .pending })
    #expect(throws: StorageError.self) { try storage.requireCurrentSchema() }
    let errors = [
      #expect(throws: StorageError.self) { _ = try storage.runs(limit: 1) },
      #expect(throws: StorageError.self) { _ = try storage.metricDays() },
    ]
    #expect(errors.map { $0?.code } == [.schemaNotCurrent, .schemaNotCurrent])
  }

  @Test("a session looks for names in the server's catalogue, and knows nothing of the locale")
  func sessionSettings() throws {
    let connection = try Connection.open(
      ConnectionTarget(url: PostgresServer.shared().url()), schema: "a \"b\"", purpose: "test")
    #expect(try connection.text("SHOW search_path") == "pg_catalog, pg_temp")
    #expect(try connection.text("SELECT {{schema_name}}") == #"a "b""#)
    #expect(try connection.text("SHOW TimeZone") == "UTC")
    #expect(try connection.text("SHOW client_encoding") == "UTF8")
    #expect(try connection.text("SHOW application_name") == "test")
  }

  @Test("a session waits for locked rows for a minute, or for the given time")
  func lockTimeout() throws {
    let url = try PostgresServer.shared().url()
    for (options, expected) in [("", "1min"), ("&options=-c%20lock_timeout%3D300", "300ms")] {
      let connection = try Connection.open(
        ConnectionTarget(url: url + options), schema: "public", purpose: "test")
      #expect(try connection.text("SHOW lock_timeout") == expected)
    }
  }
}
