import Foundation
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("What readers see")
struct SnapshotTests {
  private func persons(_ reader: any StorageReader, _ person: UUID) throws -> Int {
    try reader.familyMembers(of: [person])[0].count
  }

  @Test("all readers of one call see the same instant, until they are let go")
  func oneInstant() throws {
    let fixture = try PostgresFixture()
    let person = UUID(name: "person")
    func addFamily(_ number: Int) throws {
      try fixture.execute(
        """
        INSERT INTO users (id, created_at, updated_at) VALUES ('\(person)', now(), now())
          ON CONFLICT DO NOTHING;
        INSERT INTO family_members VALUES
          ('00000000-0000-4000-8000-00000000000\(number)', '\(person)', 'admin', 'accepted')
        """)
    }
    try addFamily(1)
    let readers = try fixture.storage.makeReaders(count: 3)
    try addFamily(2)
    let later = try fixture.storage.makeReader()
    try addFamily(3)
    for _ in 1...2 {
      #expect(try readers.map { try persons($0, person) } == [1, 1, 1])
      #expect(try persons(later, person) == 2)
    }
  }

  @Test("a reader whose connection is ended says that it can be tried again")
  func lostReader() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let reader = try fixture.storage.makeReader()
    #expect(try persons(reader, UUID(name: "x")) == 0)
    try fixture.endSessions(named: "vigil reader")
    let error = #expect(throws: StorageError.self) { _ = try persons(reader, UUID(name: "x")) }
    #expect(error?.code == .transient)
    #expect(try persons(fixture.storage.makeReader(), UUID(name: "x")) == 0)
  }
}
