import PostgresTestServer
import Testing
import VigilStorage

@testable import VigilPostgres

@Suite("What an error of the server becomes")
struct PostgresErrorTests {
  /// Runs a statement that fails, and gives what an operator would read.
  private func failure(_ sql: String) throws -> StorageError {
    let connection = try Connection.open(
      ConnectionTarget(url: PostgresServer.shared().url()), schema: "public", purpose: "test")
    let error = #expect(throws: PostgresError.self) { _ = try connection.run(script: sql) }
    return StorageError(try #require(error), database: "postgres:///vigil", table: "some_table")
  }

  @Test(arguments: [
    ("SELECT 1 FROM nowhere", StorageError.Code.schemaNotCurrent, "42P01"),
    ("SELECT nothing", .schemaNotCurrent, "42703"),
    ("CREATE ROLE x SUPERUSER", .permissionDenied, "42501"),
    ("BEGIN READ ONLY; CREATE TABLE never_made (a int)", .readOnly, "25006"),
    ("SET statement_timeout = 1; SELECT pg_sleep(60)", .unreachable, "57014"),
    ("SELEKT", .unexpected, "42601"),
  ])
  func codeAndState(sql: String, code: StorageError.Code, state: String) throws {
    let error = try failure(sql)
    #expect(error.code == code)
    #expect(error.message.contains("SQLSTATE \(state)"))
  }

  @Test(
    "no message quotes a value",
    arguments: [
      "SELECT 'canary-4711'::uuid", "SELECT 'canary-4711'::float8", "SELECT 'canary-4711'::date",
      "DO $$ BEGIN RAISE EXCEPTION 'canary-4711'; END $$",
      """
      CREATE TEMP TABLE t (a text PRIMARY KEY); INSERT INTO t VALUES ('canary-4711');
      INSERT INTO t VALUES ('canary-4711')
      """,
      "CREATE TEMP TABLE t (a text CHECK (a = '')); INSERT INTO t VALUES ('canary-4711')",
      "CREATE TEMP TABLE t (a text, b int NOT NULL); INSERT INTO t VALUES ('canary-4711')",
    ])
  func noValues(sql: String) throws {
    #expect(try failure(sql).description.contains("canary") == false)
  }

  @Test(
    "lost, stopping, starting and crowded servers and conflicts may succeed later",
    arguments: [
      (nil, true), ("08006", true), ("40001", true), ("40P01", true), ("57P01", true),
      ("57P03", true), ("53300", true), ("28P01", false), ("3D000", false), ("23505", false),
      ("42501", false), ("53100", false),
    ] as [(String?, Bool)])
  func transience(state: String?, isTransient: Bool) {
    let error = PostgresError(sqlState: state, message: "said", isConnectionLost: true)
    #expect(error.isTransient == isTransient)
    #expect((StorageError(error, database: "x").code == .transient) == isTransient)
  }
}

@Suite("Trying again")
struct RetryPolicyTests {
  private let lost = PostgresError(message: "gone", isConnectionLost: true)

  @Test("an operation is tried until it succeeds")
  func succeedsLater() throws {
    var attempts = 0
    let result = try RetryPolicy(timeout: .seconds(60)).run {
      attempts += 1
      if attempts < 4 { throw lost }
      return "done"
    }
    #expect(result == "done")
    #expect(attempts == 4)
  }

  @Test("when time is up the last error is thrown")
  func givesUp() {
    var attempts = 0
    let error = #expect(throws: PostgresError.self) {
      try RetryPolicy(timeout: .milliseconds(200)).run {
        attempts += 1
        throw PostgresError(message: "\(attempts)", isConnectionLost: true)
      }
    }
    #expect(attempts > 1)
    #expect(error?.message == "\(attempts)")
  }

  @Test("without time to wait, and for other errors, there is one attempt")
  func onlyOnce() {
    for (timeout, error) in [
      (Duration.zero, lost), (.seconds(60), PostgresError(sqlState: "23505", message: "twice")),
    ] {
      var attempts = 0
      #expect(throws: PostgresError.self) {
        try RetryPolicy(timeout: timeout).run {
          attempts += 1
          throw error
        }
      }
      #expect(attempts == 1)
    }
  }
}
