import Foundation
import PostgresTestServer
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: locks")
struct TableRunLockTests {
  private static let tables = [
    "run_locks", "person_locks", "change_lock", "settlement_lock", "sms_lock", "schema_migrations",
  ]

  private func shard(_ index: Int, of count: Int) throws -> RunShard {
    try #require(RunShard(index, of: count))
  }

  /// Why the lock cannot be taken; nil where it can.
  private func refusal(
    _ fixture: PostgresFixture, _ shard: RunShard = .whole, for run: String = "other"
  ) throws -> StorageError? {
    do {
      let lock = try fixture.reopened().acquireRunLock(for: UUID(name: run), shard: shard)
      withExtendedLifetime(lock) {}
      return nil
    } catch let error as StorageError {
      return error
    }
  }

  @Test("a login without rights can take no lock that anyone waits for")
  func keepsStrangersOut() throws {
    let family = try FamilySchema()
    let schema = family.schema
    try family.session().execute(
      "DROP ROLE IF EXISTS lock_stranger; CREATE ROLE lock_stranger LOGIN")
    let stranger = try PostgresSession(url: schema.url(as: "lock_stranger"))
    // All that it may take, among them the locks that are known by a name.
    try stranger.execute(
      """
      SELECT pg_advisory_lock(hashtext(name), hashtext('\(schema.name.replacing("'", with: "''"))'))
      FROM unnest(ARRAY['vigil runs', 'vigil persons']) AS name
      """)
    for role in ["lock_stranger", "vigil_reader"] {
      let session = try family.session(as: role)
      for table in Self.tables {
        let refusal = try session.refusal(
          of: "LOCK TABLE \(schema.quotedName).\(table) IN ROW SHARE MODE NOWAIT")
        #expect(refusal?.hasPrefix("42501 ") == true, "\(role), \(table): \(refusal ?? "taken")")
      }
    }
    // No one waits: a run takes its lock and writes, and a member's answer is recorded.
    let storage = try PostgresStorage(url: schema.url, schema: schema.name)
    let lock = try storage.acquireRunLock(for: UUID(name: "run"))
    let now = Timestamp(microseconds: 1_790_000_000_000_000)
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: UUID(name: "run"), writtenAt: now
      ))
    let member = try family.session(as: "vigil_reader", viewer: 1)
    try member.execute("SET lock_timeout = '1ms'")
    #expect(
      try member.lines("SELECT alert_id FROM acknowledge_alert('\(FamilySchema.id(1))')")
        == [FamilySchema.id(1)])
    let held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = "
    #expect(try stranger.rows(held + "pg_backend_pid()").values == [["2"]])
    withExtendedLifetime((lock, stranger)) {}
  }

  @Test("a lock keeps neither a snapshot nor a transaction id, and is ended by no time limit")
  func holdsNothingElse() throws {
    let fixture = try PostgresFixture(on: .migrated())
    try fixture.execute(
      """
      ALTER ROLE postgres SET idle_in_transaction_session_timeout = '50ms';
      ALTER ROLE postgres SET idle_session_timeout = '50ms';
      ALTER ROLE postgres SET default_transaction_isolation = 'serializable';
      ALTER ROLE postgres SET default_transaction_read_only = on;
      """)
    let storage = try fixture.reopened()
    let locks: [Any] = [
      try storage.acquireRunLock(for: UUID(name: "run"), shard: shard(1, of: 2)),
      try storage.acquirePersonLock(for: UUID(name: "person")),
    ]
    Thread.sleep(forTimeInterval: 0.3)
    #expect(
      try fixture.strings(
        """
        SELECT concat_ws(' ', state, backend_xid, backend_xmin) FROM pg_stat_activity
        WHERE application_name LIKE 'vigil run %' OR application_name = 'vigil person'
        """) == ["idle in transaction", "idle in transaction"])
    withExtendedLifetime(locks) {}
  }

  @Test("parts of a run share the lock, the message to a second process of a part names the first")
  func shards() throws {
    let fixture = try PostgresFixture()
    let run = UUID(name: "run")
    let first = try fixture.storage.acquireRunLock(for: run, shard: shard(1, of: 3))
    let second = try fixture.reopened().acquireRunLock(for: run, shard: shard(2, of: 3))
    let refused = try #require(try refusal(fixture, shard(1, of: 3)))
    #expect(refused.code == .locked)
    #expect(refused.message.contains("locked by run \(run.lowercased) (server process "))
    #expect(try refusal(fixture)?.message.contains(run.lowercased) == true)
    #expect(try refusal(fixture, shard(3, of: 3)) == nil)
    #expect(try fixture.storage.isLocked(shard(2, of: 3)))
    #expect(try !fixture.storage.isLocked(shard(3, of: 3)))
    #expect(try fixture.storage.isLocked(.whole))
    withExtendedLifetime((first, second)) {}
  }

  @Test("a name whose process has ended is free, whatever its row says")
  func endedProcess() throws {
    let fixture = try PostgresFixture()
    var lock: (any RunLock)? = try fixture.storage.acquireRunLock(
      for: UUID(name: "run"), shard: shard(1, of: 2))
    #expect(try fixture.strings("SELECT name FROM run_locks") == ["1/2"])
    lock = nil
    #expect(try fixture.strings("SELECT name FROM run_locks") == ["1/2"])
    #expect(try !fixture.storage.isLocked(shard(1, of: 2)))
    #expect(try refusal(fixture, shard(1, of: 2)) == nil)
    #expect(try refusal(fixture) == nil)
    _ = lock
  }

  @Test("two evaluations of one person exclude each other, those of two persons do not")
  func persons() throws {
    let fixture = try PostgresFixture()
    let anna = UUID(name: "anna")
    var lock: (any PersonLock)? = try fixture.storage.acquirePersonLock(for: anna)
    let other = try fixture.storage.acquirePersonLock(for: UUID(name: "ben"))
    let refused = #expect(throws: StorageError.self) {
      _ = try fixture.reopened().acquirePersonLock(for: anna)
    }
    #expect(refused?.code == .locked)
    // A night goes on beside them.
    #expect(try refusal(fixture) == nil)
    lock = nil
    #expect(
      try fixture.strings("SELECT name FROM person_locks") == [UUID(name: "ben").lowercased])
    _ = try fixture.reopened().acquirePersonLock(for: anna)
    withExtendedLifetime((lock, other)) {}
  }

  @Test("processes that take the same name at once: one of them has it")
  func race() throws {
    let fixture = try PostgresFixture()
    let shard = try shard(1, of: 2)
    for round in 1...5 {
      let locks = LockedList()
      DispatchQueue.concurrentPerform(iterations: 6) { number in
        if let storage = try? fixture.reopened(),
          let lock = try? storage.acquireRunLock(for: UUID(name: "run \(number)"), shard: shard)
        {
          locks.add(lock)
        }
      }
      #expect(locks.count == 1, "round \(round)")
    }
  }
}

private final class LockedList: @unchecked Sendable {
  private let mutex = NSLock()
  private var locks: [any RunLock] = []

  func add(_ lock: any RunLock) { mutex.withLock { locks.append(lock) } }
  var count: Int { mutex.withLock { locks.count } }
}
