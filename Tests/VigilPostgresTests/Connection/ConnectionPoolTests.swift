import Dispatch
import Foundation
import PostgresTestServer
import Synchronization
import TestDatabases
import Testing
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilPostgres

extension PostgresFixture {
  /// Ends the sessions of the server whose `application_name` begins with `name`, and waits until
  /// they are gone.
  func endSessions(named name: String) throws {
    try execute(
      """
      SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND application_name LIKE '\(name)%'
      """)
  }
}

/// Each test ends every session of a server, so that server is its own.
@Suite("Lost connections")
struct ConnectionPoolTests {
  private let now = Timestamp(microseconds: 1_790_000_000_000_000)

  private func batch(_ run: UUID) -> BatchWrite {
    BatchWrite(alertStates: [], notifications: [], queue: .shadow, runID: run, writtenAt: now)
  }

  @Test("a storage goes on after all its connections were ended")
  func storageGoesOn() throws {
    let fixture = try PostgresFixture(on: .migrated())
    for _ in 1...3 {
      try fixture.endSessions(named: "vigil")
      #expect(try fixture.storage.runs(limit: 1).isEmpty)
      try fixture.endSessions(named: "vigil")
      #expect(try fixture.storage.write(batch(UUID())).enqueued == 0)
    }
  }

  @Test("a run whose lock was lost takes it anew before it writes")
  func lockIsTakenAgain() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let run = UUID(name: "run")
    let lock = try fixture.storage.acquireRunLock(for: run)
    try fixture.endSessions(named: "vigil run")
    #expect(try fixture.storage.write(batch(run)).enqueued == 0)
    let error = #expect(throws: StorageError.self) {
      _ = try fixture.reopened().acquireRunLock(for: UUID(name: "other"))
    }
    #expect(error?.code == .locked)
    withExtendedLifetime(lock) {}
  }

  @Test("workers that find the lock lost together take it anew once")
  func lockIsTakenAgainByOne() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let run = UUID(name: "run")
    let lock = try fixture.storage.acquireRunLock(for: run)
    for _ in 1...5 {
      try fixture.endSessions(named: "vigil run")
      let errors = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          _ = try fixture.storage.write(batch(run))
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
      #expect(errors.withLock { $0 } == [])
    }
    withExtendedLifetime(lock) {}
  }

  @Test("a run whose lock went to another writes nothing any more")
  func lockHasGone() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let lock = try fixture.storage.acquireRunLock(for: UUID(name: "first"))
    try fixture.endSessions(named: "vigil run")
    let other = try fixture.reopened()
    let otherLock = try other.acquireRunLock(for: UUID(name: "second"))
    try fixture.execute(
      "INSERT INTO users (id, created_at, updated_at) VALUES ('\(UUID(name: "p"))', now(), now())")
    let before = try fixture.strings("SELECT count(*)::text FROM pattern_alert_state")
    let error = #expect(throws: StorageError.self) {
      _ = try fixture.storage.write(batch(UUID(name: "first")))
    }
    #expect(error?.code == .locked)
    #expect(error?.message.contains(UUID(name: "second").lowercased) == true)
    #expect(try fixture.strings("SELECT count(*)::text FROM pattern_alert_state") == before)
    #expect(try other.write(batch(UUID(name: "second"))).enqueued == 0)
    withExtendedLifetime((lock, otherLock)) {}
  }

  @Test("a server that stays away is unreachable when time is up")
  func serverStaysAway() throws {
    let server = try PostgresServer.migrated()
    let schema = try PostgresSchema.migrated(on: server)
    let storage = try PostgresStorage(
      url: schema.url, schema: schema.name, retryTimeout: .milliseconds(300))
    try server.stop(immediately: true)
    let error = #expect(throws: StorageError.self) { _ = try storage.runs(limit: 1) }
    #expect(error?.code == .unreachable)
    try server.start()
    #expect(try storage.runs(limit: 1).isEmpty)
  }
}
